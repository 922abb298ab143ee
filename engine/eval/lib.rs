//! How good the answers are: changes of the past are asked for again, and what they changed is looked for in the answers.
//!
//! A case is a commit: its subject is the intent, its parent the repository, and the files it changed are the answer. Must not change what
//! the engine answers, nor know a clock: the same cases give the same figures.

mod cases;

mod sources;

mod mine;
mod subject;

mod ask;
mod baseline;
mod chunks;
mod rows;
mod run;
mod shown;

mod figures;
mod paired;
mod report;

mod leaves;
mod tune;

mod table;

pub use cases::{Case, Tier, read_cases, spread_cases};
pub use figures::{Figures, SymbolFigures, TextFigures};
pub use mine::mine;
pub use paired::{Paired, sign_test};
pub use report::{Comparison, EvalReport, Group, Sureness};
pub use rows::{BUDGETS, Evaluation, Row, Share, Shown};
pub use run::{Place, evaluate, fingerprint};
pub use sources::is_source;
pub use table::{CaseRow, Compared, Question, features, write_table};
pub use tune::{Half, Objective, Step, TUNED_BUDGET, Tell, Tuned, Tuning, tune};
