//! Words that say what is to be done, in languages other than English.
//!
//! Words are folded as [`index::text::fold`] does; `*` stands for any ending, a blank for any number of blanks. Forms that only tell what
//! happened ("removed", "beim Entfernen") are left out where the language tells them apart.

use activate_rules::weights::Verb;
use index::text::Language;

/// The words of one language that parts words by blanks.
pub(super) struct Spaced {
    /// The language, where its letters alone do not tell it.
    pub(super) language: Option<Language>,
    /// What begins a question.
    pub(super) questions: &'static [&'static str],
    /// Whether a question has its word anywhere.
    pub(super) asks_anywhere: bool,
    /// What says what to do.
    pub(super) verbs: &'static [(Verb, &'static [&'static str])],
    /// What says that something does not work.
    pub(super) failures: &'static [&'static str],
    /// Nouns that a complaint has, and many a request too.
    pub(super) faults: &'static [&'static str],
    /// What denies the word after it.
    pub(super) denials: &'static [&'static str],
}

#[rustfmt::skip]
pub(super) const SPACED: [Spaced; 12] = [
    Spaced {
        language: Some(Language::Spanish), asks_anywhere: false,
        questions: &["por que", "como", "que hace", "donde", "cuando", "cual"],
        verbs: &[
            (Verb::Fix, &["corrige", "corregir", "corrija", "corrijan", "arregla", "arreglar", "arregle", "repara", "reparar", "soluciona", "solucionar", "resuelve", "resolver"]),
            (Verb::Add, &["agrega", "agregar", "agregue", "anade", "anadir", "anada", "implementa", "implementar", "crea", "crear", "soportar", "permitir", "seria bueno", "me gustaria que"]),
            (Verb::Remove, &["elimina", "eliminar", "elimine", "quita", "quitar", "borra", "borrar"]),
            (Verb::Refactor, &["refactoriza", "refactorizar", "renombra", "renombrar", "simplifica", "simplificar", "reemplaza", "reemplazar"]),
            (Verb::Explain, &["explica", "explicar", "explique", "explicame"]),
            (Verb::Optimize, &["optimiza", "optimizar", "acelera", "acelerar"]),
            (Verb::Document, &["documenta", "documentar"]),
            (Verb::Review, &["revisa", "revisar"]),
        ],
        failures: &["falla", "fallan", "fallo al", "se rompe", "se cuelga", "revienta", "no funciona", "no funcionan", "deja de funcionar"],
        faults: &["error", "errores", "fallo", "fallos"], denials: &["no", "nunca"],
    },
    Spaced {
        language: Some(Language::French), asks_anywhere: false,
        questions: &["pourquoi", "comment", "ou est", "que fait", "qu est ce"],
        verbs: &[
            (Verb::Fix, &["corrige", "corriger", "corrigez", "repare", "reparer", "reparez", "resoudre", "resous", "resolvez"]),
            (Verb::Add, &["ajoute", "ajouter", "ajoutez", "implementer", "implemente", "implementez", "permettre", "creer", "cree"]),
            (Verb::Remove, &["supprime", "supprimer", "supprimez", "enleve", "enlever", "enlevez", "retirer", "retire"]),
            (Verb::Refactor, &["refactoriser", "refactorise", "renomme", "renommer", "renommez", "simplifie", "simplifier", "remplace", "remplacer"]),
            (Verb::Explain, &["explique", "expliquer", "expliquez"]),
            (Verb::Optimize, &["optimiser", "optimisez", "accelerer", "accelere"]),
            (Verb::Document, &["documenter", "documentez"]),
            (Verb::Review, &["verifie", "verifier", "verifiez"]),
        ],
        failures: &["plante", "plantent", "echoue", "echouent", "ne fonctionne", "ne fonctionnent", "ne marche", "ne marchent"],
        faults: &["erreur", "erreurs", "bogue", "panne"], denials: &["ne", "n"],
    },
    Spaced {
        language: Some(Language::Portuguese), asks_anywhere: false,
        questions: &["por que", "porque", "como", "o que", "onde", "quando", "qual"],
        verbs: &[
            (Verb::Fix, &["corrija", "corrige", "corrigir", "conserte", "consertar", "arrume", "arrumar", "resolva", "resolver"]),
            (Verb::Add, &["adicione", "adiciona", "adicionar", "acrescente", "acrescentar", "implemente", "implementar", "crie", "criar", "permitir", "seria bom"]),
            (Verb::Remove, &["remova", "remove", "remover", "exclua", "excluir", "apague", "apagar", "elimine", "eliminar"]),
            (Verb::Refactor, &["refatore", "refatorar", "refactorize", "renomeie", "renomear", "simplifique", "simplificar", "substitua", "substituir"]),
            (Verb::Explain, &["explique", "explica", "explicar"]),
            (Verb::Optimize, &["otimize", "otimizar", "acelere", "acelerar"]),
            (Verb::Document, &["documente", "documentar"]),
            (Verb::Review, &["revise", "revisar", "verifique"]),
        ],
        failures: &["quebra", "quebram", "falha ao", "falham", "trava", "nao funciona", "nao funcionam", "para de funcionar"],
        faults: &["erro", "erros", "falha", "falhas"], denials: &["nao", "nunca"],
    },
    Spaced {
        language: Some(Language::German), asks_anywhere: false,
        questions: &["warum", "wieso", "weshalb", "wie", "wo wird", "wo ist", "wo werden", "was macht", "was tut"],
        verbs: &[
            (Verb::Fix, &["behebe", "behebt", "beheben", "behoben werden", "korrigiere", "korrigieren", "korrigiert bitte", "repariere", "reparieren", "lose das problem"]),
            (Verb::Add, &["hinzufugen", "fuge", "erganze", "erganzen", "implementiere", "implementieren", "erstelle", "erstellen", "unterstutze", "unterstutzen", "funktionswunsch", "schon ware", "ware schon"]),
            (Verb::Remove, &["entferne", "entfernen", "losche", "loschen"]),
            (Verb::Refactor, &["refaktoriere", "refaktorieren", "refactore", "umbenennen", "benenne", "vereinfache", "vereinfachen", "ersetze", "ersetzen"]),
            (Verb::Explain, &["erklare", "erklar", "erklaren", "erlautere"]),
            (Verb::Optimize, &["optimiere", "optimieren", "beschleunige", "beschleunigen"]),
            (Verb::Document, &["dokumentiere", "dokumentieren"]),
            (Verb::Review, &["uberprufe", "uberprufen", "prufe"]),
        ],
        failures: &["sturzt", "absturz", "absturze", "schlagt fehl", "schlagen fehl", "funktioniert nicht", "geht nicht", "fehlgeschlagen", "abgesturzt"],
        faults: &["fehler*", "kaputt"], denials: &["nicht", "nie", "beim", "nach dem", "kein", "keine"],
    },
    Spaced {
        language: Some(Language::Italian), asks_anywhere: false,
        questions: &["perche", "come", "cosa fa", "dove", "quando"],
        verbs: &[
            (Verb::Fix, &["correggi", "correggere", "correggete", "sistema", "sistemare", "ripara", "riparare", "risolvi", "risolvere"]),
            (Verb::Add, &["aggiungi", "aggiungere", "aggiungete", "implementa", "implementare", "crea", "creare"]),
            (Verb::Remove, &["rimuovi", "rimuovere", "elimina", "eliminare", "togli", "togliere"]),
            (Verb::Refactor, &["rifattorizza", "rinomina", "rinominare", "semplifica", "semplificare", "sostituisci", "sostituire"]),
            (Verb::Explain, &["spiega", "spiegare", "spiegami"]),
            (Verb::Optimize, &["ottimizza", "ottimizzare", "velocizza"]),
        ],
        failures: &["fallisce", "falliscono", "non funziona", "non funzionano", "si blocca", "va in crash"],
        faults: &["errore", "errori", "guasto"], denials: &["non"],
    },
    Spaced {
        language: Some(Language::Polish), asks_anywhere: false,
        questions: &["dlaczego", "jak", "czemu", "gdzie"],
        verbs: &[
            (Verb::Fix, &["napraw", "naprawic", "naprawcie", "popraw", "poprawic"]),
            (Verb::Add, &["dodaj", "dodac", "zaimplementuj", "zaimplementowac"]),
            (Verb::Remove, &["usun", "usunac", "skasuj"]),
            (Verb::Refactor, &["zrefaktoryzuj", "zmien nazwe", "uprosc"]),
            (Verb::Explain, &["wyjasnij", "wyjasnic", "wytlumacz"]),
            (Verb::Optimize, &["zoptymalizuj", "przyspiesz"]),
        ],
        failures: &["nie dziala", "nie dzialaja", "wywala sie", "zawiesza sie", "pada"],
        faults: &["blad", "bledy", "awaria"], denials: &["nie"],
    },
    Spaced {
        language: Some(Language::Turkish), asks_anywhere: true,
        questions: &["neden", "nasil", "nicin"],
        verbs: &[
            (Verb::Fix, &["duzelt", "duzeltin", "duzeltir", "onar", "gider"]),
            (Verb::Add, &["ekle", "ekleyin", "ekler misin"]),
            (Verb::Remove, &["kaldir", "kaldirin", "sil", "silin"]),
            (Verb::Explain, &["acikla", "aciklayin"]),
        ],
        failures: &["calismiyor", "cokuyor", "basarisiz", "hata veriyor"],
        faults: &["hata", "hatasi", "hatalar"], denials: &[],
    },
    Spaced {
        language: Some(Language::Indonesian), asks_anywhere: false,
        questions: &["mengapa", "kenapa", "bagaimana"],
        verbs: &[
            (Verb::Fix, &["perbaiki", "memperbaiki"]),
            (Verb::Add, &["tambahkan", "menambahkan", "tambah"]),
            (Verb::Remove, &["hapus", "menghapus", "hilangkan"]),
            (Verb::Explain, &["jelaskan", "menjelaskan"]),
        ],
        failures: &["gagal", "tidak berfungsi", "tidak bisa", "rusak"],
        faults: &["kesalahan", "galat"], denials: &["tidak", "jangan"],
    },
    Spaced {
        // Russian.
        language: None, asks_anywhere: false,
        questions: &["почему", "зачем", "как", "где", "что делает"],
        verbs: &[
            (Verb::Fix, &["исправь", "исправьте", "исправить", "почини", "почините", "починить", "устрани", "устранить"]),
            (Verb::Add, &["добавь", "добавьте", "добавить", "реализуй", "реализуйте", "реализовать", "создай", "создать", "внедрить"]),
            (Verb::Remove, &["удали", "удалите", "удалить", "убери", "уберите", "убрать"]),
            (Verb::Refactor, &["отрефактори", "отрефакторить", "переименуй", "переименуйте", "переименовать", "упрости", "упростить", "замени", "заменить", "перенеси"]),
            (Verb::Explain, &["объясни", "объясните", "объяснить", "опиши", "опишите"]),
            (Verb::Optimize, &["оптимизируй", "оптимизировать", "ускорь", "ускорить"]),
            (Verb::Document, &["задокументируй", "задокументировать"]),
            (Verb::Review, &["проверь", "проверьте", "проверить"]),
        ],
        failures: &["падает", "падают", "не работает", "не работают", "ломается", "сломан*", "зависает", "сбой", "паникует"],
        faults: &["ошибк*", "баг", "бага", "баги"], denials: &["не", "нельзя", "невозможно", "при"],
    },
    Spaced {
        // Arabic.
        language: None, asks_anywhere: false,
        questions: &["لماذا", "كيف", "ماذا", "اين"],
        verbs: &[
            (Verb::Fix, &["اصلح", "اصلاح", "صحح", "تصحيح"]),
            (Verb::Add, &["اضف", "اضافة", "انشئ", "انشاء"]),
            (Verb::Remove, &["احذف", "حذف", "ازل", "ازالة"]),
            (Verb::Refactor, &["اعد هيكلة", "اعادة هيكلة", "اعد تسمية", "اعادة تسمية"]),
            (Verb::Explain, &["اشرح", "شرح", "وضح"]),
        ],
        failures: &["يتعطل", "تعطل", "يفشل", "فشل", "لا يعمل", "لا تعمل"],
        faults: &["خطا", "الخطا", "اخطاء", "مشكلة"], denials: &["لا", "لم", "لن", "عند", "لا يمكن"],
    },
    Spaced {
        // Hindi.
        language: None, asks_anywhere: true,
        questions: &["क्यों", "कैसे"],
        verbs: &[
            (Verb::Fix, &["ठीक करें", "ठीक करो", "ठीक कीजिए", "ठीक कर", "सुधारें", "सुधारो"]),
            (Verb::Add, &["जोडें", "जोडो", "जोडिए", "जोडना"]),
            (Verb::Remove, &["हटाएं", "हटाओ", "हटाएँ", "हटा दें", "हटाइए"]),
            (Verb::Explain, &["समझाएं", "समझाएँ", "समझाओ", "बताएं", "बताएँ"]),
        ],
        failures: &["क्रैश", "विफल", "काम नहीं", "टूट"],
        faults: &["त्रुटि", "गलती", "बग"], denials: &["नहीं", "मत"],
    },
    Spaced {
        // Bengali.
        language: None, asks_anywhere: true,
        questions: &["কেন", "কিভাবে", "কীভাবে"],
        verbs: &[
            (Verb::Fix, &["ঠিক করুন", "ঠিক কর", "সমাধান করুন"]),
            (Verb::Add, &["যোগ করুন", "যোগ কর"]),
            (Verb::Remove, &["সরান", "মুছুন", "মুছে ফেলুন"]),
            (Verb::Explain, &["ব্যাখ্যা করুন"]),
        ],
        failures: &["ক্র্যাশ", "ব্যর্থ", "কাজ করছে না", "কাজ করে না"],
        faults: &["ত্রুটি", "বাগ"], denials: &[],
    },
];

/// The pieces of words of one language that parts words by no blanks, or joins particles to them.
pub(super) struct Unspaced {
    pub(super) questions: &'static [&'static str],
    pub(super) verbs: &'static [(Verb, &'static [&'static str])],
    /// What follows a verb that only tells when or what: "the added field", "when removing".
    pub(super) told: &'static [&'static str],
    /// What says that something does not work.
    pub(super) failures: &'static [&'static str],
    pub(super) faults: &'static [&'static str],
    /// Whether the verb that counts is the last one: it ends the sentence.
    pub(super) is_verb_last: bool,
}

#[rustfmt::skip]
pub(super) const CHINESE: Unspaced = Unspaced {
    questions: &["为什么", "為什麼", "为何", "怎么", "怎麼", "如何", "是什么", "什么意思"],
    verbs: &[
        (Verb::Fix, &["修复", "修復", "修正", "解决", "解決", "修一下"]),
        (Verb::Add, &["添加", "新增", "增加", "实现", "實現", "支持", "支援", "加上", "希望能", "加入"]),
        (Verb::Remove, &["删除", "刪除", "移除", "去掉"]),
        (Verb::Refactor, &["重构", "重構", "重命名", "简化", "簡化", "替换为", "拆分"]),
        (Verb::Explain, &["解释", "解釋", "说明一下", "讲解", "介绍一下"]),
        (Verb::Optimize, &["优化", "優化", "加快", "提升性能"]),
        (Verb::Document, &["编写文档", "补充文档", "完善文档"]),
        (Verb::Test, &["编写测试", "添加测试", "增加测试", "补充测试", "单元测试"]),
        (Verb::Review, &["审查", "审核代码"]),
    ],
    told: &["的", "了", "后", "後", "时", "時", "过", "過", "失", "不", "之后"],
    failures: &["无法", "無法", "不能", "没法", "崩溃", "崩潰", "失败", "失敗", "报错", "報錯", "不工作", "不生效", "卡死", "出错", "丢失", "不起作用"],
    faults: &["错误", "錯誤", "异常", "異常", "泄漏", "死锁", "缺陷"],
    is_verb_last: false,
};

#[rustfmt::skip]
pub(super) const JAPANESE: Unspaced = Unspaced {
    questions: &["なぜ", "何故", "どうして", "どのように", "どうやって", "どうすれば", "どこで", "どこに"],
    verbs: &[
        (Verb::Fix, &["修正", "直して", "直す", "直し", "解決", "治して"]),
        (Verb::Add, &["追加", "実装", "対応して", "サポートして", "新規作成", "できるように"]),
        (Verb::Remove, &["削除", "取り除", "除去"]),
        (Verb::Refactor, &["リファクタ", "リネーム", "名前を変更", "整理して", "置き換え", "分割して"]),
        (Verb::Explain, &["説明", "教えて", "解説"]),
        (Verb::Optimize, &["最適化", "高速化"]),
        (Verb::Document, &["ドキュメントを書", "文書化"]),
        (Verb::Test, &["テストを追加", "テストを書"]),
        (Verb::Review, &["レビュー"]),
    ],
    told: &["した", "すると", "する時", "するとき", "しても", "後", "時", "され", "できな", "でき", "中", "済", "に失敗", "が失敗", "処理", "を呼"],
    failures: &["できない", "できません", "失敗", "クラッシュ", "動かない", "動作しない", "動きません", "落ちる", "エラーにな", "エラーが", "壊れ", "固まる"],
    faults: &["エラー", "バグ", "不具合", "例外", "障害"],
    is_verb_last: true,
};

#[rustfmt::skip]
pub(super) const KOREAN: Unspaced = Unspaced {
    questions: &["왜", "어떻게", "무엇", "어디서", "어디에서"],
    verbs: &[
        (Verb::Fix, &["수정", "고쳐", "고치", "해결"]),
        (Verb::Add, &["추가", "구현", "지원해", "지원하도록"]),
        (Verb::Remove, &["삭제", "제거"]),
        (Verb::Refactor, &["리팩토링", "리팩터링", "이름을 변경", "이름 변경", "단순화"]),
        (Verb::Explain, &["설명", "알려"]),
        (Verb::Optimize, &["최적화", "빠르게"]),
        (Verb::Document, &["문서화"]),
        (Verb::Test, &["테스트를 추가", "테스트 추가", "테스트를 작성", "테스트 작성"]),
        (Verb::Review, &["검토", "리뷰"]),
    ],
    told: &["한 ", "할 때", "하면", "했", "된", "되", "하는 ", "후", " 후", " 시 ", "할 수 없", "하지 ", " 기능", " 버튼"],
    failures: &["안 됩", "안됩", "안 돼", "안돼", "할 수 없", "하지 않", "되지 않", "실패", "크래시", "멈춥", "멈춤", "죽습", "오류가", "에러가"],
    faults: &["오류", "에러", "버그", "예외"],
    is_verb_last: true,
};

#[rustfmt::skip]
pub(super) const THAI: Unspaced = Unspaced {
    questions: &["ทำไม", "อย่างไร", "ยังไง"],
    verbs: &[
        (Verb::Fix, &["แก้"]),
        (Verb::Add, &["เพิ่ม"]),
        (Verb::Remove, &["ลบ"]),
        (Verb::Explain, &["อธิบาย"]),
    ],
    told: &["แล้ว"],
    failures: &["พัง", "ล้มเหลว", "ไม่ทำงาน", "ไม่ได้"],
    faults: &["ผิดพลาด", "บั๊ก"],
    is_verb_last: false,
};
