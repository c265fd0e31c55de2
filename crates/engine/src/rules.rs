//! The rules of the engine, by group.

pub use evalcheck_core::rule::{AnyProblem, Problem, Rule};
pub use evalcheck_json::diagnose::{SchemaProblem, SyntaxProblem, TextProblem};
pub use evalcheck_records::{Csv, Document};

/// Declares the modules of the groups and lists their rules.
macro_rules! groups {
    ($($module:ident :: $group:ident),* $(,)?) => {
        $(mod $module; pub use $module::$group;)*

        /// All rules, by group.
        pub fn all() -> impl Iterator<Item = &'static Rule> {
            [$($group::RULES),*]
                .into_iter()
                .chain(evalcheck_json::RULES.iter().copied())
                .chain(evalcheck_records::RULES.iter().copied())
                .chain(evalcheck_archive::RULES.iter().copied())
                .chain(crate::formats::juryarena::RULES.iter().copied())
                .flatten()
        }
    };
}

pub mod dataset_rules;
pub mod own_keys;

groups! {
    dataset::Dataset,
    eee::Eee,
    evret::Evret,
    quest::Quest,
    tencent::Tencent,
}
