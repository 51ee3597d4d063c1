"""The settings of the site around the wiki."""

import os

SECRET_KEY = os.environ["HANDBOOK_SECRET"]
ALLOWED_HOSTS = [os.environ["HANDBOOK_HOST"], "127.0.0.1"]
INSTALLED_APPS = [
    "django.contrib.humanize",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.sites",
    "django.contrib.messages",
    "django.contrib.admin",
    "django.contrib.staticfiles",
    "django_nyt",
    "mptt",
    "sekizai",
    "sorl.thumbnail",
    "wiki.apps.WikiConfig",
    "wiki.plugins.attachments.apps.AttachmentsConfig",
    "wiki.plugins.macros.apps.MacrosConfig",
    "wiki.plugins.globalhistory.apps.GlobalHistoryConfig",
    "wiki.plugins.help.apps.HelpConfig",
]
MIDDLEWARE = [
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.contrib.auth.context_processors.auth",
                "django.template.context_processors.debug",
                "django.template.context_processors.i18n",
                "django.template.context_processors.media",
                "django.template.context_processors.request",
                "django.template.context_processors.static",
                "django.template.context_processors.tz",
                "django.contrib.messages.context_processors.messages",
                "sekizai.context_processors.sekizai",
            ],
        },
    }
]
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": "/app/handbook.sqlite",
        # A transaction that reads before it writes would be refused while another request writes.
        "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 30},
    }
}
ROOT_URLCONF = "handbook_urls"
SITE_ID = 1
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
LOGIN_REDIRECT_URL = "/"
LOGIN_URL = "/_accounts/login/"
STATIC_URL = "/static/"
STATIC_ROOT = "/tmp/static"
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
MEDIA_ROOT = "/app/media"
MEDIA_URL = "/media/"
WIKI_ACCOUNT_SIGNUP_ALLOWED = False
WIKI_ANONYMOUS = False
WIKI_ATTACHMENTS_EXTENSIONS = ["pdf", "txt", "csv", "png", "jpg"]
WIKI_ATTACHMENTS_PATH = "attachments/%aid/"
