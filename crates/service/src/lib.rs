//! Use cases shared by every face: submit, list, inspect, stop, lift.
