"""Files of a release, which others wrote."""

import os
from pathlib import Path


def inside(path: Path, folder: Path) -> bool:
    """Whether a file lies below a folder once every link on the way is followed."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
