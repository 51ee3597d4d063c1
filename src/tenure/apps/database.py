"""What a recipe, a client program and a person may ask of an app's database server."""

import httpx

from tenure.workspace.services import Service

_SCHEMAS = "FROM information_schema.tables WHERE table_schema NOT IN"
TABLES = {
    "sqlite": "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
    "postgres": f"SELECT table_name AS name {_SCHEMAS} ('pg_catalog', 'information_schema') ORDER BY 1",
    "mariadb": f"SELECT table_name AS name {_SCHEMAS} ('mysql', 'information_schema') ORDER BY 1",
}
"""Engine → the query of its tables' names."""
_CLIENTS = {
    "postgres": {
        "PGHOST": "database_host",
        "PGPORT": "database_port",
        "PGUSER": "database_user",
        "PGPASSWORD": "database_password",
        "PGDATABASE": "database_name",
    },
    "mariadb": {
        "MYSQL_HOST": "database_host",
        "MYSQL_TCP_PORT": "database_port",
        "MYSQL_PWD": "database_password",
    },
}


def placeholders(service: Service | None) -> dict[str, str]:
    """What ``${database_…}`` of a recipe stands for; nothing without a server."""
    if service is None:
        return {}
    url = httpx.URL(service.url())
    return {
        "database_url": str(url),
        "database_host": url.host,
        "database_port": str(url.port),
        "database_user": url.username,
        "database_password": url.password,
        "database_name": url.path.lstrip("/"),
    }


def client_environment(service: Service | None) -> dict[str, str]:
    """Variables that lead the database's own client programs to it."""
    told = placeholders(service)
    return {name: told[of] for name, of in _CLIENTS.get(service.name if service else "", {}).items()}
