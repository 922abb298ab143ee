//! The flags that say which kind of packet is made, and how much it may hold.

use super::amount::{self, amount};
use super::exit::usage;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use context::budget::{CEILING, LINE_NUMBERS};
use engine::Request;
use error::Result;
use packets::answer::{Kind, Names, PacketSpec};
use packets::context_pack::{ContextPackBudgets, TrustPolicy};
use packets::manifest::{PackBudgets, Part};
use std::path::PathBuf;
use tokens::Tokenizer;

/// The most files and lines that a pack can be asked for.
const MAX_FILES: i64 = 2_000;
const MAX_LINES: u32 = 200_000;

/// Which kind of packet.
#[derive(Debug, Args)]
#[command(next_help_heading = "Packet")]
pub(super) struct KindOptions {
    /// The kind of packet: eight sections, few short items with references, places to read, or places with their text
    #[arg(long, value_name = "KIND", default_value = "session", value_parser = kind())]
    packet: Kind,
    /// The most tokens, such as 2000, 8k or 1.5k: of the text of a session packet [default: 8k], of the bundle of a context pack [default: 1200],
    /// of the JSON of a manifest or hydrated pack [default: 80k]
    #[arg(long, value_name = "N", value_parser = budget, allow_hyphen_values = true)]
    pub(super) budget: Option<u32>,
    /// Number the first line of each piece of code and every Nth line after it: 1 for all, 0 for none
    #[arg(long, value_name = "N", default_value_t = LINE_NUMBERS)]
    line_numbers: u32,
    /// Who counts tokens
    #[arg(long, default_value_t, value_parser = tokenizer())]
    tokenizer: Tokenizer,
    /// Write a receipt: everything that was considered, with what became of it and why (engine/packets/schema/receipt.schema.json)
    #[arg(long, value_name = "FILE")]
    pub(super) receipt: Option<PathBuf>,
    /// The most items of a context pack [default: 12]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_FILES))]
    max_items: Option<u32>,
    /// What a context pack does about what strangers wrote: files that git does not track, generated code, words of commits, logs
    /// [default: prefer]
    #[arg(long, value_enum)]
    trust: Option<TrustOption>,
    /// The most files of a manifest or hydrated pack [default: 40]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_FILES))]
    max_files: Option<u32>,
    /// The most lines of a manifest or hydrated pack, such as 500 or 1.5k [default: 1800]
    #[arg(long, value_name = "N", value_parser = amount::lines(1, MAX_LINES), allow_hyphen_values = true)]
    max_lines: Option<u32>,
    /// The most places at which words of the intent let activation start [default: 20 for manifest and hydrated packs, else all]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    topk: Option<u32>,
    /// Add tests or documents of what is active to a manifest or hydrated pack; can be given more than once
    #[arg(long, value_name = "PART", value_enum)]
    include: Vec<PartOption>,
    /// Leave tests or documents out of a manifest or hydrated pack; can be given more than once
    #[arg(long, value_name = "PART", value_enum)]
    drop: Vec<PartOption>,
    /// Do not pin the requirements and what agents are told (PRD.md, AGENTS.md, CLAUDE.md, TRCODER.md, …), as manifest and hydrated packs do
    /// by themselves
    #[arg(long)]
    no_auto_pins: bool,
    /// The caller's name for the task, for packs that have one
    #[arg(long, value_name = "ID")]
    task_id: Option<String>,
    /// The caller's name for the run, for packs that have one
    #[arg(long, value_name = "ID")]
    run_id: Option<String>,
    /// What the caller limits the task to, in its own words, for packs and receipts
    #[arg(long, value_name = "TEXT")]
    scope: Option<String>,
    /// The time to write into packs and receipts, as in 2026-02-25T00:00:00Z [default: that of the last commit]
    #[arg(long, value_name = "TIME", value_parser = time)]
    now: Option<String>,
}

/// What a context pack does about what strangers wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TrustOption {
    /// It comes after all else of the same importance
    Prefer,
    /// It stays out
    Require,
    /// It counts as all else
    Any,
}

/// Files of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum PartOption {
    /// Documents
    Docs,
    /// Tests
    Tests,
}

impl PartOption {
    /// The parts that were named.
    pub(super) fn parts(options: &[Self]) -> Vec<Part> {
        let part = |option: &Self| match option {
            Self::Docs => Part::Docs,
            Self::Tests => Part::Tests,
        };
        options.iter().map(part).collect()
    }
}

/// Kinds that other commands make, with what is said where they are asked for here.
const ELSEWHERE: [(&str, &str); 2] = [
    ("worker", "made from a task and not from an intent: use `activate packet worker --task FILE`"),
    ("phase", "made from a task and not from an intent: use `activate packet phase new --task FILE --feature TEXT`"),
];

fn kind() -> impl TypedValueParser<Value = Kind> {
    let of = |name: String| {
        let elsewhere = ELSEWHERE.into_iter().find(|(kind, _)| *kind == name);
        Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or(elsewhere.map_or("no such kind", |(_, says)| says))
    };
    let known = Kind::ALL.map(|kind| PossibleValue::new(kind.name())).into_iter();
    PossibleValuesParser::new(known.chain(ELSEWHERE.map(|(name, _)| PossibleValue::new(name).hide(true)))).try_map(of)
}

fn tokenizer() -> impl TypedValueParser<Value = Tokenizer> {
    PossibleValuesParser::new(["o200k", "cl100k"]).try_map(|name| name.parse::<Tokenizer>())
}

/// A number of tokens, checked while flags are read: `2000`, `8k`, `1.5k`.
pub(super) fn budget(text: &str) -> std::result::Result<u32, String> {
    let most = CEILING.0;
    let why = || format!("; a packet has at most {most}, what 128,000 leave for prompt, tools and answer");
    amount(text, "tokens", 1, most).map_err(|expected| {
        if amount(text, "tokens", 0, u32::MAX).is_ok_and(|tokens| tokens > most) { expected + &why() } else { expected }
    })
}

/// A time, checked while flags are read.
pub(super) fn time(text: &str) -> std::result::Result<String, String> {
    let time = text.parse::<jiff::Timestamp>();
    time.map(|time| time.to_string()).map_err(|_| "write it like 2026-02-25T00:00:00Z".to_owned())
}

impl KindOptions {
    /// What is wanted.
    pub(super) fn wanted(&self) -> PacketSpec {
        let (packet, budgets) = (self.packet, PackBudgets::default());
        PacketSpec {
            tokens: self.budget.unwrap_or_else(|| packet.default_tokens()),
            tokenizer: self.tokenizer,
            line_numbers: self.line_numbers,
            max_items: self.max_items.unwrap_or(ContextPackBudgets::default().max_items),
            budgets: PackBudgets {
                max_files: self.max_files.unwrap_or(budgets.max_files),
                max_lines: self.max_lines.unwrap_or(budgets.max_lines),
                topk: self.topk.unwrap_or(budgets.topk),
                ..budgets
            },
            include: PartOption::parts(&self.include),
            drop: PartOption::parts(&self.drop),
            auto_pins: !self.no_auto_pins,
            trust: match self.trust {
                None | Some(TrustOption::Prefer) => TrustPolicy::Prefer,
                Some(TrustOption::Require) => TrustPolicy::Require,
                Some(TrustOption::Any) => TrustPolicy::Any,
            },
            scope: self.scope.clone(),
            names: Names { task_id: self.task_id.clone(), run_id: self.run_id.clone() },
            now: self.now.clone(),
            receipt: self.receipt.is_some(),
            ..PacketSpec::new(packet)
        }
    }

    /// Refuses flags that say nothing to the kind: whoever gives them expects something of them.
    fn check(&self) -> Result<()> {
        let of_places = [
            ("--max-files", self.max_files.is_some()),
            ("--max-lines", self.max_lines.is_some()),
            ("--include", !self.include.is_empty()),
            ("--drop", !self.drop.is_empty()),
            ("--no-auto-pins", self.no_auto_pins),
        ];
        let of_items = [("--max-items", self.max_items.is_some()), ("--trust", self.trust.is_some())];
        let is_of_places = matches!(self.packet, Kind::Manifest | Kind::Hydrated);
        let lost = of_places.iter().filter(|_| !is_of_places).map(|flag| (flag, "manifest and hydrated packs"));
        let lost = lost.chain(of_items.iter().filter(|_| self.packet != Kind::ContextPack).map(|flag| (flag, "context packs")));
        if let Some(((flag, _), kinds)) = lost.into_iter().find(|((_, is_given), _)| *is_given) {
            let message = format!("`{flag}` is for {kinds}, and `--packet` asks for a {} packet", self.packet.name());
            return Err(usage(message));
        }
        if self.include.iter().any(|part| self.drop.contains(part)) {
            return Err(usage("`--include` and `--drop` name the same part: give it to one of them"));
        }
        Ok(())
    }

    /// Sets what the kind asks of an activation: packs for whoever reads by itself stay nearer to the task.
    pub(super) fn limit(&self, request: &mut Request, wanted: &mut PacketSpec) -> Result<()> {
        self.check()?;
        if matches!(self.packet, Kind::Manifest | Kind::Hydrated) {
            request.depth = request.depth.or(Some(wanted.budgets.depth));
            wanted.budgets.depth = request.depth.unwrap_or(wanted.budgets.depth);
            request.topk = Some(wanted.budgets.topk);
        } else {
            request.topk = self.topk;
        }
        if request.first && self.packet != Kind::Session {
            return Err(usage(format!(
                "`--first` is answered by a session packet, and `--packet` asks for a {} pack",
                self.packet.name()
            )));
        }
        if request.since.is_some() && self.packet != Kind::Session {
            let message = format!(
                "`--since` is answered by a session packet alone; a {} pack has `activate packet rebuild`",
                self.packet.name()
            );
            return Err(usage(message));
        }
        Ok(())
    }
}

#[cfg(test)]
mod budget_tests {
    use super::budget;

    #[test]
    fn a_budget_is_a_number_of_tokens_or_of_thousands_up_to_the_ceiling() {
        assert_eq!(
            ["1", "2000", "8k", "8K", "1.5k", "80000", "80k"].map(budget),
            [1, 2_000, 8_000, 8_000, 1_500, 80_000, 80_000].map(Ok)
        );
        for wrong in
            ["", "k", "0", "0k", "-5", "+5", "8kk", "8.5", "8.5555k", "80001", "81k", "9999999k", "99999999999", "many", "8 k"]
        {
            let message = budget(wrong).expect_err(wrong);
            assert!(message.starts_with("write a number of tokens from 1 to 80000, such as "), "{wrong}: {message}");
        }
    }
}
