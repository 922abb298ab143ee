//! What is to be done, read from the first words of an intent.

mod languages;
mod phrases;
mod tables;

use super::scripts::{is_wide, words as pieces};
use activate_rules::weights::Verb;
use languages::{VerbReading, verb_reading};
use phrases::{denies, is_told, tells_of_fault, wish};

/// Words of the beginning among which a complaint is looked for.
const FIRST_WORDS: usize = 40;

/// Words from the verb on that say what is to be done: "add more tests", "make the parser faster".
const ASKED_WORDS: usize = 4;

/// Words of the beginning among which the verb is looked for, those that only ask aside.
const FIRST_OPENERS: usize = 3;

/// What begins a name in quotes.
const QUOTES: [char; 5] = ['`', '"', '\'', '“', '‘'];

/// What a word says when it opens the intent or is the type of a conventional commit.
const OPENERS: [(Verb, &[&str]); 9] = [
    (Verb::Fix, &["fix", "bugfix", "hotfix", "repair", "resolve", "correct", "debug", "handle", "prevent", "avoid", "revert"]),
    (Verb::Add, &["add", "feat", "feature", "implement", "support", "create", "introduce", "allow", "enable", "expose"]),
    (
        Verb::Refactor,
        &[
            "refactor",
            "rename",
            "move",
            "extract",
            "simplify",
            "restructure",
            "clean",
            "cleanup",
            "split",
            "merge",
            "style",
            "replace",
        ],
    ),
    (Verb::Explain, &["explain", "describe", "understand"]),
    (Verb::Test, &["test", "tests", "cover"]),
    (Verb::Review, &["review", "audit", "inspect", "verify"]),
    (Verb::Remove, &["remove", "delete", "drop", "deprecate"]),
    (Verb::Optimize, &["perf", "optimize", "optimise", "speed", "reduce"]),
    (Verb::Document, &["docs", "doc", "document", "documentation"]),
];

/// What makes a thing if one that is not there follows: "make a command", but "make suggestions case insensitive" changes what is there.
const MAKE: [&str; 3] = ["make", "makes", "making"];

/// What follows it where a new thing is meant.
const NEW: [&str; 4] = ["a", "an", "another", "new"];

/// What follows it, at some distance, where it is to be better at what it does.
const BETTER: [&str; 4] = ["faster", "quicker", "smaller", "cheaper"];

/// What is added where tests are.
const TESTS: [&str; 3] = ["test", "tests", "coverage"];

/// What a question begins with; later in a sentence these words only join clauses ("show a hint when ...").
const QUESTIONS: [&str; 3] = ["why", "how", "what"];

/// What begins a question or a clause.
const PLACES: [&str; 3] = ["where", "when", "which"];

/// What follows these in a question.
const AUXILIARIES: [&str; 8] = ["does", "do", "is", "are", "did", "was", "were", "will"];

/// Words that ask for something and do not say what.
const ASKING: [&str; 12] = ["please", "we", "i", "you", "need", "want", "would", "like", "should", "must", "can", "to"];

/// Words that may stand before a question and leave it one: "show me how ...", "please tell us why ...".
const BEFORE_QUESTIONS: [&str; 7] = ["show", "tell", "find", "me", "us", "out", "say"];

/// Words that complain wherever they stand, by how they begin.
const COMPLAINTS: [&str; 14] = [
    "panic",
    "crash",
    "fail",
    "broken",
    "bug",
    "error",
    "wrong",
    "leak",
    "hang",
    "deadlock",
    "incorrect",
    "regress",
    "exception",
    "flak",
];

/// The verb of an intent of this text; `has_trace` when it holds a stack trace.
pub(super) fn verb(text: &str, has_trace: bool) -> Verb {
    let words_of = |text: &'_ str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    // "please fix", "we should add": the second and third words count where the first says nothing.
    // `login_test.go:12` tests nothing.
    let is_name = |word: &str| {
        // The scope of `fix(http_client):` says nothing of its type.
        let word = word.split('(').next().unwrap_or_default();
        word.contains('_') || word.trim_end_matches(['.', '?', '!']).contains('.') || word.contains("::")
    };
    // Letters without blanks say what they say as a whole, unless the type of a commit stands before them.
    let other = if has_type(text) || !text.contains(is_wide) { None } else { verb_reading(text) };
    if let Some(VerbReading::Verb(verb)) = other.filter(|said| !has_trace || *said != VerbReading::Verb(Verb::Explain)) {
        return verb;
    }
    let unquoted = pieces(text).filter(|word| !word.starts_with(QUOTES) && !is_name(word));
    let asks = |word: &String| ASKING.contains(&word.as_str());
    let opening: Vec<String> = unquoted.flat_map(words_of).filter(|word| !asks(word)).take(FIRST_OPENERS).collect();
    let mut asked = opening.iter().map(String::as_str).skip_while(|word| BEFORE_QUESTIONS.contains(word));
    let (first, second) = (asked.next().unwrap_or_default(), asked.next().unwrap_or_default());
    // "When the token is empty, the server crashes" asks nothing.
    let is_question =
        QUESTIONS.contains(&first) || PLACES.contains(&first) && (text.contains('?') || AUXILIARIES.contains(&second));
    if is_question && !has_trace {
        return Verb::Explain;
    }
    let first_words: Vec<String> = pieces(text).flat_map(words_of).take(FIRST_WORDS).collect();
    let made = |at: usize| MAKE.contains(&opening[at].as_str()).then(|| of_make(&opening[at], &first_words)).flatten();
    let opened = (0..opening.len()).find_map(|at| Some((at, made(at).or_else(|| opener(&opening[at]))?)));
    if let Some((at, verb)) = opened.filter(|_| other.is_none()) {
        // "It drops messages", "`pr create` fails": what happens, not what is to be done.
        let is_told = is_told(text, &opening[at]) || at > 0 && tells_of_fault(text, &opening[at]);
        return if is_told { Verb::Fix } else { of_opener(verb, &opening[at], &first_words, has_trace) };
    }
    let complains = has_trace || first_words.iter().any(|word| is_complaint(word)) || denies(text) || tells_of_fault(text, "");
    if let Some(verb) = wish(&first_words).filter(|_| !complains && other.is_none()) {
        return verb;
    }
    match other.or_else(|| verb_reading(text)) {
        Some(VerbReading::Verb(verb)) if !has_trace || verb != Verb::Explain => verb,
        Some(VerbReading::Complaint) => Verb::Fix,
        Some(VerbReading::Open) if !has_trace => Verb::Other,
        _ if complains => Verb::Fix,
        _ => Verb::Other,
    }
}

/// What "make" says with the words after it, where it is not that something that is there becomes otherwise.
fn of_make(word: &str, first_words: &[String]) -> Option<Verb> {
    let asked = asked_from(word, first_words);
    let has = |list: &[&str]| asked.iter().any(|word| list.contains(word));
    let is_new = asked.get(1).is_some_and(|next| NEW.contains(next)) || has(&["possible"]);
    // Tests that are to pass, and what is to be better, are told from new things by their words.
    (is_new || has(&BETTER) || has(&TESTS)).then_some(Verb::Add)
}

/// A word and those after it that say what is asked for.
fn asked_from<'w>(word: &str, first_words: &'w [String]) -> Vec<&'w str> {
    first_words.iter().map(String::as_str).skip_while(|other| *other != word).take(ASKED_WORDS).collect()
}

/// What a word that opens a text says with the words after it.
fn of_opener(verb: Verb, word: &str, first_words: &[String], has_trace: bool) -> Verb {
    let asked = asked_from(word, first_words);
    let has = |list: &[&str]| asked.iter().any(|word| list.contains(word));
    match verb {
        Verb::Add if has(&TESTS) => Verb::Test,
        Verb::Add if has(&BETTER) => Verb::Optimize,
        // Reports begin with the tests that failed.
        Verb::Test if has_trace => Verb::Fix,
        verb => verb,
    }
}

/// Whether a text begins with the type of a conventional commit.
fn has_type(text: &str) -> bool {
    let head = text.trim_start();
    let end = head.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(head.len());
    opener(&head[..end]).is_some() && head[end..].starts_with([':', '(', '!'])
}

/// What a word says at the beginning, in its inflected forms too.
pub(super) fn opener(word: &str) -> Option<Verb> {
    let is = |stem: &str| {
        word.strip_prefix(stem).is_some_and(|rest| matches!(rest, "" | "s" | "es" | "ed" | "d" | "ing"))
            || stem.strip_suffix('e').and_then(|stem| word.strip_prefix(stem)) == Some("ing")
    };
    OPENERS.iter().find(|(_, stems)| stems.iter().any(|stem| is(stem))).map(|(verb, _)| *verb)
}

fn is_complaint(word: &str) -> bool {
    COMPLAINTS.iter().any(|complaint| word.starts_with(complaint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verb_is_the_first_word_that_says_what_to_do() {
        let cases = [
            ("fix ValidateToken", Verb::Fix),
            ("feat(logger): ability to skip logs", Verb::Add),
            ("Please refactor the store", Verb::Refactor),
            ("gh pr create fails with a bare message", Verb::Fix),
            ("tokens: add a retry when the login fails", Verb::Add),
            ("fd --exec-batch omits the first result", Verb::Fix),
            ("src/auth/login.go:45 panics on empty token", Verb::Fix),
            ("login_test.go:45: Login() = nil, wanted an error", Verb::Fix),
            ("why does parse_token fail?", Verb::Explain),
            ("fix(http_client): empty header", Verb::Fix),
            ("When the header is empty the server crashes", Verb::Fix),
            ("where are tokens parsed", Verb::Explain),
            ("Show me how tokens are parsed", Verb::Explain),
            ("show a hint when a token is old", Verb::Other),
            ("check for existence of the file", Verb::Other),
            ("we need to remove the cookie", Verb::Remove),
            ("add unit tests for the cookie", Verb::Test),
            ("make the parser faster", Verb::Optimize),
            ("we are removing the cookie", Verb::Remove),
            ("removing the cookie", Verb::Remove),
            ("docs: say what a token is", Verb::Document),
            ("the banner cuts long messages", Verb::Other),
            ("`handle` sorts rows", Verb::Other),
            ("`handle` loses rows", Verb::Fix),
            ("\"test\" fails on Windows", Verb::Fix),
            ("handle timeouts in `fix`", Verb::Fix),
            ("rg crashes when the file is empty", Verb::Fix),
            ("", Verb::Other),
        ];
        for (text, expected) in cases {
            assert_eq!(verb(text, false), expected, "{text}");
        }
        assert_eq!(verb("main.main()", true), Verb::Fix);
        assert_eq!(verb("test result: 1 failed", true), Verb::Fix);
    }

    #[test]
    fn wishes_and_complaints_are_told_from_what_happens() {
        let cases = [
            ("The listener does not detach", Verb::Fix),
            ("It doesn't behave like the docs say", Verb::Fix),
            ("Config reload no longer works", Verb::Fix),
            ("Users should not see the token", Verb::Fix),
            ("The --quiet flag is ignored. Version 3.", Verb::Fix),
            ("Unable to open the file", Verb::Fix),
            ("It drops messages", Verb::Fix),
            ("drops rows", Verb::Fix),
            ("drop support for Go 1.20", Verb::Remove),
            ("Drops support for Go 1.20", Verb::Remove),
            ("this removes the cookie", Verb::Remove),
            ("Make suggestions case insensitive", Verb::Other),
            ("make a command that lists tokens", Verb::Add),
            ("make the server faster", Verb::Optimize),
            ("make the tests pass", Verb::Test),
            ("Feature request: limit the number of results", Verb::Add),
            ("Support multiple types", Verb::Add),
            ("It would be nice to limit the results", Verb::Add),
            ("Is it possible to remove a token?", Verb::Remove),
            ("I would like to report something", Verb::Other),
            ("ability to skip logs", Verb::Add),
            ("Make sure that rows stay", Verb::Other),
            ("comment out the banner", Verb::Other),
            ("the com port and the de facto die", Verb::Other),
        ];
        for (text, expected) in cases {
            assert_eq!(verb(text, false), expected, "{text}");
        }
    }

    #[test]
    fn the_verb_is_read_in_many_languages() {
        let cases = [
            ("修复logger的错误输出，应该写到stderr", Verb::Fix),
            ("请问ValidateToken为什么不缓存结果？每次请求都要重新验证签名", Verb::Explain),
            ("希望logger能支持全局字段", Verb::Add),
            ("添加错误处理", Verb::Add),
            ("添加失败", Verb::Fix),
            ("无法删除日志", Verb::Fix),
            ("如何添加新的存储", Verb::Explain),
            ("重构auth模块", Verb::Refactor),
            ("删除旧的cookie", Verb::Remove),
            ("添加的字段很长", Verb::Other),
            ("feat: 添加修复按钮", Verb::Add),
            ("ParcelWatcherのfollowを二回呼ぶと更新が二重に届くバグを直してください", Verb::Fix),
            ("なぜトークンは期限切れになるのか", Verb::Explain),
            ("エラーメッセージを追加してください", Verb::Add),
            ("ファイルを削除できない", Verb::Fix),
            ("未使用の関数を削除", Verb::Remove),
            ("Test が失敗する", Verb::Fix),
            ("로그인 화면이 느립니다. shorten 함수를 수정해 주세요.", Verb::Fix),
            ("왜 토큰이 만료되나요?", Verb::Explain),
            ("재시도 옵션을 추가해 주세요", Verb::Add),
            ("파일을 삭제할 수 없습니다", Verb::Fix),
            ("ช่วยแก้priceOfให้หน่อยครับ", Verb::Fix),
            ("Hallo zusammen,\n\nbehebt bitte den Fehler in LoadKeys: wenn die Datei leer ist", Verb::Fix),
            ("Warum schlägt der Login fehl?", Verb::Explain),
            ("Wie funktioniert der Cache?", Verb::Explain),
            ("Bitte eine Option hinzufügen, mit der man Zeilen überspringt", Verb::Add),
            ("Der Server stürzt beim Löschen ab", Verb::Fix),
            ("Fehler beim Hinzufügen eines Tokens", Verb::Other),
            ("Corrige el error en ValidateToken", Verb::Fix),
            ("¿Por qué falla parseToken?", Verb::Explain),
            ("¿Cómo agrego un campo?", Verb::Explain),
            ("Agrega una opción para el registro", Verb::Add),
            ("El servidor no elimina los tokens", Verb::Other),
            ("el timeout del gateway es demasiado corto", Verb::Other),
            ("Pourquoi la route est-elle vide ?", Verb::Explain),
            ("Comment fonctionne le cache ?", Verb::Explain),
            ("Supprimez le vieux cookie", Verb::Remove),
            ("Pourriez-vous corriger cela ?", Verb::Fix),
            ("Adicione um campo ao registro", Verb::Add),
            ("O readCookie quebra quando o valor tem um sinal de igual", Verb::Fix),
            ("Как работает кэш?", Verb::Explain),
            ("Исправьте, пожалуйста, ошибку в Ledger.Post: при балансе на лимите", Verb::Fix),
            ("Добавь обработку ошибок", Verb::Add),
            ("После обновления сервер падает", Verb::Fix),
            ("Токен не удалить", Verb::Other),
            ("أصلح الخطأ في ValidateToken", Verb::Fix),
            ("لماذا يفشل الخادم؟", Verb::Explain),
            ("أضف خيارا جديدا", Verb::Add),
            ("ValidateToken को ठीक करें", Verb::Fix),
            ("टोकन क्यों विफल होता है?", Verb::Explain),
            ("एक नया विकल्प जोड़ें", Verb::Add),
            ("ValidateToken ঠিক করুন", Verb::Fix),
            ("Proszę to naprawić, etykiety były pisane ręcznie", Verb::Fix),
            ("Aggiungi un campo al registro", Verb::Add),
            ("Perché il server non risponde?", Verb::Explain),
            ("tolong perbaiki server ini", Verb::Fix),
            ("Sunucu neden yavaş?", Verb::Explain),
            ("giriş hatasını düzelt", Verb::Fix),
        ];
        for (text, expected) in cases {
            assert_eq!(verb(text, false), expected, "{text}");
        }
        assert_eq!(verb("После обновления сервер падает", true), Verb::Fix);
        assert_eq!(verb("为什么", true), Verb::Fix);
    }

    #[test]
    fn any_text_has_a_verb_in_bounded_time() {
        for text in
            ["修复".repeat(100_000), "添加，".repeat(100_000), "ne ".repeat(100_000), "ü.".repeat(100_000), "не".to_owned()]
        {
            verb(&text, false);
            verb(&text, true);
        }
    }
}
