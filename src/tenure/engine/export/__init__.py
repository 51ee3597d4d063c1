"""Build and grow tasks in Harbor's format: what its runner gives an agent, and what grades it there."""
