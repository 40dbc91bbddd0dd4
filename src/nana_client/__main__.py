"""`nana`, and `python -m nana_client`."""

import sys

from nana_client.cli import run


def main() -> None:
    try:
        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
