"""The app's settings, with transactions that wait for each other.

One that begins by reading and then writes is refused at once while another request writes: SQLite cannot let
it wait. Whoever works in the app would be told of an unexpected error.
"""

from pretix.settings import *  # noqa: F403
from pretix.settings import DATABASES

DATABASES["default"]["OPTIONS"] |= {"transaction_mode": "IMMEDIATE", "timeout": 30}
