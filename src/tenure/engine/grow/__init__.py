"""Grow attempts: a product is built stage by stage, then seeded and graded plan by plan from its code.

``stored`` is plain and may be imported by verbs that run no model; everything else may import Inspect.
"""
