//! The columns of a fact base: their names in storage, and where the sections of one base have them.

use super::Sections;
use crate::resolve::N_LISTS;

macro_rules! columns {
    ($($column:ident = $name:literal,)*) => {
        /// A column of a fact base; the first part of its name says whose rows it has.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Column {
            $(#[doc = concat!("The section `", $name, "`.")] $column,)*
        }

        impl Column {
            /// Every column, in the order of their numbers.
            pub(crate) const ALL: &[Self] = &[$(Self::$column,)*];

            /// The name of its section.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$column => $name,)*
                }
            }
        }
    };
}

columns! {
    FilePath = "file.path",
    FileLanguage = "file.language",
    FileFlags = "file.flags",
    FileLimit = "file.limit",
    FileLines = "file.lines",
    FileSize = "file.size",
    FileMtime = "file.mtime",
    FileCtime = "file.ctime",
    FileHash = "file.hash",
    FileTally = "file.tally",
    FileOutline = "file.outline",
    FileMembers = "file.members",
    FilePackage = "file.package",
    ReadStarts = "read.starts",
    ReadFiles = "read.files",
    PassageStarts = "passage.starts",
    PassageLines = "passage.lines",
    SymbolName = "symbol.name",
    SymbolId = "symbol.id",
    SymbolContainer = "symbol.container",
    SymbolTraits = "symbol.traits",
    SymbolKind = "symbol.kind",
    SymbolVisibility = "symbol.visibility",
    SymbolFirstLine = "symbol.first_line",
    SymbolLastLine = "symbol.last_line",
    SymbolNameLine = "symbol.name_line",
    SymbolStart = "symbol.start",
    SymbolEnd = "symbol.end",
    SymbolBody = "symbol.body",
    SymbolDocLine = "symbol.doc_line",
    SymbolByName = "symbol.by_name",
    AliasName = "alias.name",
    AliasOf = "alias.of",
    AliasFile = "alias.file",
    NodeFile = "node.file",
    PackageName = "package.name",
    PublishedRegistry = "published.registry",
    PublishedName = "published.name",
    PublishedFolder = "published.folder",
    LinkStarts = "link.starts",
    LinkTargets = "link.targets",
    LinkAttributes = "link.attributes",
    LinkLines = "link.lines",
    SiteFrom = "site.from",
    SiteLine = "site.line",
    SiteTo = "site.to",
    SiteAttribute = "site.attribute",
    TestStarts = "test.starts",
    TestTargets = "test.targets",
    TestConfidence = "test.confidence",
    RouteRows = "route.rows",
    ServedRows = "served.rows",
    PlaceNaming = "place.naming",
    PlaceFolder = "place.folder",
    PlaceCommand = "place.command",
    PlaceModule = "place.module",
    DiagnosticRows = "diagnostic.rows",
    NoteRows = "note.rows",
    UnresolvedRows = "unresolved.rows",
    TableSyms = "table.syms",
    TableNames = "table.names",
    TableModules = "table.modules",
    TableFiles = "table.files",
    TableRest = "table.rest",
    TableText = "table.text",
    StringText = "string.text",
    StringEnds = "string.ends",
    TextTotals = "text.totals",
    TextBlocks = "text.blocks",
    TextTerms = "text.terms",
    TextPostings = "text.postings",
    TextLengths = "text.lengths",
    TextBySlot = "text.by_slot",
    TextByDoc = "text.by_doc",
    Problems = "problems",
}

impl Column {
    /// Whether a section is one of the index of words.
    pub(crate) fn is_text(section: &str) -> bool {
        section.starts_with("text.")
    }

    /// Columns that answers seldom read: the base after an edit is made from them.
    pub(crate) const FOR_THE_NEXT: [Self; 10] = [
        Self::SiteFrom,
        Self::SiteLine,
        Self::SiteTo,
        Self::SiteAttribute,
        Self::TableSyms,
        Self::TableNames,
        Self::TableModules,
        Self::TableFiles,
        Self::TableRest,
        Self::TableText,
    ];

    /// The numbers of the resolver's tables, in the order of [`crate::resolve::Names::ALL`].
    pub(crate) const TABLES: [Self; N_LISTS] = [Self::TableSyms, Self::TableNames, Self::TableModules, Self::TableFiles];
}

/// How many columns there are.
pub(crate) const N_COLUMNS: usize = Column::ALL.len();

/// The place of each column among some sections: columns are asked for millions of times in a run, and looking one up by its name took a
/// quarter of the processor time of an answer (measured 2026-11-21).
#[derive(Debug, Clone, Copy)]
pub(super) struct Places([Option<usize>; N_COLUMNS]);

impl Places {
    /// Looks every column up.
    pub(super) fn of(sections: &dyn Sections) -> Self {
        let mut places = [None; N_COLUMNS];
        for column in Column::ALL {
            places[*column as usize] = sections.place(column.name());
        }
        Self(places)
    }

    /// The place of a column, if there is such a section.
    pub(super) fn get(&self, column: Column) -> Option<usize> {
        self.0[column as usize]
    }
}
