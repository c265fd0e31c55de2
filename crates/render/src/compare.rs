//! Changes between two versions of a dataset, as text.

use evalcheck_report::text::{count, one_line};
use evalcheck_wire::compare::{ChangedValue, ComparedFile, ComparedRecord, Comparison};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::line::{Line, Role};

/// The minimum width of a value in columns, however narrow the output is.
const NARROWEST: usize = 12;

/// The comparison of two files, as the user named them, in lines of at most `width` columns if their names allow it.
pub fn comparison_lines(comparison: &Comparison, names: [&str; 2], width: usize) -> Vec<Line> {
    let mut out = Output { lines: Vec::new(), names: names.map(one_line), width };
    for why in &comparison.incomplete {
        out.push([(Role::Strong, "not compared to the end: ".to_owned()), (Role::Plain, one_line(why))]);
    }
    if comparison.format.is_empty() {
        return out.lines;
    }
    out.sums(comparison);
    out.paths(comparison);
    out.records("Added", 1, &comparison.added_records, comparison.added);
    out.records("Removed", 0, &comparison.removed_records, comparison.removed);
    out.lines
}

/// The lines of the output.
struct Output {
    lines: Vec<Line>,
    names: [String; 2],
    width: usize,
}

impl Output {
    fn push(&mut self, parts: impl IntoIterator<Item = (Role, String)>) {
        self.lines.push(Line::of(parts));
    }

    fn plain(&mut self, text: String) {
        self.push([(Role::Plain, text)]);
    }

    fn sums(&mut self, comparison: &Comparison) {
        let Comparison { added, removed, changed, unchanged, rewritten, unexamined, format, .. } = comparison;
        let [old, new] = &self.names;
        let sums = format!(
            "{added} added, {removed} removed, {changed} changed, {unchanged} unchanged ({format}: {} and {})",
            count(comparison.old.records, "record"),
            comparison.new.records,
        );
        let line = [(Role::Strong, format!("{old} -> {new}: ")), (Role::Plain, sums)];
        self.push(line);
        if *rewritten > 0 {
            let verb = if *rewritten == 1 { "has" } else { "have" };
            self.plain(format!(
                "  {} {verb} the same value, written differently",
                count(*rewritten, "record")
            ));
        }
        if *unexamined > 0 {
            self.plain(format!(
                "  {} with other bytes: the values were not compared",
                count(*unexamined, "record")
            ));
        }
        if comparison.header_changed {
            self.plain("  The header line, which is no record, changed".to_owned());
        }
        self.by_content("without an id", |file| file.without_id, comparison);
        self.by_content("with the id of another record", |file| file.repeated_id, comparison);
    }

    fn by_content(&mut self, which: &str, number: impl Fn(&ComparedFile) -> u64, comparison: &Comparison) {
        let [old, new] = [number(&comparison.old), number(&comparison.new)];
        if old + new > 0 {
            let old = count(old, "record");
            self.plain(format!(
                "  matched by content: {old} of the older version and {new} of the newer {which}"
            ));
        }
    }

    fn paths(&mut self, comparison: &Comparison) {
        for path in &comparison.paths {
            let name = if path.path.is_empty() { "(the record)".to_owned() } else { one_line(&path.path) };
            self.plain(String::new());
            self.push([
                (Role::Strong, name),
                (Role::Plain, format!(" changed in {}", count(path.records, "record"))),
            ]);
            for example in &path.examples {
                self.example(example);
            }
        }
        if comparison.at_other_paths > 0 {
            self.plain(String::new());
            self.plain(format!("{} at other paths", count(comparison.at_other_paths, "change")));
        }
    }

    fn example(&mut self, example: &ChangedValue) {
        let [old, new] = &self.names;
        self.plain(format!("  {old}:{} -> {new}:{}", example.old_line, example.new_line));
        let room = self.width.saturating_sub(6).max(NARROWEST);
        for (sign, value) in [('-', &example.old), ('+', &example.new)] {
            if let Some(value) = value {
                self.plain(format!("    {sign} {}", cut(&one_line(value), room)));
            }
        }
    }

    fn records(&mut self, heading: &str, version: usize, records: &[ComparedRecord], all: u64) {
        if records.is_empty() {
            return;
        }
        self.plain(String::new());
        self.push([(Role::Strong, heading.to_owned())]);
        for record in records {
            let id = record.id.as_ref().map_or_else(String::new, |id| format!(" {}:", one_line(id)));
            let start = format!("  {}:{}:{id} ", self.names[version], record.line);
            let room = self.width.saturating_sub(start.width()).max(NARROWEST);
            self.plain(format!("{start}{}", cut(&one_line(&record.text), room)).trim_end().to_owned());
        }
        let others = all - records.len() as u64;
        if others > 0 {
            self.plain(format!("  and {others} more"));
        }
    }
}

/// A text in at most `most` columns.
fn cut(text: &str, most: usize) -> String {
    if text.width() <= most {
        return text.to_owned();
    }
    let mut columns = 1;
    let is_kept = |character: &char| {
        columns += character.width().unwrap_or(0);
        columns <= most
    };
    text.chars().take_while(is_kept).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_text_is_cut_to_columns() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut("日本語", 5), "日本…");
        assert_eq!(cut("日本語", 4), "日…");
    }
}
