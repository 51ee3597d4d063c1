"""Starts a product and waits until it answers: a program that runs inside a machine.

``python3 -I -c SOURCE SCRIPT PORT SECONDS LOG`` in the product's folder, with the standard library only. The
product goes on when this has ended.
"""

import http.client
import os
import subprocess
import sys
import time

ENDED, SILENT = 71, 72
"""Exit statuses: the product ended by itself; it does not answer in time."""
_STEADY = 1.0
"""Seconds after its first answer at which a product must still answer."""
_ANSWER = 5.0
_PAUSE = 0.1
_START = 'chmod +x "$0"; exec "./$0"'
"""A shell, because a script need not say which interpreter it is for."""


def answers(port: int) -> bool:
    """Whether something speaks HTTP on a loopback port, whatever it says."""
    for host in ("127.0.0.1", "::1"):
        asked = http.client.HTTPConnection(host, port, timeout=_ANSWER)
        try:
            asked.request("GET", "/", headers={"Host": f"localhost:{port}"})
            asked.getresponse()
        except (OSError, http.client.HTTPException):
            continue
        finally:
            asked.close()
        return True
    return False


def main(script: str, port: str, seconds: str, log: str) -> int:
    """Start a script in a session of its own; it may go on itself, or leave something behind that does."""
    if not os.path.isfile(script):
        print("there is none", file=sys.stderr)
        return ENDED
    with open(os.path.expanduser(f"~/{log}.log"), "ab", buffering=0) as told:
        product = subprocess.Popen(
            ["/bin/sh", "-c", _START, script],
            stdin=subprocess.DEVNULL,
            stdout=told,
            stderr=told,
            start_new_session=True,
        )
    end = time.monotonic() + float(seconds)
    since = None
    while time.monotonic() < end:
        if product.poll():
            print(f"it ended with status {product.returncode}", file=sys.stderr)
            return ENDED
        if not answers(int(port)):
            since = None
        elif since is None:
            since = time.monotonic()
        elif time.monotonic() - since >= _STEADY:
            return 0
        time.sleep(_PAUSE)
    print(f"nothing answers on port {port} after {seconds} s", file=sys.stderr)
    return SILENT


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
