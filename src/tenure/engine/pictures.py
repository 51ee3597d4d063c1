"""Screenshots as files of an attempt: small, and named by what they show, so that nothing is kept twice."""

from hashlib import sha256
from io import BytesIO
from pathlib import Path

import anyio
from PIL import Image

FOLDER = "screens"
_QUALITY = 55


def picture_name(png: bytes) -> str:
    """A screenshot's file, relative to the attempt's folder."""
    return f"{FOLDER}/{sha256(png).hexdigest()[:16]}.webp"


async def keep_picture(png: bytes, record: Path) -> str:
    """Keep a screenshot; its file, relative to the attempt's folder.

    Args:
        png: The PNG file.
        record: The attempt's folder.
    """
    name = picture_name(png)
    if not (record / name).exists():
        await anyio.to_thread.run_sync(_shrink, png, record / name)
    return name


def _shrink(png: bytes, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with Image.open(BytesIO(png)) as image:
        image.convert("RGB").save(path, "WEBP", quality=_QUALITY, method=1)
