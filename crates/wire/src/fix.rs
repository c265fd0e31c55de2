//! The selection of fixes, and the combination of their edits.

mod patcher;
mod plan;

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};

use evalcheck_report::selector::selects;
use evalcheck_report::{Applicability, Counts, Finding, Fix};

pub use patcher::Patcher;
pub use plan::{EditPlan, PlannedEdit, Store};

/// The fixes to apply.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
pub struct Selection {
    /// Unsafe fixes too, which lose or guess something.
    pub not_safe: bool,
    /// Only fixes of these rules; of all rules if it is empty. A code, or a category before the slash.
    pub select: Vec<String>,
    /// No fixes of these rules.
    pub ignore: Vec<String>,
    /// Only fixes at paths that match this pattern, a [`Selector`](evalcheck_report::selector::Selector).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Choices for single kinds of fixes, which override all other fields.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<FixChoice>,
}

/// The fixes of one rule that are all safe or all unsafe, at paths that differ in indices only.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
pub struct FixKind {
    /// The code of the rule.
    pub code: String,
    /// The path with `*` for each index. `None` for findings without a path, and for those whose path no other kind matches.
    pub path: Option<String>,
    /// Whether they are safe.
    pub applicability: Applicability,
}

/// Whether the fixes of a kind are applied.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
pub struct FixChoice {
    /// The kind.
    pub kind: FixKind,
    /// Whether its fixes are applied.
    pub is_applied: bool,
}

/// A change of a dataset.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Applies these fixes, until there are none.
    Fixes(Selection),
    /// Applies one fix: of a finding, or made of the user's text.
    One(Box<Fix>),
    /// Removes the records with errors.
    DropInvalid,
    /// Reverts the changes at a place of the list of changes.
    TakeBack(u64),
    /// Adds a file to the ZIP as an entry of this name.
    AddFile(String),
}

impl Selection {
    /// The safe fixes of a rule, at paths that match a pattern or anywhere.
    pub fn of_rule(code: &str, path: Option<&str>) -> Self {
        Self { select: vec![code.to_owned()], path: path.map(str::to_owned), ..Self::default() }
    }

    /// The fix of a finding, if it is to be applied.
    ///
    /// ```
    /// # use evalcheck_wire::fix::{FixChoice, FixKind, Selection};
    /// # use evalcheck_report::{Applicability, Finding};
    /// let finding: Finding = serde_json::from_str(
    ///     r#"{"code":"shape/type","severity":"error","path":"messages.3.role","message":"",
    ///         "fix":{"title":"Write null","applicability":"safe","edits":[]}}"#,
    /// )?;
    /// let choice = |path: Option<&str>, is_applied| {
    ///     let path = path.map(str::to_owned);
    ///     FixChoice { kind: FixKind { code: "shape/type".into(), path, applicability: Applicability::Safe }, is_applied }
    /// };
    /// let choices = vec![choice(None, true), choice(Some("messages.*.role"), false)];
    /// assert!(Selection::default().fix_of(&finding).is_some());
    /// assert!(Selection { choices, ..Selection::default() }.fix_of(&finding).is_none());
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn fix_of<'f>(&self, finding: &'f Finding) -> Option<&'f Fix> {
        if let Some(fix) = finding.fix.as_deref()
            && let Some(is_applied) = self.choice(finding, fix)
        {
            return is_applied.then_some(fix);
        }
        let is_there = self
            .path
            .as_ref()
            .is_none_or(|pattern| finding.path.as_ref().is_some_and(|path| selects(pattern, path)));
        let fix = finding.fix.as_deref().filter(|_| is_there && self.selects(&finding.code))?;
        (self.not_safe || fix.applicability == Applicability::Safe).then_some(fix)
    }

    /// The choice for the kind of a fix. If several patterns match its path, the one with the fewest `*` decides.
    fn choice(&self, finding: &Finding, fix: &Fix) -> Option<bool> {
        let is_described = |pattern: &Option<String>| match (pattern, &finding.path) {
            (Some(pattern), Some(path)) => selects(pattern, path),
            (pattern, _) => pattern.is_none(),
        };
        let of_kind = self.choices.iter().filter(|FixChoice { kind, .. }| {
            kind.code == finding.code && kind.applicability == fix.applicability && is_described(&kind.path)
        });
        let stars = |pattern: &str| pattern.matches('*').count();
        let nearest = of_kind.min_by_key(|choice| choice.kind.path.as_deref().map_or(usize::MAX, stars));
        nearest.map(|choice| choice.is_applied)
    }

    /// The number of findings with a fix to apply, whether the report lists them or not. Ignores paths and choices, which counts do not
    /// have.
    ///
    /// ```
    /// # use evalcheck_wire::fix::Selection;
    /// # use evalcheck_report::Counts;
    /// let mut counts = Counts::default();
    /// counts.safe_fixes.insert("json/bad-escape".to_owned(), 7_500);
    /// counts.unsafe_fixes.insert("json/bad-escape".to_owned(), 3);
    /// let selection = |not_safe, select: &str| Selection { not_safe, select: vec![select.to_owned()], ..Selection::default() };
    /// assert_eq!(Selection::default().count(&counts), 7_500);
    /// assert_eq!(selection(true, "json").count(&counts), 7_503);
    /// assert_eq!(selection(true, "shape").count(&counts), 0);
    /// ```
    pub fn count(&self, counts: &Counts) -> u64 {
        let not_safe = counts.unsafe_fixes.iter().filter(|_| self.not_safe);
        let all = counts.safe_fixes.iter().chain(not_safe);
        all.filter(|(code, _)| self.selects(code)).map(|(_, fixes)| fixes).sum()
    }

    /// Returns true if the rule with this code is selected.
    pub fn selects(&self, code: &str) -> bool {
        let is = |wanted: &String| {
            let rest = code.strip_prefix(wanted.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        (self.select.is_empty() || self.select.iter().any(is)) && !self.ignore.iter().any(is)
    }
}
