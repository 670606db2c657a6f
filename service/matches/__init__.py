"""The use cases of a match: the one pipe that writes, what is read of it, and who may."""
