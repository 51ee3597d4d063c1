"""The operate suite's engine: a browser closed to all but the task's apps, and the 22 actions in it.

``chromium``, ``view``, ``acts`` and what they use import no Inspect: the direct driver runs on them alone.
"""
