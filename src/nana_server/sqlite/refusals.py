"""Why a journal is not opened. Each says in one sentence what is so and what to do."""


class JournalRefused(Exception):  # noqa: N818 - what happened to it
    """The journal cannot be used; nothing in it was changed."""


class JournalInUse(JournalRefused):
    """Another server has this journal open."""


class NewerJournal(JournalRefused):
    """A newer version of the program wrote this journal."""


class DamagedJournal(JournalRefused):
    """The journal as a whole is not what was written."""


class NoSpace(JournalRefused):
    """There is no space left to open the journal with."""
