#!/bin/sh
# install-yt-dlp.sh <path>: installs yt-dlp there, complete and verified or not at all, even while nodes are using it.
#
# YT_DLP_VERSION  a release such as 2026.08.19, or "latest"
# YT_DLP_SOURCE   a folder (https:// or file://) with yt-dlp and SHA2-256SUMS, instead of the release's own address
# YT_DLP_SHA256   the expected checksum, instead of the one in SHA2-256SUMS
set -eu

target=$1
version=${YT_DLP_VERSION:-2026.08.19}
releases=https://github.com/yt-dlp/yt-dlp/releases
case $version in
  latest) release=$releases/latest/download ;;
  *) release=$releases/download/$version ;;
esac
source=${YT_DLP_SOURCE:-$release}

fetch() {
  python3 -c 'import shutil, sys, urllib.request
with urllib.request.urlopen(sys.argv[1], timeout=60) as answer, open(sys.argv[2], "wb") as file:
    shutil.copyfileobj(answer, file)' "$source/$1" "$2"
}

new=$(mktemp -d "$(dirname "$target")/.yt-dlp-XXXXXX")
trap 'rm -rf "$new"' EXIT
fetch yt-dlp "$new/yt-dlp"
expected=${YT_DLP_SHA256:-}
if [ -z "$expected" ]; then
  fetch SHA2-256SUMS "$new/sums"
  expected=$(sed -n 's/^\([0-9a-f]\{64\}\)  *\*\{0,1\}yt-dlp$/\1/p' "$new/sums")
fi
echo "$expected  $new/yt-dlp" | sha256sum --check --quiet
chmod 755 "$new/yt-dlp"
echo "yt-dlp $("$new/yt-dlp" --ignore-config --version)"
mv "$new/yt-dlp" "$target"
