//! The outside world: FFmpeg, the engine's client, objects, clock, metrics.
