"""How whoever runs a server speaks to it while it runs: a socket in its data folder.

Who may read the folder may ask; nothing here tells names, cards or tokens.
"""
