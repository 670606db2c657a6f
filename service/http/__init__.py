"""The HTTP edge: Flask and marshmallow live here, and nobody else opens it but `service.wsgi`."""
