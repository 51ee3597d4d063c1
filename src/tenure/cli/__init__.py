"""The ``tenure`` command and the Python door."""
