//! Russian stems: Snowball's, corrected where it parts forms of words that people look for.
//!
//! Snowball takes endings away and knows no word. It reads запись as a reflexive verb, does not know
//! that решат has the ending of говорят, and leaves звонок and звонка apart. A correction may throw
//! two words together that are far apart in use; it may not part forms that Snowball keeps together.
//!
//! **Invariant:** the first letter of a word stays.

use std::borrow::Cow;
use std::sync::LazyLock;

use frostem::{Algorithm, Stemmer};

static SNOWBALL: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::new(Algorithm::Russian));

/// Forms whose stem changes in the middle, of words that are in every second conversation.
const FORMS: [(&str, &str); 23] = [
    ("день", "дн"),
    ("дня", "дн"),
    ("дню", "дн"),
    ("днем", "дн"),
    ("дне", "дн"),
    ("дни", "дн"),
    ("дней", "дн"),
    ("дням", "дн"),
    ("днями", "дн"),
    ("днях", "дн"),
    ("время", "времен"),
    ("времен", "времен"),
    ("имен", "имен"),
    ("времена", "времен"),
    ("имена", "имен"),
    ("имя", "имен"),
    ("денег", "деньг"),
    ("писем", "письм"),
    ("копеек", "копейк"),
    ("сделок", "сделк"),
    ("окон", "окн"),
    ("чат", "чат"),
    ("видеочат", "видеочат"),
];

/// The stem of a word in lower case, without accents and without ё.
pub(super) fn stem(word: &str) -> String {
    if let Some((_, stem)) = FORMS.iter().find(|(form, _)| *form == word) {
        return (*stem).to_owned();
    }
    let corrected = correct(word);
    let stem = SNOWBALL.stem(&corrected);
    without_fleeting(without_vowel(&stem))
}

fn correct(word: &str) -> Cow<'_, str> {
    // Nouns, and no reflexive verbs: запись, подпись, примесь.
    if word.ends_with("пись") || word.ends_with("месь") {
        return word.trim_end_matches('ь').into();
    }
    // Behind a hushing sound the third person ends in ат: решат, слышат.
    match word.strip_suffix("ат") {
        Some(root) if root.ends_with(['ж', 'ш', 'щ', 'ч']) => format!("{root}ят").into(),
        _ => word.into(),
    }
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
    if !fleets || "аеиоуыэюяйьъ".contains(before) {
        return stem.to_owned();
    }
    format!("{}{}", &stem[..vowel], &stem[last..])
}
