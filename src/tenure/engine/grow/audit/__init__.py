"""How reliable a grader is: grades made for the audit, kept in a folder, and the numbers from them.

``subject`` and ``studies`` are plain; only ``grading``, which makes grades, imports Inspect.
"""
