#!/bin/sh
# Installs what a node needs besides Node itself, on Debian as root: ffmpeg, yt-dlp with Python and the packages it uses,
# and an init process that forwards signals and reaps children. See install-yt-dlp.sh for where yt-dlp comes from.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends \
  ca-certificates ffmpeg tini \
  python3 python3-brotli python3-certifi python3-mutagen python3-pycryptodome python3-websockets
rm -rf /var/lib/apt/lists/*
"$(dirname "$0")/install-yt-dlp.sh" /usr/local/bin/yt-dlp
ffmpeg -version | head -n 1
