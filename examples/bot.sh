#!/bin/sh
# The smallest bot for `nana bot --exec examples/bot.sh`: always the first card that it may turn over.
while read -r line; do
    first=${line#*\"legal\":[\"}
    printf '%s\n' "${first%%\"*}"
done
