"""The app, and beside it its files, which it leaves to another server."""

from django.conf import settings
from pretix.wsgi import application as pretix
from whitenoise import WhiteNoise

application = WhiteNoise(pretix, root=settings.STATIC_ROOT, prefix="static/")
application = WhiteNoise(application, root=settings.MEDIA_ROOT, prefix="media/", autorefresh=True)
