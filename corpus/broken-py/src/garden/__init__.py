"""Waters the beds of a garden, as far as the tap gives water."""
