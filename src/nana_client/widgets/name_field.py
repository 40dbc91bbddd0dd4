"""The field for one's own name: what is typed there holds as soon as one leaves the field.

A name that no server takes is not passed on; the screen says what is wrong with it.
"""

from textual.message import Message
from textual.widgets import Input

from nana_client.naming import flaw, tidied


class NameField(Input):
    """Its screen posts `NameField.Named` once for each name."""

    class Named(Message):
        """From now on this is the name."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, name: str) -> None:
        super().__init__(name, placeholder="your name", max_length=40, id="name")
        self.known = name  # the name that holds, as far as this field was told

    def on_blur(self) -> None:
        self.settle()

    def settle(self) -> None:
        """Let the typed name hold, through the screen: in order with what else it asks for."""
        name = tidied(self.value)
        if name != self.known and flaw(name) is None:
            self.known = self.value = name
            self.screen.post_message(self.Named(name))

    def rename(self, name: str) -> None:
        """Show the name that was chosen elsewhere; one that holds already leaves the typing be."""
        if name != self.known:
            self.known = self.value = name
