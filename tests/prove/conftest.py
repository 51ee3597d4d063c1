from support.command import tenure
from support.machines import machines
from support.tasks import cache_folder, reply

__all__ = ["cache_folder", "machines", "reply", "tenure"]
