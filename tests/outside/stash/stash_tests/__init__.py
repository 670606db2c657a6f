"""What the tests of Bricabrac need to know of Stash."""
