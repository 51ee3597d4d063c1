"""Replaces the template's lists: those that do not depend on the seed."""

ORDERED = {
    "bug_type": ("crash", "resource usage", "security", "behavior", "rfe"),
    "task_type": ("feature", "documentation", "operations", "training", "decision"),
    "severity": ("critical", "urgent", "major", "normal", "minor"),
    "priority": ("immediate", "urgent", "high", "normal", "low"),
    "status": ("new", "open", "pending", "closed"),
    "resolution": ("accepted", "duplicate", "fixed", "invalid", "postponed", "wont fix", "works for me"),
}
for kind, names in ORDERED.items():
    for order, name in enumerate(names, 1):
        db.getclass(kind).create(name=name, order=order)  # noqa: F821
user = db.getclass("user")  # noqa: F821
user.create(username="admin", password=adminpw, address=admin_email, roles="Admin")  # noqa: F821
user.create(username="anonymous", roles="Anonymous")
