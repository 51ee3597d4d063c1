from ..build.conftest import cache_folder, isolated, machines

__all__ = ["cache_folder", "isolated", "machines"]
