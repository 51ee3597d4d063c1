"""What a world costs, beside the least that raw parts need for the same work in the same run."""
