"""What every match shares, whatever the game: seats, start, moves, score, the seed and its reveal."""
