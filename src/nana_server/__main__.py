"""`nana-server`, and `python -m nana_server`."""

import sys


def main() -> None:
    try:
        from nana_server.program import run  # noqa: PLC0415 - Ctrl+C may come as early as this

        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
