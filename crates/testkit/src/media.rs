//! Real bytes of a real sound, made here, so that a test needs no file.

/// A WAV file: a tone of one channel at 16 kHz.
pub fn tone(seconds: u32) -> Vec<u8> {
    const RATE: u32 = 16_000;
    let bytes = seconds * RATE * 2;
    let mut wav = Vec::new();
    wav.extend_from_slice(b"RIFF");
    wav.extend_from_slice(&(36 + bytes).to_le_bytes());
    wav.extend_from_slice(b"WAVEfmt ");
    wav.extend_from_slice(&16_u32.to_le_bytes());
    wav.extend_from_slice(&1_u16.to_le_bytes());
    wav.extend_from_slice(&1_u16.to_le_bytes());
    wav.extend_from_slice(&RATE.to_le_bytes());
    wav.extend_from_slice(&(RATE * 2).to_le_bytes());
    wav.extend_from_slice(&2_u16.to_le_bytes());
    wav.extend_from_slice(&16_u16.to_le_bytes());
    wav.extend_from_slice(b"data");
    wav.extend_from_slice(&bytes.to_le_bytes());
    for n in 0..seconds * RATE {
        let sample: i16 = if n / 20 % 2 == 0 { 6000 } else { -6000 };
        wav.extend_from_slice(&sample.to_le_bytes());
    }
    wav
}
