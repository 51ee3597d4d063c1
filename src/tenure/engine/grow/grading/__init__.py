"""A grader at work: what it is asked, its tools, what it remembers, and what it leaves."""
