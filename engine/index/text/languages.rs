//! The language of a text in Latin letters, told by its function words, and which words of it say nothing.
//!
//! A text is in another language only where that is plain: `de`, `die` and `com` are names in English texts.

use rustc_hash::FxHashSet;

/// Languages in Latin letters that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Spanish.
    Spanish,
    /// French.
    French,
    /// Portuguese.
    Portuguese,
    /// German.
    German,
    /// Italian.
    Italian,
    /// Polish.
    Polish,
    /// Turkish.
    Turkish,
    /// Indonesian.
    Indonesian,
}

/// Bytes of the beginning of a text that tell its language.
const MAX_BYTES: usize = 4096;

/// Fewest different function words that tell a language.
const LEAST_WORDS: usize = 3;

/// Function words of English that others do not have.
#[rustfmt::skip]
const ENGLISH: [&str; 49] = [
    "and", "are", "as", "be", "been", "but", "by", "can", "could", "did", "does", "for", "from", "had", "has", "have", "how", "if",
    "into", "is", "it", "its", "not", "of", "on", "or", "our", "should", "than", "that", "the", "their", "then", "there", "these",
    "they", "this", "to", "was", "we", "were", "when", "which", "while", "why", "will", "with", "would", "you",
];

/// Function words of each language without their accents, those that say nothing of what a text is about.
#[rustfmt::skip]
const FUNCTION_WORDS: [(Language, &[&str]); 8] = [
    (Language::Spanish, &[
        "al", "algo", "aunque", "cada", "con", "cuando", "de", "del", "desde", "donde", "el", "ella", "en", "entre", "es", "esta", "estan",
        "este", "esto", "favor", "gracias", "ha", "hay", "hasta", "hola", "la", "las", "le", "lo", "los", "mas", "me", "mi", "muy", "nos",
        "nunca", "o", "para", "pero", "podrian", "por", "porque", "que", "se", "sin", "sobre", "su", "sus", "tambien", "un", "una", "y", "ya",
    ]),
    (Language::French, &[
        "ai", "au", "aussi", "aux", "avec", "avez", "bonjour", "c", "ce", "cela", "ces", "cet", "cette", "chez", "d", "dans", "de", "des",
        "du", "elle", "en", "est", "et", "fonctionne", "il", "ils", "j", "je", "l", "la", "le", "les", "leur", "mais", "merci", "n", "ne", "nous", "ou",
        "par", "pas", "peut", "pour", "pourquoi", "quand", "que", "qui", "s", "sa", "sans", "se", "ses", "son", "sont", "sur", "une", "un",
        "vous", "y",
    ]),
    (Language::Portuguese, &[
        "ao", "aos", "as", "com", "como", "da", "das", "de", "do", "dos", "e", "ela", "ele", "em", "entre", "essa", "esse", "esta", "este",
        "eu", "foi", "isso", "isto", "mais", "mas", "me", "muito", "na", "nao", "nas", "no", "nos", "o", "obrigado", "os", "ou", "para",
        "pela", "pelo", "por", "porque", "quando", "que", "se", "sem", "ser", "seu", "sua", "tambem", "tem", "um", "uma",
    ]),
    (Language::German, &[
        "aber", "als", "an", "auch", "auf", "aus", "bei", "bitte", "bis", "danke", "das", "dass", "dem", "den", "der", "des", "die", "dies",
        "diese", "dieser", "doch", "dort", "durch", "ein", "eine", "einem", "einen", "einer", "er", "es", "fur", "hat", "ich", "im", "in",
        "ist", "kann", "kein", "keine", "mit", "nach", "nicht", "nur", "oder", "sie", "sich", "sind", "so", "uber", "um", "und", "vom", "von",
        "vor", "was", "wenn", "werden", "wie", "wir", "wird", "wo", "zu", "zum", "zur",
    ]),
    (Language::Italian, &[
        "al", "alla", "anche", "che", "chi", "ci", "con", "cosa", "da", "dal", "dalla", "dei", "del", "della", "delle", "di", "e", "essere",
        "gli", "grazie", "i", "il", "in", "la", "le", "lo", "ma", "nel", "nella", "non", "per", "perche", "piu", "quando", "questa",
        "questo", "se", "si", "sono", "su", "sul", "sulla", "un", "una", "uno",
    ]),
    (Language::Polish, &[
        "a", "ale", "bo", "by", "byc", "byly", "czy", "dla", "do", "dziekuje", "gdy", "i", "jak", "jest", "jezeli", "jesli", "juz", "ktora",
        "ktore", "ktory", "lub", "ma", "moze", "na", "nie", "o", "od", "po", "pod", "prosze", "przez", "przy", "sa", "sie", "tam", "tego", "ten",
        "to", "tylko", "w", "wszystko", "z", "za", "ze",
    ]),
    (Language::Turkish, &[
        "ama", "bir", "bu", "cok", "da", "daha", "de", "degil", "gibi", "icin", "ile", "kadar", "lutfen", "mi", "mu", "ne", "neden", "nasil",
        "o", "olarak", "olan", "sonra", "su", "ve", "veya", "var", "yok", "zaman",
    ]),
    (Language::Indonesian, &[
        "ada", "adalah", "agar", "akan", "apa", "atau", "bisa", "dalam", "dan", "dari", "dengan", "di", "ini", "itu", "jika", "karena", "ke",
        "kenapa", "ketika", "mengapa", "pada", "saat", "saya", "sebagai", "sudah", "tetapi", "tidak", "tolong", "untuk", "yang",
    ]),
];

/// How many different function words of languages a text has.
pub struct Counts {
    /// Of English.
    pub english: usize,
    /// In the order of [`FUNCTION_WORDS`].
    others: [usize; FUNCTION_WORDS.len()],
}

impl Counts {
    /// Counts the words of the beginning of a text.
    pub fn new(text: &str) -> Self {
        let end = text.char_indices().map(|(at, _)| at).find(|at| *at >= MAX_BYTES).unwrap_or(text.len());
        let text = fold(&text[..end]);
        let words: FxHashSet<&str> = text.split(|letter: char| !letter.is_alphanumeric()).collect();
        let n_of = |list: &[&str]| list.iter().filter(|word| words.contains(**word)).count();
        Self { english: n_of(&ENGLISH), others: FUNCTION_WORDS.map(|(_, list)| n_of(list)) }
    }

    /// How many words of a language there are.
    pub fn of(&self, language: Language) -> usize {
        FUNCTION_WORDS.iter().position(|(other, _)| *other == language).map_or(0, |place| self.others[place])
    }
}

/// The language of a text other than English, where enough of its function words say so, and more than of English ones; of several with
/// as many the first.
pub fn language(text: &str) -> Option<Language> {
    let counts = Counts::new(text);
    let (most, language) =
        FUNCTION_WORDS.iter().rev().map(|(language, _)| (counts.of(*language), *language)).max_by_key(|(n, _)| *n)?;
    (most >= LEAST_WORDS && most > counts.english).then_some(language)
}

/// Whether a word says nothing in a text of this language.
pub(super) fn is_stop_word_of(language: Language, word: &str) -> bool {
    let word = fold(word);
    FUNCTION_WORDS.iter().any(|(other, list)| *other == language && list.contains(&word.as_str()))
}

/// A text in small letters without accents, vowel marks and the like, as tables of words are written.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars().flat_map(char::to_lowercase) {
        match letter {
            'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ą' => folded.push('a'),
            'ç' | 'ć' => folded.push('c'),
            'è' | 'é' | 'ê' | 'ë' | 'ę' => folded.push('e'),
            'ğ' => folded.push('g'),
            'ì' | 'í' | 'î' | 'ï' | 'ı' => folded.push('i'),
            'ł' => folded.push('l'),
            'ñ' | 'ń' => folded.push('n'),
            'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' => folded.push('o'),
            'ś' | 'ş' => folded.push('s'),
            'ß' => folded.push_str("ss"),
            'ù' | 'ú' | 'û' | 'ü' => folded.push('u'),
            'ź' | 'ż' => folded.push('z'),
            'œ' => folded.push_str("oe"),
            'ё' => folded.push('е'),
            'أ' | 'إ' | 'آ' => folded.push('ا'),
            'ى' => folded.push('ي'),
            '\u{95c}' => folded.push('ड'),
            '\u{95d}' => folded.push('ढ'),
            // Accents by themselves, vowel marks of Arabic, the dot below of Hindi and Bengali.
            '\u{300}'..='\u{36f}' | '\u{640}' | '\u{64b}'..='\u{652}' | '\u{93c}' | '\u{9bc}' => {}
            _ => folded.push(letter),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_told_only_where_it_is_plain() {
        let cases = [
            ("el timeout del gateway es demasiado corto", Some(Language::Spanish)),
            ("quand deux dépôts ne sont reliés par aucune route", Some(Language::French)),
            ("O readCookie quebra quando o valor do cookie tem um sinal", Some(Language::Portuguese)),
            ("wenn die Datei leer ist, kommt der Fehler", Some(Language::German)),
            ("il server non risponde quando la chiave è vuota", Some(Language::Italian)),
            ("Proszę to naprawić, etykiety były pisane i może tam być wszystko", Some(Language::Polish)),
            ("bu komut neden çok yavaş ve bir hata veriyor", Some(Language::Turkish)),
            ("tolong perbaiki kesalahan yang ada di server ini", Some(Language::Indonesian)),
            ("the com port and the de facto die of the des cipher", None),
            ("add de, fr and es to the list of locales", None),
            ("fix die y of es", None),
            ("corrige ValidateToken", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(language(text), expected, "{text}");
        }
    }

    #[test]
    fn accents_and_marks_fold_away() {
        assert_eq!(fold("Größe CÔTÉ Łódź cafe\u{301} ещё أَخْطَاء İ जोड़ें"), "grosse cote lodz cafe еще اخطاء i जोडें");
    }
}
