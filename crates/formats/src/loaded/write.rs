//! A value that the system holds, as indented JSON.

use evalcheck_report::selector::{PathStep, path_of};
use evalcheck_report::view::{ChangeKind, HeldLine, HeldRecord, LoadedChange};

use super::{Content, Held};

/// The lines of a value: one per scalar and per bracket.
pub(super) fn lines(held: &Held) -> HeldRecord {
    write(held, HeldRecord::default())
}

/// Visits the differences from the file, in the order of the lines: the kind, the path and the reason.
pub(super) fn visit_changes<'h>(held: &'h Held, visit: impl FnMut(ChangeKind, &[PathStep<'h>], &'h str)) {
    write(held, visit);
}

fn write<'h, O: Output<'h>>(held: &'h Held, out: O) -> O {
    let mut writer = Writer { out, changes: 0, path: Vec::new() };
    writer.value(held, &Place { depth: 0, label: None, after: "", change: None });
    writer.out
}

/// The output of a writer.
trait Output<'h> {
    /// Takes a line: a scalar or a bracket at a place, within a change.
    fn line(&mut self, place: &Place<'h>, text: &[&str], change: Option<u32>);

    /// Takes the next change.
    fn change(&mut self, kind: ChangeKind, path: &[PathStep<'h>], why: &'h str);
}

impl<'h> Output<'h> for HeldRecord {
    fn line(&mut self, place: &Place<'h>, text: &[&str], change: Option<u32>) {
        let label = place.label.map_or_else(String::new, |key| format!("{key}: "));
        let text = format!("{:1$}{label}{2}{3}", "", 2 * place.depth, text.concat(), place.after);
        self.lines.push(HeldLine { text, change });
    }

    fn change(&mut self, kind: ChangeKind, path: &[PathStep<'h>], why: &'h str) {
        self.changes.push(LoadedChange { kind, path: path_of(path.iter().copied()), why: why.to_owned() });
    }
}

impl<'h, F: FnMut(ChangeKind, &[PathStep<'h>], &'h str)> Output<'h> for F {
    fn line(&mut self, _: &Place<'h>, _: &[&str], _: Option<u32>) {}

    fn change(&mut self, kind: ChangeKind, path: &[PathStep<'h>], why: &'h str) {
        self(kind, path, why);
    }
}

struct Writer<'h, O> {
    out: O,
    /// The number of changes so far.
    changes: u32,
    /// The keys and indices of the current value.
    path: Vec<PathStep<'h>>,
}

/// The place of a value.
struct Place<'h> {
    depth: usize,
    /// The key before it on its line, as JSON.
    label: Option<&'h str>,
    /// The text after it: the comma.
    after: &'static str,
    /// The change of an enclosing value, if it applies to everything in it.
    change: Option<u32>,
}

impl<'h, O: Output<'h>> Writer<'h, O> {
    fn value(&mut self, held: &'h Held, place: &Place<'h>) {
        let own = held.change.as_ref().filter(|_| place.change.is_none());
        let change = own.map_or(place.change, |own| {
            let index = self.changes;
            self.out.change(own.kind, &self.path, &own.why);
            self.changes = index.saturating_add(1);
            Some(index)
        });
        let (open, close, is_empty) = match &held.content {
            Content::Scalar(json) => return self.out.line(place, &[json], change),
            Content::Array(elements) => ("[", "]", elements.is_empty()),
            Content::Object(members) => ("{", "}", members.is_empty()),
        };
        if is_empty {
            return self.out.line(place, &[open, close], change);
        }
        // Values in a changed value may have changes of their own.
        let inherited = change.filter(|_| own.is_none_or(|own| own.kind != ChangeKind::Changed));
        self.out.line(&Place { after: "", ..*place }, &[open], change);
        let depth = place.depth + 1;
        match &held.content {
            Content::Scalar(_) => {}
            Content::Array(elements) => {
                let steps = (0..).map(|index| (PathStep::Index(index), None));
                self.children(steps.zip(elements), depth, inherited);
            }
            Content::Object(members) => {
                let steps = members.iter().map(|member| (PathStep::Key(&member.key), Some(&*member.json)));
                self.children(steps.zip(members.iter().map(|member| &member.value)), depth, inherited);
            }
        }
        self.out.line(&Place { label: None, ..*place }, &[close], change);
    }

    /// Writes elements or members, each with its path step and key. Removed values have no comma, so that the other lines are JSON.
    fn children(
        &mut self,
        children: impl Iterator<Item = ((PathStep<'h>, Option<&'h str>), &'h Held)>,
        depth: usize,
        change: Option<u32>,
    ) {
        let children: Vec<_> = children.collect();
        // A value that is removed as a whole is written unchanged.
        let is_kept = |held: &Held| change.is_some() || !held.is_removed();
        let last_kept = children.iter().rposition(|(_, held)| is_kept(held)).unwrap_or(0);
        for (index, ((step, label), held)) in children.into_iter().enumerate() {
            let after = if is_kept(held) && index < last_kept { "," } else { "" };
            self.path.push(step);
            self.value(held, &Place { depth, label, after, change });
            self.path.pop();
        }
    }
}
