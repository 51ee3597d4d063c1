"""The builder: one conversation in one workspace, whatever agent leads it; ``grow.stages`` runs it."""
