"""The engine: the only room that imports Inspect.

``spec`` and ``plan`` are plain and may be imported by verbs that run no model; everything else
imports ``inspect_ai`` and is loaded only when a model runs.
"""
