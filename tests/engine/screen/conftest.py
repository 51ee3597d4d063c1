from support.command import tenure

__all__ = ["tenure"]
