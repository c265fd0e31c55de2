//! Which fixes are applied, and their edits put together.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};

use crate::report::{Applicability, Conversion, Edit, Finding, Fix};

/// Which fixes are applied.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    /// Those that lose or guess something too.
    pub not_safe: bool,
    /// Only of these rules; of all when it is empty. A code, or a category before the slash.
    pub select: Vec<String>,
    /// Not of these.
    pub ignore: Vec<String>,
}

impl Selection {
    /// The fix of a finding, when it is to be applied.
    pub fn fix_of<'f>(&self, finding: &'f Finding) -> Option<&'f Fix> {
        let is = |wanted: &String| {
            let rest = finding.code.strip_prefix(wanted.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let is_selected = self.select.is_empty() || self.select.iter().any(is);
        let fix = finding.fix.as_deref().filter(|_| is_selected && !self.ignore.iter().any(is))?;
        (self.not_safe || fix.applicability == Applicability::Safe).then_some(fix)
    }
}

/// Edits of one dataset, of which none touches another.
#[derive(Debug, Default)]
pub struct EditPlan {
    /// By where they begin, and insertions before what they stand before.
    edits: BTreeMap<(u64, u64), String>,
    fixes: u64,
    conversion: Option<Conversion>,
}

impl EditPlan {
    /// Adds a fix, whole or not at all. False when one of its edits would touch another. A fix that converts the file goes
    /// before all others, which are found again in what it becomes.
    ///
    /// ```
    /// # use evalcheck_wire::fix::EditPlan;
    /// # use evalcheck_wire::report::{Applicability, Edit, Fix};
    /// let delete = |start, end| Fix {
    ///     title: "Delete".to_owned(),
    ///     applicability: Applicability::Safe,
    ///     edits: vec![Edit { start, end, text: String::new() }],
    ///     convert: None,
    /// };
    /// let mut plan = EditPlan::default();
    /// assert!(plan.add(&delete(1, 3)));
    /// assert!(!plan.add(&delete(2, 4)));
    /// assert!(plan.add(&delete(3, 4)));
    /// assert_eq!(plan.apply(b"abcde"), b"ae");
    /// ```
    pub fn add(&mut self, fix: &Fix) -> bool {
        if self.conversion.is_some() || fix.edits.iter().any(|edit| self.touches(edit)) {
            return false;
        }
        if let Some(conversion) = &fix.convert {
            self.edits.clear();
            self.fixes = 0;
            self.conversion = Some(conversion.clone());
        }
        for Edit { start, end, text } in &fix.edits {
            // Several insertions at one place stand there in the order in which they came.
            self.edits.entry((*start, *end)).or_default().push_str(text);
        }
        self.fixes += 1;
        true
    }

    fn touches(&self, edit: &Edit) -> bool {
        // Of what begins before its end, the last ends last.
        let before = self.edits.range(..(edit.end, 0)).next_back();
        before.is_some_and(|((_, end), _)| *end > edit.start)
    }

    /// The edits, in the order of the bytes.
    pub fn into_edits(self) -> Vec<Edit> {
        self.edits.into_iter().map(|((start, end), text)| Edit { start, end, text }).collect()
    }

    /// How the file is written anew before any edits.
    pub fn conversion(&self) -> Option<&Conversion> {
        self.conversion.as_ref()
    }

    /// How many fixes it has.
    pub fn fixes(&self) -> u64 {
        self.fixes
    }

    /// True without any.
    pub fn is_empty(&self) -> bool {
        self.fixes == 0
    }

    /// The dataset with the edits made; it is not converted.
    pub fn apply(&self, dataset: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(dataset.len());
        // Reading and writing memory does not fail.
        let _ = self.copy(&mut &*dataset, &mut out);
        out
    }

    /// Copies a dataset with the edits made, in the memory of a buffer.
    ///
    /// # Errors
    /// Those of `source` and `sink`.
    pub fn copy(&self, source: &mut impl Read, sink: &mut impl Write) -> io::Result<()> {
        let mut at = 0;
        for ((start, end), text) in &self.edits {
            io::copy(&mut source.by_ref().take(start.saturating_sub(at)), sink)?;
            sink.write_all(text.as_bytes())?;
            io::copy(&mut source.by_ref().take(end - start), &mut io::sink())?;
            at = *end;
        }
        io::copy(source, sink)?;
        Ok(())
    }
}
