"""Options: one name in a file, the environment and the flags, one precedence, no silence."""

import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final

import pytest

from nana_server import settings
from nana_server.admin import command
from nana_server.config import Config
from nana_server.options import OPTIONS, Option
from nana_server.settings import NOT_OURS, Settings, parse, shown

ROOT: Final = Path(__file__).parents[2]

# Two values for each option, as text, and what they are.
SAMPLES: Final[dict[str, tuple[tuple[str, object], tuple[str, object]]]] = {
    "host": (("::1", ("::1",)), ("127.0.0.2", ("127.0.0.2",))),
    "port": (("0", 0), ("65535", 65_535)),
    "public_url": (("wss://a.test/nana/", "wss://a.test/nana"), ("ws://[::1]:9", "ws://[::1]:9")),
    "trusted_proxy": (
        ("10.0.0.0/8", (ip_network("10.0.0.0/8"),)),
        ("::1", (ip_network("::1/128"),)),
    ),
    "tls_cert": (("/a.pem", Path("/a.pem")), ("b.pem", Path("b.pem"))),
    "tls_key": (("/a.key", Path("/a.key")), ("b.key", Path("b.key"))),
    "allow_origin": (
        ("https://A.test", ("https://a.test",)),
        ("http://b.test:81", ("http://b.test:81",)),
    ),
    "fixed_deals": (("3", "3"), ("a word", "a word")),
    "data": (("/var/x", Path("/var/x")), ("y", Path("y"))),
    "room_idle": (("90s", 90), ("2h", 7200)),
    "rooms_expire_days": (("1", 1), ("400", 400)),
    "ping_after": (("5m", 300), ("1d", 86_400)),
    "message_bytes": (("1024", 1024), ("65536", 65_536)),
    "metrics_allow": (("none", ()), ("192.0.2.0/24", (ip_network("192.0.2.0/24"),))),
    "log_format": (("json", "json"), ("human", "human")),
    "log_level": (("debug", "debug"), ("error", "error")),
    "until_stdin_ends": (("true", True), ("true", True)),
}
NUMBERS: Final = (("3", 3), ("77", 77))
PLAIN: Final = [it for it in OPTIONS if it.name not in {"password", "password_file"}]


def samples(option: Option) -> tuple[tuple[str, object], tuple[str, object]]:
    return SAMPLES.get(option.name, NUMBERS)


def read(
    *args: str, env: Mapping[str, str] | None = None, toml: str | None = None, folder: Path
) -> Settings:
    if toml is not None:
        file = folder / "nana.toml"
        file.write_text(toml)
        args = ("--config", str(file), *args)
    return parse(args, env or {})


def refused(capsys: pytest.CaptureFixture[str], *args: str, **more: Any) -> str:
    """Return the sentence with which a configuration is refused; the exit code is 2."""
    with pytest.raises(SystemExit) as ended:
        read(*args, **more)
    assert ended.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    line = err.splitlines()[-1]
    assert line.startswith("nana-server: error: ")
    return line.removeprefix("nana-server: error: ")


def partner(option: Option) -> dict[str, str]:
    """Return the variable without which an option makes no sense."""
    other = {"tls_cert": "NANA_TLS_KEY", "tls_key": "NANA_TLS_CERT"}.get(option.name)
    return {other: "/other"} if other else {}


def flags(option: Option, said: str) -> list[str]:
    return [option.flag] if option.is_switch else [option.flag, said]


@pytest.mark.parametrize("option", PLAIN, ids=lambda it: it.name)
def test_every_option_has_one_name_in_three_places(option: Option, tmp_path: Path) -> None:
    """The same text leads to the same value, as a flag, a variable and a line of the file."""
    env = partner(option)
    for said, value in samples(option):
        line = f'{option.name} = "{said}"'
        for found in (
            read(*flags(option, said), env=env, folder=tmp_path),
            read(env={**env, option.variable: said}, folder=tmp_path),
            read(toml=line, env=env, folder=tmp_path),
        ):
            assert getattr(found.config, option.target) == value
            assert option.name in found.places
    assert Config() == read(folder=tmp_path).config


@pytest.mark.parametrize("option", PLAIN, ids=lambda it: it.name)
def test_flags_come_before_the_environment_and_that_before_the_file(
    option: Option, tmp_path: Path
) -> None:
    """One precedence for each option; the place that won is named."""
    (one, first), (two, second) = samples(option)
    env = partner(option)
    toml = f'{option.name} = "{one}"'
    by_env = read(toml=toml, env={**env, option.variable: two}, folder=tmp_path)
    assert getattr(by_env.config, option.target) == second
    assert by_env.places[option.name] == option.variable
    by_flag = read(
        *flags(option, one), toml=toml, env={**env, option.variable: two}, folder=tmp_path
    )
    assert getattr(by_flag.config, option.target) == first
    assert by_flag.places[option.name] == option.flag


def test_lists_replace_each_other(tmp_path: Path) -> None:
    """A list is several flags, commas in a variable, a list in the file; never a mixture."""
    toml = 'host = ["a.test", "b.test"]'
    assert read(toml=toml, folder=tmp_path).config.hosts == ("a.test", "b.test")
    found = read(toml=toml, env={"NANA_HOST": "0.0.0.0, ::"}, folder=tmp_path)
    assert found.config.hosts == ("0.0.0.0", "::")  # noqa: S104 - read, not bound
    found = read("--host", "x.test", "--host", "y.test", toml=toml, folder=tmp_path)
    assert found.config.hosts == ("x.test", "y.test")
    assert read(toml="metrics_allow = []", folder=tmp_path).config.metrics_allow == ()


def test_the_file_may_have_values_of_their_own_kind(tmp_path: Path) -> None:
    """Numbers and booleans need no quotes."""
    found = read(toml="port = 1\nuntil_stdin_ends = true\nroom_idle = '1d'", folder=tmp_path)
    assert (found.config.port, found.config.until_stdin_ends) == (1, True)
    assert found.config.room_idle == 86_400


def test_the_file_is_named_by_flag_or_variable(tmp_path: Path) -> None:
    """NANA_CONFIG names it, too; the flag comes first."""
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    one.write_text("port = 1")
    two.write_text("port = 2")
    assert parse([], {"NANA_CONFIG": str(one)}).config.port == 1
    assert parse(["--config", str(two)], {"NANA_CONFIG": str(one)}).config.port == 2


@pytest.mark.parametrize(
    ("toml", "sentence"),
    [
        ("prot = 1", "prot is no option; the closest one is port."),
        ("trusted_proxies = []", "trusted_proxies is no option; the closest one is trusted_proxy."),
        ("[tls]\ncert = 'x'", "tls is no option; the closest one is "),
        ("port = 1.5", "port has a value of the wrong kind."),
        ("port = [1]", "port has a value of the wrong kind."),
        ("host = [1]", "host has a value of the wrong kind."),
        ("port = 70000", "port: a port is a number from 0 to 65535, not '70000'."),
        ("port = true", "port: a port is a number from 0 to 65535, not 'true'."),
        ("port =", " is not TOML: "),
        ("room_idle = '2w'", "a time is a number of seconds, or like 90s, 15m, 24h or 30d"),
        ("room_idle = 0", "a time is a number of seconds"),
        ("room_idle = '99999d'", "longer than anybody will wait"),
        ("host = []", "host: "),
        ("message_bytes = 100", "1024 to 65536"),
        ("trusted_proxy = '10.0.0.1/8'", "did you mean 10.0.0.0/8?"),
        ("trusted_proxy = 'proxy.test'", "that is an address or a network"),
        ("public_url = 'https://a.test'", "it begins with ws:// or wss://"),
        ("public_url = 'wss://'", "has no good host and port"),
        ("public_url = 'wss://a.test:x'", "has no good host and port"),
        ("public_url = 'wss://u@a.test'", "has no good host and port"),
        ("public_url = 'wss://a.test/?x'", "has a ? or # in it"),
        ("public_url = 'wss://a.test/a b'", "a path has letters"),
        ("public_url = 'wss://a.test/r'", "cannot begin with /r"),
        ("allow_origin = 'a.test'", "an origin looks like https://example.org"),
        ("allow_origin = 'https://a.test/page'", "an origin has no path"),
        ("log_level = 'loud'", "that is debug or info or warning or error"),
        ("tls_cert = 'x'", "tls_cert and tls_key go together"),
        ("password = ''", "a password has 1 to 128 characters"),
        ("password_file = '/no/such'", "/no/such cannot be read: No such file"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_the_file_is_a_sentence(
    toml: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It names the place, and the option that was meant."""
    assert sentence in refused(capsys, toml=toml, folder=tmp_path)


@pytest.mark.parametrize(
    ("env", "sentence"),
    [
        ({"NANA_PROT": "1"}, "NANA_PROT is no option; the closest one is NANA_PORT."),
        ({"NANA_METRIC_ALLOW": "x"}, "the closest one is NANA_METRICS_ALLOW."),
        ({"NANA_PORT": ""}, "NANA_PORT: a port is a number"),
        ({"NANA_UNTIL_STDIN_ENDS": "1"}, "NANA_UNTIL_STDIN_ENDS: that is true or false, not '1'."),
        ({"NANA_CONFIG": "/no/such.toml"}, "/no/such.toml cannot be read: No such file"),
        ({"NANA_PASSWORD": "x" * 129}, "NANA_PASSWORD: a password has 1 to 128 characters"),
    ],
)
def test_what_is_wrong_in_the_environment_is_a_sentence(
    env: dict[str, str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A variable that begins like ours and is none is an error, not a surprise."""
    assert sentence in refused(capsys, env=env, folder=tmp_path)


def test_variables_of_others_are_left_alone(tmp_path: Path) -> None:
    """The client's, other programs', and an empty password are no errors."""
    env = {"NANA_HOME": "/x", "NANAS_PORT": "x", "PATH": "/bin", "NANA_PASSWORD": ""}
    assert read(env=env, folder=tmp_path).config == Config()


def test_every_variable_of_the_project_is_known() -> None:
    """Whatever starts with NANA_ in clients, tests and benches is an option or known as not ours.

    Else a server that is started by a test would refuse that variable.
    """
    known = {option.variable for option in OPTIONS} | NOT_OURS | {"NANA_CONFIG"}
    used = set[str]()
    for folder in ("src/nana_client", "tests", "bench", "examples"):
        for file in (ROOT / folder).rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            used |= set(re.findall(r"""environ\b[^\n]{0,8}["'](NANA_[A-Z_]+)""", text))
            used |= set(re.findall(r"""["'](NANA_[A-Z_]+)["'] (?:not )?in os\.environ""", text))
    assert {"NANA_LONG", "NANA_PAIRS", "NANA_HOME"} <= used
    assert used - known == set()


def test_a_password_has_no_flag(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A command line is read by everybody: it is refused, and not repeated."""
    sentence = refused(capsys, "--password", "sesame", folder=tmp_path)
    assert "NANA_PASSWORD" in sentence
    assert "sesame" not in sentence


def test_a_password_may_be_in_a_file_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first line is the password; two passwords are one too many."""
    file = tmp_path / "password"
    file.write_text("open sesame\nnot this\n")
    env = {"NANA_PASSWORD_FILE": str(file)}
    assert read(env=env, folder=tmp_path).config.password == "open sesame"
    assert read(toml="password = 'x'", folder=tmp_path).config.password == "x"
    both = {**env, "NANA_PASSWORD": "sesame"}
    sentence = refused(capsys, env=both, folder=tmp_path)
    assert sentence == "There are two passwords, by NANA_PASSWORD and by NANA_PASSWORD_FILE."


def test_the_effective_configuration_can_be_loaded_again(tmp_path: Path) -> None:
    """What --check-config prints is a file that leads to the same, but for secrets."""
    env = {"NANA_PASSWORD": "sesame", "NANA_DATA": '/odd "path"\\', "NANA_PORT": "9"}
    before = read("--host", "::1", "--until-stdin-ends", env=env, folder=tmp_path)
    text = "\n".join(shown(before))
    assert "sesame" not in text
    assert "# password: hidden  # NANA_PASSWORD" in text
    assert "port = 9  # NANA_PORT" in text
    assert 'host = ["::1"]  # --host' in text
    assert "room_idle = 86400  # default" in text
    after = read(toml=text, env={"NANA_PASSWORD": "sesame"}, folder=tmp_path)
    assert after.config == before.config
    assert set(tomllib.loads(text)) <= {option.name for option in OPTIONS}


def check(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "nana_server", "--check-config", *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False, env=env)


def test_checking_serves_nothing(tmp_path: Path) -> None:
    """It prints and ends: 0 where the server would start, 2 with a sentence where not."""
    done = check("--port", "1", NANA_PASSWORD="sesame", NANA_DATA=str(tmp_path / "new"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "port = 1  # --port" in done.stdout
    assert "sesame" not in done.stdout
    assert not (tmp_path / "new").exists()
    (tmp_path / "file").write_text("")
    done = check("--data", str(tmp_path / "file" / "x"))
    assert done.returncode == 2
    assert "is a file, not a folder" in done.stderr
    done = check("--tls-cert", "/no/cert", "--tls-key", "/no/key")
    assert done.returncode == 2
    assert "/no/cert cannot be read: No such file or directory." in done.stderr
    done = check("--host", "no.such.host.invalid")
    assert done.returncode == 2
    assert "no.such.host.invalid cannot be listened on: " in done.stderr
    assert check("--prot", "1").returncode == 2


def test_checking_warns_of_what_is_probably_not_meant(tmp_path: Path) -> None:
    """A password that all can read, and a public URL that nothing here serves."""
    file = tmp_path / "nana.toml"
    file.write_text('password = "sesame"\npublic_url = "wss://a.test"\n')
    file.chmod(0o644)
    done = check("--config", str(file))
    assert done.returncode == 0
    assert f"{file} holds a password, and everybody on this machine can read it" in done.stderr
    assert "neither a certificate nor a trusted proxy" in done.stderr
    file.chmod(0o600)
    done = check("--config", str(file), "--trusted-proxy", "127.0.0.1")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "option", [it for it in OPTIONS if not it.is_switch and not it.secret], ids=lambda it: it.name
)
def test_an_option_without_its_value_gets_an_example(
    option: Option, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """What it is for is said, and a value that would do."""
    said, flag = refused(capsys, option.flag, folder=tmp_path), option.flag
    found = re.fullmatch(rf"{flag} needs a value behind it: .+; as in `{flag} (.+)`\.", said)
    assert found
    option.read(found[1])


@pytest.mark.parametrize("asked", ["", "backup", "close", "announce", "--data"])
def test_a_question_that_lacks_something_gets_an_example(
    asked: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`nana-server admin` says what would be right, too."""
    with pytest.raises(SystemExit):
        command.parse(asked.split(), {})
    said = capsys.readouterr().err
    if asked == "--data":
        assert "--data needs a value behind it: the server's data folder; as in `--data " in said
        return
    found = re.search(r" needs [A-Z]+\. For example: `nana-server admin (.+)`\.$", said)
    assert found
    assert command.parse(shlex.split(found[1]), {}).data == Path("~/nana-data").expanduser()


def test_help_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    """Each flag with its default, and none for the password."""
    with pytest.raises(SystemExit):
        parse(["--help"], {})
    text = capsys.readouterr().out
    for option in OPTIONS:
        assert (f"{option.flag} " in text or f"{option.flag}\n" in text) == (not option.secret)
    assert "(default: 8765)" in text


def test_the_table_of_options_is_whole() -> None:
    """Each field of the configuration has its option, each option its field."""
    fields = set(Config.__struct_fields__)
    assert fields == {option.target for option in OPTIONS} - {"password_file"}
    for option in PLAIN:
        assert option.name in SAMPLES or isinstance(option.default, int), option.name
    assert settings.gather({}, {}) == {}
