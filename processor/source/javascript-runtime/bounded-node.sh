#!/bin/sh
# Node as yt-dlp's runtime for the scripts of a page. They get no environment, files, programs or threads, and a heap
# that is ended when it is full. V8 reserves far more address space than it uses, so it gets more than yt-dlp itself.
ulimit -S -v "$(ulimit -H -v)"
exec env -i "$JAVASCRIPT_RUNTIME" --permission --max-old-space-size=640 "$@"
