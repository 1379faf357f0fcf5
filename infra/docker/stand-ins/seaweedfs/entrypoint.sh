#!/bin/sh
# The arguments that the published image's script adds to `server`.
shift
exec weed -logtostderr=true server -dir=/data -volume.max=0 -master.volumeSizeLimitMB=1024 "$@"
