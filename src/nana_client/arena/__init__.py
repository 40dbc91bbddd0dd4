"""`nana arena`: measures bots against each other, and says how sure that is."""
