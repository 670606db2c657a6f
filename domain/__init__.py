"""The rules of the games: pure, standard library only, no clock, no dice but `domain.chance`."""
