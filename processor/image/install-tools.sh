#!/bin/sh
# Installs what a node needs besides Node itself, on Debian as root: ffmpeg, yt-dlp with Python and the packages it uses,
# gpgv for its releases' signatures, and an init process that forwards signals and reaps children. See install-yt-dlp.ts
# for where yt-dlp comes from.
set -eu
export DEBIAN_FRONTEND=noninteractive
# A third of what ffmpeg's packages bring are drivers of graphics cards, which are loaded only when one is used.
cat >/etc/dpkg/dpkg.cfg.d/ferry <<END
path-exclude=/usr/lib/*/libLLVM*
path-exclude=/usr/lib/*/libgallium-*
path-exclude=/usr/lib/*/libz3.so*
path-exclude=/usr/lib/*/dri/*
path-exclude=/usr/share/doc/*
path-exclude=/usr/share/man/*
path-exclude=/usr/share/locale/*
path-exclude=/usr/share/icons/*
END
apt-get update
apt-get install -y --no-install-recommends \
  ca-certificates ffmpeg gpgv tini \
  python3 python3-brotli python3-certifi python3-mutagen python3-pycryptodome python3-requests python3-websockets
rm -rf /var/lib/apt/lists/* /var/cache/apt/*
NODE_USE_ENV_PROXY=1 node "$(dirname "$0")/install-yt-dlp.ts" /usr/local/bin/yt-dlp
ffmpeg -version | head -n 1
