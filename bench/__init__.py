"""What `make bench` runs: every figure a ratio of things measured in one run, in turns, the median of it.

The machines this runs on are shared: requests per second swing up to threefold within a minute, processor
time per request by a tenth. So nothing is compared with a number from another day. Linux only: processor time
and memory are read from /proc.
"""
