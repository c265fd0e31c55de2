//! A value that the system holds, as indented JSON.

use evalcheck_wire::view::{ChangeKind, HeldLine, HeldRecord, LoadedChange};

use super::{Content, Held};

/// The lines of a value: one for each scalar and each bracket.
pub(super) fn lines(held: &Held) -> HeldRecord {
    let mut writer = Writer::default();
    writer.value(held, &Place { depth: 0, label: "", after: "", change: None });
    HeldRecord { lines: writer.lines, changes: writer.changes, clipped: false }
}

#[derive(Default)]
struct Writer {
    lines: Vec<HeldLine>,
    changes: Vec<LoadedChange>,
    /// The keys and indexes of the value at hand.
    path: Vec<String>,
}

/// The place of a value.
struct Place<'a> {
    depth: usize,
    /// What is before it on its line: the key.
    label: &'a str,
    /// What follows it: the comma.
    after: &'static str,
    /// The change of the value that it is in, where that is of all in it.
    change: Option<u32>,
}

impl Writer {
    fn value(&mut self, held: &Held, place: &Place<'_>) {
        let Place { depth, label, after, change } = *place;
        let own = held.change.as_ref().filter(|_| change.is_none());
        let change = own.map_or(change, |own| {
            let index = u32::try_from(self.changes.len()).ok();
            let why = own.why.clone().into_owned();
            self.changes.push(LoadedChange { kind: own.kind, path: self.path.join("."), why });
            index
        });
        let line = |text: String| HeldLine { text: format!("{:1$}{text}", "", 2 * depth), change };
        let (open, close, is_empty) = match &held.content {
            Content::Scalar(json) => return self.lines.push(line(format!("{label}{json}{after}"))),
            Content::Array(elements) => ('[', ']', elements.is_empty()),
            Content::Object(members) => ('{', '}', members.is_empty()),
        };
        if is_empty {
            return self.lines.push(line(format!("{label}{open}{close}{after}")));
        }
        // What is in a changed value may be changed for other reasons.
        let inherited = change.filter(|_| own.is_none_or(|own| own.kind != ChangeKind::Changed));
        self.lines.push(line(format!("{label}{open}")));
        match &held.content {
            Content::Scalar(_) => {}
            Content::Array(elements) => {
                let steps = (0..).map(|index: usize| (index.to_string(), String::new()));
                self.children(steps.zip(elements), depth + 1, inherited);
            }
            Content::Object(members) => {
                let steps = members.iter().map(|member| (member.key.clone(), format!("{}: ", member.json)));
                self.children(steps.zip(members.iter().map(|member| &member.value)), depth + 1, inherited);
            }
        }
        self.lines.push(line(format!("{close}{after}")));
    }

    /// Writes elements or members, each with its step of the path and its label. What is removed has no comma, so that the
    /// other lines are JSON.
    fn children<'h>(
        &mut self,
        children: impl Iterator<Item = ((String, String), &'h Held)>,
        depth: usize,
        change: Option<u32>,
    ) {
        let children: Vec<_> = children.collect();
        // All of what is removed as a whole is written as it was.
        let is_kept = |held: &Held| change.is_some() || !held.is_removed();
        let last_kept = children.iter().rposition(|(_, held)| is_kept(held)).unwrap_or(0);
        for (index, ((step, label), held)) in children.into_iter().enumerate() {
            let after = if is_kept(held) && index < last_kept { "," } else { "" };
            self.path.push(step);
            self.value(held, &Place { depth, label: &label, after, change });
            self.path.pop();
        }
    }
}
