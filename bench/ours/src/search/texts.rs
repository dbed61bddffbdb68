//! Recordings as people might have them: words by Zipf's law with Russian and English endings,
//! lengths from a note of a few words to a lecture of two hours, four owners of very different size.

use verst_recordings::transcript::Segment;

/// Different words of each language.
const WORDS: f64 = 50_000.0;
/// In every second of the oldest third of the recordings and in none since.
pub const ARCHIVED: &str = "архивариус";

/// Chance that is the same in every run.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// From 0 to 1.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tongue {
    Russian,
    English,
}

/// The word of that place among the frequent ones, without an ending.
pub fn root(tongue: Tongue, rank: u64) -> String {
    let (consonants, vowels) = match tongue {
        Tongue::Russian => ("бвгджзклмнпрстфхцчш", "аоиу"),
        Tongue::English => ("bcdfghklmnprstvw", "aoiu"),
    };
    let (consonants, vowels): (Vec<char>, Vec<char>) =
        (consonants.chars().collect(), vowels.chars().collect());
    let mut chance = Chance::new(rank + 7);
    // What is said often is short.
    let syllables = 1 + (rank + 1).ilog10().min(3);
    let mut word = String::new();
    for _ in 0..syllables {
        word.push(consonants[chance.below(consonants.len() as u64) as usize]);
        word.push(vowels[chance.below(vowels.len() as u64) as usize]);
    }
    word.push(consonants[chance.below(consonants.len() as u64) as usize]);
    word
}

fn said(tongue: Tongue, chance: &mut Chance) -> String {
    let rank = (chance.share() * (WORDS + 1.0).ln()).exp() as u64 - 1;
    let endings: &[&str] = match tongue {
        Tongue::Russian => &["", "а", "у", "ом", "е", "ы", "ов", "ами"],
        Tongue::English => &["", "", "s", "ed", "ing"],
    };
    root(tongue, rank) + endings[chance.below(endings.len() as u64) as usize]
}

/// Half of them have 120 words or fewer, one in a hundred some four thousand.
fn length(chance: &mut Chance) -> usize {
    let normal = (0..12).map(|_| chance.share()).sum::<f64>() - 6.0;
    ((120.0 * (1.5 * normal).exp()) as usize).clamp(3, 18_000)
}

/// What is said in a recording: segments of about a dozen words.
pub fn segments(id: i64, of: i64) -> Vec<Segment> {
    let mut chance = Chance::new(id as u64);
    let words = length(&mut chance);
    spoken(id, words, id < of / 3 && id % 2 == 0)
}

/// So many words.
pub fn spoken(id: i64, words: usize, archived: bool) -> Vec<Segment> {
    let mut chance = Chance::new(id as u64);
    let tongue = if chance.share() < 0.75 { Tongue::Russian } else { Tongue::English };
    let mut segments = Vec::new();
    let mut left = words;
    while left > 0 {
        let count = left.min(8 + chance.below(9) as usize);
        let mut text: Vec<String> = (0..count).map(|_| said(tongue, &mut chance)).collect();
        if archived && segments.is_empty() {
            text.push(ARCHIVED.to_owned());
        }
        let start_ms = segments.len() as u64 * 5000;
        let text = text.join(" ") + ".";
        segments.push(Segment { start_ms, end_ms: start_ms + 5000, text, speaker: None });
        left -= count;
    }
    segments
}

/// Whose it is.
pub fn owner(id: i64) -> &'static str {
    match Chance::new(id as u64 + 1_000_003).below(1000) {
        0..600 => "anna",
        600..900 => "boris",
        900..990 => "vera",
        _ => "gleb",
    }
}
