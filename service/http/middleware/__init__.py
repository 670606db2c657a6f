"""What happens to every request before and after its resource, whatever it asks for."""
