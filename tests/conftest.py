"""What every test begins with: signals as a terminal gives them.

Whoever starts the tests in the background of a script hands Ctrl+C and the closing of the
terminal down as ignored, to the programs under test too; and these would rightly ignore them.
"""

import signal

for _given in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(_given) is signal.SIG_IGN:
        signal.signal(
            _given, signal.default_int_handler if _given is signal.SIGINT else signal.SIG_DFL
        )
