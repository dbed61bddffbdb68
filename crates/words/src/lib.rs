//! Every sentence a person reads, in Russian and English.
