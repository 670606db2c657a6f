"""Running a deployment: `bricabrac serve`, its processes, the embedded server."""
