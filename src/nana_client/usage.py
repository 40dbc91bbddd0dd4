"""The examples of the command line: under --help, and in what is said of a wrong one."""

from typing import Final

EPILOG: Final = """\
examples:
  nana                                   the opening screen: play, host, join, watch, resume
  nana play --bots 2 --level memory      you against two strong bots
  nana host --name Ann                   a room on this machine; the links to share are shown
  nana host wss://nana.example.org       a room on a server that runs somewhere
  nana join ws://192.168.1.5:8765/r/KQ7MX
  nana watch ws://192.168.1.5:8765/r/KQ7MX
  nana rooms nana.example.org            the open tables of a server, to join or watch
  nana resume                            back to the seat you had last
  nana resume --here                     also if another terminal has it: it is taken over
  nana bot ws://192.168.1.5:8765/r/KQ7MX --games 3
  nana bot --exec 'perl examples/bot.pl' --bots 2
  nana bot --class parrot:Parrot         a class of yours, in this folder
  nana arena memory novice --games 1000 --players 3
  nana export ws://192.168.1.5:8765/r/KQ7MX
  nana replay                            the games that you played, to look at again
  nana replay nana-KQ7MX-1.json --seat B

environment:
  NANA_PASSWORD   the password of a server that asks for one
  NANA_HOME       keep settings, saved seats and logs in this folder
  NO_COLOR        draw without colours
  NO_MOTION       let no card be seen to move; so does TEXTUAL_ANIMATIONS=none

exit codes:
  0    ended as you wanted
  1    no table: it could not be reached or hosted, or the server ended it;
       for a record: none came, or something in it is wrong
  2    the command line is wrong; for a record: there is no such file, or it is none
  130  interrupted with Ctrl+C; 143 and 129, by SIGTERM and SIGHUP
"""
ARENA: Final = """\
who plays:
  memory                     one of our levels: random, novice, memory, expert
  expert:budget=20           a level with an option of its own
  parrot:Parrot              the class Parrot in parrot.py, in this folder
  'exec:perl examples/bot.pl'
                             a program that reads a line and writes a line (docs/bots.md)
  remote                     a bot that joins by the link that is shown then

examples:
  nana arena memory novice --games 1000
  nana arena parrot:Parrot memory --players 3
  nana arena 'exec:perl examples/bot.pl' random --games 100 --json

What was played is reported also when it ends early. Exit codes: 0, all was played; 1, a bot
failed; 2, the command line is wrong; 130, Ctrl+C.
"""
BOT: Final = """\
examples:
  nana bot                                   ours against ours, here: one game, in lines
  nana bot ws://192.168.1.5:8765/r/KQ7MX     ours at your friends' table
  nana bot --class parrot:Parrot             the class Parrot in parrot.py, in this folder
  nana bot ws://192.168.1.5:8765/r/KQ7MX --class parrot:Parrot,depth=3 --games 3
  nana bot --exec 'perl examples/bot.pl' --against novice --bots 2

docs/bots.md has such a class, with one method, and such a program. Exit codes: 0, its games
were played, or it was told to leave; 1, the table ended it, or the bot failed; 2, the command
line is wrong, or there is no such class or program.
"""
CONFORMANCE: Final = """\
examples:
  nana conformance ws://127.0.0.1:8765/                 a server
  nana conformance --bot 'python examples/bot.py'       a bot, started with the link behind it
  nana conformance --bot 'nana bot {} --class parrot:Parrot'
                                                        the link in the middle
  nana conformance --bot                                a bot that you start yourself

WRONG is what breaks protocol.md, hint what would be better, - what could not be tried.
NANA_PASSWORD is the server's password, if it asks for one. Exit codes: 0, nothing is wrong;
1, something is, or nobody is there; 2, the command line is wrong, or there is no such program.
"""
EPILOGS: Final = {"arena": ARENA, "bot": BOT, "conformance": CONFORMANCE}
LINK: Final = "ws://192.168.1.5:8765/r/KQ7MX"
EXAMPLES: Final = {  # a value of each option, and what follows each command that needs something
    "--name": "Ann",
    "--bots": "2",
    "--level": "expert",
    "--against": "novice",
    "--class": "parrot:Parrot",
    "--exec": "'perl examples/bot.pl'",
    "--within": "30",
    "--games": "100",
    "--players": "3",
    "--seed": "2",
    "--budget": "20",
    "--processes": "1",
    "--host": "192.168.1.5",
    "--port": "8765",
    "--game": "2",
    "--seat": "B",
    "--new": "mine",
    "--like": "paper",
    "nana join": LINK,
    "nana watch": LINK,
    "nana export": LINK,
    "nana rooms": "nana.example.org",
    "nana arena": "memory novice --games 100",
    "nana conformance": "ws://127.0.0.1:8765/",
    "nana verify": "nana-KQ7MX-1.json",
}
