"""Real SaaS as recipes: installed once, started from a snapshot, asked by probes, put back."""
