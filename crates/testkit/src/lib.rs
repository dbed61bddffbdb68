//! Development only: the test world, the test clock, scripted peers.
