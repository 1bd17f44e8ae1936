"""What goes wrong in a way that a sentence tells."""


class Problem(Exception):
    """Something that is told in a sentence, and ends what cannot go on."""
