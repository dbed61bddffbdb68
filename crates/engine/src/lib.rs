//! The recogniser process: the only room that links C++.
