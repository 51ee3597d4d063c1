"""Loads what standard input says (JSON of ``data.py``).

Arguments: the agent's password and the administrator's.
"""

import json
import sys
from datetime import UTC, datetime

import serve  # noqa: F401  (sets Django up)
from django.contrib.auth.models import User
from django.contrib.sites.models import Site
from django.db import transaction
from wiki.models import ArticleRevision, URLPath

told = json.load(sys.stdin)


def dated(revision: ArticleRevision, at: str) -> None:
    """Give a revision, and its page, the moment at which it was made."""
    moment = datetime.fromisoformat(at).replace(tzinfo=UTC)
    ArticleRevision.objects.filter(pk=revision.pk).update(created=moment, modified=moment)
    type(revision.article).objects.filter(pk=revision.article.pk).update(modified=moment)


with transaction.atomic():
    Site.objects.update_or_create(pk=1, defaults={"domain": "wiki.localhost", "name": "Handbook"})
    User.objects.create_superuser("admin", "admin@harbourline.example", sys.argv[2])
    users = {}
    for one in told["users"]:
        users[one["username"]] = User.objects.create_user(
            one["username"], one["email"], first_name=one["first"], last_name=one["last"]
        )
    agent = users[told["agent"]]
    agent.set_password(sys.argv[1])
    agent.save()
    pages = {}
    for one in told["pages"]:
        author = users[one["author"]]
        if one["path"]:
            parent, _, slug = one["path"].rpartition("/")
            made = URLPath.create_urlpath(
                pages[parent],
                slug,
                title=one["title"],
                content=one["text"],
                user_message=one["why"],
                user=author,
                article_kwargs={"owner": author, "group_write": True, "other_write": True},
            )
        else:
            made = URLPath.create_root(title=one["title"], content=one["text"])
        pages[one["path"]] = made
        dated(made.article.current_revision, one["at"])
        for change in one["changes"]:
            revision = ArticleRevision(
                title=one["title"],
                content=change["text"],
                user_message=change["why"],
                user=users[change["author"]],
            )
            made.article.add_revision(revision)
            dated(revision, change["at"])
