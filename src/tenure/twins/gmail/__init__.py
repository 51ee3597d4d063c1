"""Gmail: mailboxes, search, threads, drafts, and delivery between the world's accounts."""
