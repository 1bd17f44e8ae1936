"""How peers and bounds are timed, whoever times them."""

SAMPLE_SECONDS = 8e-3
# As many for whoever is timed: a card that multiplies gets slower while it heats, so that the middle of longer runs is slower.
SAMPLES = 75
MOST_SECONDS = 1
BURST_SAMPLES = 9
REST_SECONDS = 0.05
L2_MULTIPLE = 4
MOST_SETS = 400
