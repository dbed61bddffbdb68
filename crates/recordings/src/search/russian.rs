//! Russian stems: Snowball's, corrected where it parts forms of words that people look for.
//!
//! Snowball takes endings away and knows no word. It reads запись as a reflexive verb, does not know
//! that решат has the ending of говорят, and leaves звонок and звонка apart. A correction may throw
//! two words together that are far apart in use; it may not part forms that Snowball keeps together.
//!
//! **Invariant:** the first letter of a word stays.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use frostem::{Algorithm, Stemmer};

static SNOWBALL: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::new(Algorithm::Russian));

/// What is corrected; the file says how.
static CORRECTIONS: LazyLock<Corrections> =
    LazyLock::new(|| Corrections::read(include_str!("russian.txt")));

struct Corrections {
    words: HashMap<&'static str, &'static str>,
    endings: Vec<(&'static str, &'static str)>,
}

impl Corrections {
    fn read(text: &'static str) -> Self {
        let pairs = || text.lines().filter(|line| !line.starts_with('#'));
        let pairs = || pairs().filter_map(|line| line.split_once(' '));
        Self {
            words: pairs().filter(|(word, _)| !word.starts_with('*')).collect(),
            endings: pairs()
                .filter_map(|(ending, other)| Some((ending.strip_prefix('*')?, other)))
                .collect(),
        }
    }
}

/// The stem of a word in lower case, without accents and without ё.
pub(super) fn stem(word: &str) -> String {
    if let Some(stem) = CORRECTIONS.words.get(word) {
        return (*stem).to_owned();
    }
    let corrected = correct(word);
    let stem = SNOWBALL.stem(&corrected);
    without_fleeting(without_vowel(&stem))
}

fn correct(word: &str) -> Cow<'_, str> {
    let endings = &CORRECTIONS.endings;
    let ending =
        endings.iter().find_map(|(ending, other)| Some((word.strip_suffix(ending)?, other)));
    ending.map_or(word.into(), |(root, other)| format!("{root}{other}").into())
}

/// музе-й as муз-ея, слыша-ть as слыш-ит.
fn without_vowel(stem: &str) -> &str {
    let root = match stem.strip_suffix('а') {
        Some(root) if root.ends_with(['ж', 'ш', 'щ', 'ч']) => root,
        _ => stem.strip_suffix('е').unwrap_or(stem),
    };
    // Something has to be left.
    if root.chars().nth(1).is_some() { root } else { stem }
}

/// звонок as звонк-а, конец as конц-а, карточек as карточк-а.
fn without_fleeting(stem: &str) -> String {
    let mut letters = stem.char_indices().rev();
    let (Some((last, end)), Some((vowel, middle)), Some((_, before)), Some(_)) =
        (letters.next(), letters.next(), letters.next(), letters.next())
    else {
        return stem.to_owned();
    };
    let fleets = matches!((middle, end), ('о' | 'е', 'к') | ('е', 'ц'));
    let soft =
        matches!(before, 'а' | 'е' | 'и' | 'о' | 'у' | 'ы' | 'э' | 'ю' | 'я' | 'й' | 'ь' | 'ъ');
    if !fleets || soft {
        return stem.to_owned();
    }
    format!("{}{}", &stem[..vowel], &stem[last..])
}
