"""Points the app whose settings file is given to its library, and allows uploads.

Books are shown in the reader's own session, HTML and texts as pages: with those, who may upload a book could
run a script. Only what the app never shows as a page is taken.
"""

import sqlite3
import sys

with sqlite3.connect(sys.argv[1]) as settings:
    settings.execute(
        "UPDATE settings SET config_calibre_dir = '/app/library', config_uploading = 1, "
        "config_random_books = 0, "
        "config_calibre_uuid = '5f0c6c4e-8a52-4d0e-9a52-1d2f3a4b5c6d', "
        "config_calibre_web_title = 'Harbourline reading room', config_books_per_page = 24, "
        "config_check_extensions = 1, config_upload_formats = 'epub,pdf', config_ratelimiter = 0"
    )
