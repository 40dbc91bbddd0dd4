"""What is in deploy/ works: loaded, verified, and built by hand where that is possible."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest

from nana_server.config import Config
from nana_server.options import BY_NAME, OPTIONS
from nana_server.settings import parse

ROOT: Final = Path(__file__).parents[2]
DEPLOY: Final = ROOT / "deploy"
SYSTEMD: Final = shutil.which("systemd-analyze")
EXPOSURE_MOST: Final = 14  # tenths; most services have 90
HOSTING: Final = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")


def test_every_file_is_explained() -> None:
    """The page about hosting links each of them."""
    files = {file.name for file in DEPLOY.iterdir()}
    assert set(re.findall(r"\(\.\./deploy/([^)]+)\)", HOSTING)) == files
    assert len(files) == 6


# The file of options.

NOT_TO_SERVE: Final = {"password", "until_stdin_ends", "fixed_deals"}  # there are better ways


def test_the_example_file_loads(tmp_path: Path) -> None:
    """As it is, and with each line that is commented out put in force."""
    plain = parse(["--config", str(DEPLOY / "nana.toml")], {}).config
    assert plain.public_url == "wss://nana.example.org"
    text = re.sub(r"(?m)^# (\w+ = )", r"\1", (DEPLOY / "nana.toml").read_text())
    secret = tmp_path / "password"
    secret.write_text("sesame\n")
    text = text.replace("/etc/nana/password", str(secret))
    whole = tmp_path / "whole.toml"
    whole.write_text(text)
    assert set(tomllib.loads(text)) == set(BY_NAME) - NOT_TO_SERVE
    config = parse(["--config", str(whole)], {}).config
    assert config.password == "sesame"
    for option in OPTIONS:
        shown_default = f"# {option.name} = " in (DEPLOY / "nana.toml").read_text()
        if shown_default and option.name not in {
            "tls_cert", "tls_key", "allow_origin", "password_file", "data",
        }:  # fmt: skip
            assert getattr(config, option.target) == getattr(Config(), option.target), option.name


def test_the_page_tells_the_true_defaults() -> None:
    """Each option has a row, with what it is when nobody sets it."""
    rows = {row[1]: row[3].strip() for row in re.finditer(
        r"(?m)^\| `(--[a-z-]+)[^`]*` \|([^|]*)\|([^|]*)\|$", HOSTING)}  # fmt: skip
    for option in OPTIONS:
        if option.secret:
            continue
        told, default = rows[option.flag], option.default
        if isinstance(default, tuple) and default:
            assert told == f"`{', '.join(map(str, default))}`"
        elif isinstance(default, int | str) and default is not False:
            assert told == f"`{default}`"


# systemd.


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """Copy the unit, its program being ours: the real one is where nobody here has installed."""
    text = (DEPLOY / "nana-server.service").read_text()
    program = Path(sys.executable).parent / "nana-server"
    assert text.count("/opt/nana/bin/nana-server") == 2
    copy = tmp_path / "nana-server.service"
    copy.write_text(text.replace("/opt/nana/bin/nana-server", str(program)))
    return copy


@pytest.mark.skipif(SYSTEMD is None, reason="systemd-analyze is not here")
def test_systemd_understands_the_unit(unit: Path) -> None:
    """Every line of it: a warning is a failure, and so is a unit that gives more than it must."""
    done = subprocess.run(
        [str(SYSTEMD), "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, [line for line in done.stderr.splitlines() if "nana" in line]) == (
        0,
        [],
    )
    done = subprocess.run(
        [str(SYSTEMD), "security", "--offline=true", f"--threshold={EXPOSURE_MOST}", str(unit)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(SYSTEMD is None, reason="systemd-analyze is not here")
@pytest.mark.parametrize(
    ("line", "instead"),
    [("ProtectHome=yes", "ProtectHom=yes"), ("UMask=0077", "UMask=x"), ("DynamicUser=yes", "")],
)
def test_a_wrong_unit_is_caught(unit: Path, line: str, instead: str) -> None:
    """The test above can fail."""
    text = unit.read_text()
    assert line in text
    unit.write_text(text.replace(line, instead))
    with pytest.raises(AssertionError):
        test_systemd_understands_the_unit(unit)


def test_the_unit_gives_the_server_time_and_files() -> None:
    """It waits longer than a stop takes, and allows the connections that the server may have."""
    text = (DEPLOY / "nana-server.service").read_text()
    config = Config()
    assert int(re.findall(r"TimeoutStopSec=(\d+)", text)[0]) > 2 * config.stop_timeout
    assert int(re.findall(r"LimitNOFILE=(\d+)", text)[0]) > 2 * config.sockets + 64
    assert "Environment=NANA_DATA=%S/nana\nStateDirectory=nana\n" in text


# Docker.


def instructions() -> list[tuple[str, str]]:
    """Read the Dockerfile: what each instruction is, and what it says."""
    text = re.sub(r"(?m)^#.*\n", "", (DEPLOY / "Dockerfile").read_text())
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in lines if line]


def test_the_image_is_made_of_what_there_is() -> None:
    """What is copied exists and is let through; it runs as nobody special, stops as we do."""
    found = instructions()
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    for source in [
        word for name, said in found if name == "COPY" and "--from" not in said
        for word in said.split()[:-1]
    ]:  # fmt: skip
        assert (ROOT / source).exists()
        assert f"!{source}" in ignored
    said = dict(found)
    names = [name for name, _ in found]
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert said["USER"] == "nana"
    assert said["STOPSIGNAL"] == "SIGTERM"
    assert said["EXPOSE"] == str(Config().port)
    assert said["ENTRYPOINT"] == '["/opt/nana/bin/nana-server"]'


def test_the_images_variables_are_options() -> None:
    """The server would take them, and keep its rooms in the volume."""
    said = dict(instructions())
    env = dict(word.split("=", 1) for word in shlex.split(said["ENV"]))
    config = parse([], env).config
    assert config.hosts == ("0.0.0.0", "::")  # noqa: S104 - read, not bound
    assert str(config.data) in said["VOLUME"]
    assert str(config.port) in said["HEALTHCHECK"]
    assert config.log_format == "json"


@pytest.mark.skipif("NANA_LONG" not in os.environ, reason="installs everything anew")
def test_the_images_steps_can_be_done_by_hand(tmp_path: Path) -> None:
    """In a folder with what is copied, the RUN lines make a server that answers."""
    target = tmp_path / "opt"
    for name in ("pyproject.toml", "README.md", "LICENSE", "src"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    for name, said in instructions():
        if name == "RUN" and "/opt/nana" in said:
            step = (
                said.replace("python ", f"{sys.executable} ", 1) if said[:6] == "python" else said
            )
            words = shlex.split(step.replace("/opt/nana", str(target)))
            subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    done = subprocess.run(
        [str(target / "bin" / "nana-server"), "--version"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.startswith("nana-server ")


def compose() -> Any:
    yaml: Any = import_module("yaml")
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def test_compose_is_whole() -> None:
    """It names what exists, trusts the network of its proxy, and lets the server write nowhere."""
    found = compose()
    nana, caddy = found["services"]["nana"], found["services"]["caddy"]
    context = (DEPLOY / nana["build"]["context"]).resolve()
    assert context == ROOT
    assert (context / nana["build"]["dockerfile"]).is_file()
    env = {name: re.sub(r"\$\{\w+:-(\w+)\}", r"\1", it) for name, it in nana["environment"].items()}
    config = parse([], env).config
    (subnet,) = found["networks"]["table"]["ipam"]["config"]
    assert [str(it) for it in config.trusted_proxy] == [subnet["subnet"]]
    assert config.public_url == "wss://localhost"
    assert nana["networks"] == caddy["networks"] == ["table"]
    assert "ports" not in nana
    assert nana["read_only"] is True
    assert nana["cap_drop"] == ["ALL"]
    assert nana["ulimits"]["nofile"] > 2 * config.sockets + 64
    volume, place = nana["volumes"][0].split(":")
    assert volume in found["volumes"]
    assert place in dict(instructions())["VOLUME"]
    assert any(it.startswith("./Caddyfile:") for it in caddy["volumes"])
    text = (DEPLOY / "Caddyfile").read_text()
    for variable in caddy["environment"]:
        assert f"{{${variable}:" in text
    assert caddy["environment"]["NANA_UPSTREAM"] == f"nana:{config.port}"


@pytest.mark.skipif(shutil.which("caddy") is None, reason="caddy is not here")
def test_caddy_understands_its_file_as_compose_uses_it(tmp_path: Path) -> None:
    """With the variables that compose sets; the form is Caddy's own."""
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "NANA_DOMAIN": "nana.example.org",
        "NANA_UPSTREAM": "nana:8765",
    }
    for command in ("adapt", "validate"):
        done = subprocess.run(
            ["caddy", command, "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")],
            env=env, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    done = subprocess.run(["caddy", "fmt", str(DEPLOY / "Caddyfile")], capture_output=True,
                          text=True, check=False)  # fmt: skip
    assert done.stdout == (DEPLOY / "Caddyfile").read_text()
