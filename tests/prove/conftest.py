from support.command import tenure
from support.tasks import cache_folder, reply

__all__ = ["cache_folder", "reply", "tenure"]
