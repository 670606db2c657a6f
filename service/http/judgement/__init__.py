"""Who calls, and what is judged of a request before it is done: the order is the same for all."""
