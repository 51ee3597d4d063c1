"""The site's addresses: the wiki is all of it."""

from django.urls import include, path

urlpatterns = [path("notifications/", include("django_nyt.urls")), path("", include("wiki.urls"))]
