#!/bin/sh
# Installs on Debian, as root, what a node needs beside Node itself: ffmpeg, Python with what yt-dlp uses of it, yt-dlp,
# and a first process that passes signals on and reaps. See install-yt-dlp.sh for where yt-dlp comes from.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends \
  ca-certificates ffmpeg tini \
  python3 python3-brotli python3-certifi python3-mutagen python3-pycryptodome python3-websockets
rm -rf /var/lib/apt/lists/*
"$(dirname "$0")/install-yt-dlp.sh" /usr/local/bin/yt-dlp
ffmpeg -version | head -n 1
