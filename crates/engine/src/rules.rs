//! The rules of the engine, by group.

pub use evalcheck_core::rule::{AnyProblem, Problem, Rule};

pub use evalcheck_archive::rules::{Attachment, Bytes, Zip};

/// Declares the modules of the groups and lists their rules.
macro_rules! groups {
    ($($module:ident :: $group:ident),* $(,)?) => {
        $(mod $module; pub use $module::$group;)*

        /// All rules, by group.
        pub fn all() -> impl Iterator<Item = &'static Rule> {
            [Attachment::RULES, $($group::RULES,)* Zip::RULES].into_iter().flatten()
        }
    };
}

pub mod dataset_rules;
pub mod own_keys;

groups! {
    csv::Csv,
    dataset::Dataset,
    document::Document,
    eee::Eee,
    evret::Evret,
    json::Json,
    quest::Quest,
    shape::Shape,
    tencent::Tencent,
    text::Text,
}
