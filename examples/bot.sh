#!/bin/sh
# The smallest bot for `nana bot --exec examples/bot.sh`: always the first card that it may turn over.
# Lines grow with the game, and `read` takes them letter by letter: grep cuts them short before.
LC_ALL=C grep -o --line-buffered '"legal":\["[^"]*' | while IFS='"' read -r _ _ _ first; do
    printf '%s\n' "$first"
done
