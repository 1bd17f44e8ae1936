#!/bin/sh
# Does nothing, but takes a while.
sleep 0.3
