"""The screen interface: a world's screens in a browser that reaches nothing else.

Only ``computer`` imports Inspect; the rest is plain, so that proofs and ``tenure open`` use it too.
"""
