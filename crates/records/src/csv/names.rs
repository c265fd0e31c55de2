//! Checks the names of the columns: which are unknown, repeated or missing, and which column an unknown name means.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::columns::path;
use super::columns::{Column, Columns};
use super::fix;
use super::problem::Csv;
use super::table::Table;
use evalcheck_core::excerpt::clip_quoted;
use evalcheck_core::finding::{Location, Path};
use evalcheck_core::rule::AnyProblem;
use evalcheck_core::suggest;
use evalcheck_diagnose::{RecordFinding, RecordFindings, RecordFix, RecordText, are_synonyms};
use evalcheck_json::csv::Cell;
use evalcheck_report::Conversion;

/// The names of a header.
pub(super) struct Names<'a> {
    list: &'a [Rc<str>],
    cells: &'a [Cell],
    columns: &'static Columns,
    /// The table, with the profile of its rows.
    table: &'a Table,
    /// The known columns that the header names in no way.
    absent: Vec<&'static Column>,
    /// Whether the header has a column of the group that requires one.
    has_one_of: bool,
}

/// A required column that the header names in no way.
struct Missing {
    /// The names that it may have, the usual ones first.
    names: Vec<&'static str>,
    /// The column; `None` for a group that requires one.
    column: Option<&'static Column>,
    /// The columns with other names that may be it, and the name that each would get.
    holders: Vec<(usize, &'static str)>,
    /// Whether the name of a holder is almost the same.
    is_spelled: bool,
}

/// Neighbouring columns without a name.
struct Nameless {
    /// The index of the first one.
    first: usize,
    count: usize,
}

impl<'a> Names<'a> {
    /// The names of a header, in these cells.
    pub(super) fn new(
        list: &'a [Rc<str>],
        cells: &'a [Cell],
        columns: &'static Columns,
        table: &'a Table,
    ) -> Self {
        let has = |name: &str| list.iter().any(|own| **own == *name);
        let is_absent = |column: &&Column| !column.names().any(has);
        let absent = columns.columns.iter().filter(is_absent).collect();
        let has_one_of = columns.one_of.iter().any(|group| group.names.iter().any(|name| has(name)));
        Self { list, cells, columns, table, absent, has_one_of }
    }

    /// Adds the findings of the names. `line_break` is the length of the line break after the row.
    pub(super) fn check(&self, row: &RecordText<'_>, line_break: usize, found: &mut RecordFindings<'_>) {
        let any_known = self.list.iter().any(|name| self.columns.position(name).is_some());
        let mut missing = self.missing();
        // A file without a required column is reported for that alone.
        if missing.is_empty() {
            missing.extend(self.missing_of_group());
        }
        let takes_others = self.columns.takes_others;
        let is_header =
            any_known || takes_others || missing.iter().any(|missing| !missing.holders.is_empty());
        // The findings of missing columns say that a row without any known column is not a header.
        let nameless = if is_header { self.nameless() } else { Vec::new() };
        let (by_blank, missing): (Vec<_>, Vec<_>) =
            missing.into_iter().partition(|missing| missing.holders.is_empty());
        let possible: Vec<&Nameless> = nameless.iter().filter(|run| self.may_be_column(run)).collect();
        let filler = match (possible.as_slice(), by_blank.as_slice()) {
            ([run], [missing]) if run.count == 1 => Some((run.first, missing)),
            _ => None,
        };
        let held: BTreeSet<usize> =
            missing.iter().flat_map(|missing| missing.holders.iter().map(|(index, _)| *index)).collect();
        // The number of unknown columns that may be meant as each column.
        let mut candidates: HashMap<usize, usize> = HashMap::new();
        for (_, name) in self.unknown() {
            let column = self.meant(name).and_then(|near| self.columns.position(near));
            if let Some(column) = column {
                *candidates.entry(column).or_default() += 1;
            }
        }
        let mut nameless = nameless.iter().peekable();
        let mut first_of = HashMap::new();
        for (index, (name, cell)) in self.list.iter().zip(self.cells).enumerate() {
            let first = *first_of.entry(&**name).or_insert(index);
            let mut report = |problem: Csv, path: Option<Path>, fix| {
                found.push(RecordFinding::new(problem, cell.span.clone(), path).with_fix(fix));
            };
            if name.trim().is_empty() {
                if let Some(run) = nameless.next_if(|run| run.first == index) {
                    let meant = filler.filter(|(first, _)| *first == index).map(|(_, missing)| missing);
                    let (problem, fix) = self.of_nameless(run, meant);
                    // A conversion reads commas: another separator is converted first.
                    let is_applicable =
                        |fix: &RecordFix| fix.convert.is_none() || self.table.delimiter == b',';
                    report(problem, None, fix.filter(is_applicable));
                }
            } else if first < index {
                let first_at = Location { record: None, ..row.locate(self.cells[first].span.clone(), None) };
                let problem = Csv::DuplicateColumn { name: clip_quoted(name), first: first + 1, first_at };
                report(problem, Some(path(name)), None);
            } else if is_header
                && !takes_others
                && !held.contains(&index)
                && self.columns.position(name).is_none()
            {
                let cut = self.cut(index);
                let near = self.meant(name).filter(|_| cut.is_none());
                let advice = match (near, &cut) {
                    (_, Some(whole)) => format!("A comma cuts \"{whole}\" in two: delete it."),
                    (Some(near), None) => format!("Did you mean \"{near}\"?"),
                    (None, None) => {
                        "If the system needs the values, rename the column; otherwise delete it, or keep it."
                            .to_owned()
                    }
                };
                let is_only = |near: &&str| {
                    let column = self.columns.position(near);
                    column.and_then(|column| candidates.get(&column)) == Some(&1)
                };
                let fix = near.filter(is_only).map(|near| fix::renamed(cell, name, near));
                report(Csv::UnknownColumn { name: clip_quoted(name), advice }, Some(path(name)), fix);
            }
        }
        let by_blank = by_blank.iter().filter(|_| filler.is_none());
        for missing in missing.iter().chain(by_blank) {
            let (advice, fix) = match self.below_titles(row.bytes.len() + line_break).filter(|_| !is_header) {
                Some((advice, fix)) => (advice, Some(fix)),
                None => self.of_missing(missing, is_header),
            };
            let (problem, path): (AnyProblem, _) = match (missing.column, &self.columns.one_of) {
                (Some(column), _) => {
                    let problem = Csv::MissingColumn { name: column.name, is_header, advice };
                    (problem.into(), Some(path(column.name)))
                }
                (None, Some(group)) => ((group.missing)(advice), None),
                (None, None) => continue,
            };
            found.push(RecordFinding::new(problem, 0..row.bytes.len(), path).with_fix(fix));
        }
    }

    /// The known column whose name this name and a neighbour form together, if a comma cuts it.
    fn cut(&self, index: usize) -> Option<String> {
        let joined = |first: usize| {
            let whole = format!("{}{}", self.list.get(first)?.trim(), self.list.get(first + 1)?.trim());
            self.columns.position(&whole).map(|_| whole)
        };
        joined(index).or_else(|| joined(index.checked_sub(1)?))
    }

    /// The columns that the system does not read.
    fn unknown(&self) -> impl Iterator<Item = (usize, &Rc<str>)> {
        let is_unknown =
            |(_, name): &(usize, &Rc<str>)| !name.trim().is_empty() && self.columns.position(name).is_none();
        self.list.iter().enumerate().filter(is_unknown)
    }

    /// The missing columns, with the columns that may hold their content.
    fn missing(&self) -> Vec<Missing> {
        let required = self.absent.iter().copied().filter(|column| column.required);
        let mut missing: Vec<Missing> =
            required.map(|column| Missing::new(column.names().collect(), Some(column))).collect();
        // By spelling first: a name resembles one column in spelling, but may mean several.
        let mut free: Vec<(usize, &str)> = self.unknown().map(|(index, name)| (index, &**name)).collect();
        for missing in &mut missing {
            let nearest = missing
                .names
                .iter()
                .find_map(|name| Some((suggest::nearest(name, free.iter().map(|(_, name)| *name))?, *name)));
            if let Some((near, name)) = nearest {
                let holder = free.iter().position(|(_, free)| *free == near).map(|at| free.remove(at).0);
                missing.holders.extend(holder.map(|index| (index, name)));
                missing.is_spelled = true;
            }
        }
        for missing in missing.iter_mut().filter(|missing| missing.holders.is_empty()) {
            free.retain(|(index, name)| {
                let meant = missing.names.iter().find(|wanted| means(name, wanted));
                missing.holders.extend(meant.map(|meant| (*index, *meant)));
                meant.is_none()
            });
        }
        missing
    }

    /// The group that requires a column, if the file has none of it and none that may be meant.
    fn missing_of_group(&self) -> Option<Missing> {
        let group = self.columns.one_of.as_ref()?;
        let is_of_group = |name: &str| group.names.contains(&name);
        let is_meant = |(_, name): (usize, &Rc<str>)| self.meant(name).is_some_and(is_of_group);
        let is_there = self.has_one_of || self.unknown().any(is_meant);
        (!is_there).then(|| Missing::new(group.names.to_vec(), None))
    }

    /// The advice and fix if a later row names the columns. `first_row` is the length of the first row.
    fn below_titles(&self, first_row: usize) -> Option<(String, RecordFix)> {
        let (line, before, _) = self.table.sample.get()?.names(self.columns, self.table.delimiter)?;
        let advice = format!("The names of the columns are on line {line}: delete what is above it.");
        let title = format!("Delete what is above the names of the columns on line {line}, which is lost");
        Some((advice, RecordFix::not_safe(title).replace(0..first_row + before, "")))
    }

    /// The advice and fix for a missing column.
    fn of_missing(&self, missing: &Missing, is_header: bool) -> (String, Option<RecordFix>) {
        let shown = |index: usize| clip_quoted(&self.list[index]);
        match missing.holders.as_slice() {
            [(index, name)] => {
                let advice = if missing.is_spelled {
                    format!("There is a column {}: rename it to \"{name}\".", shown(*index))
                } else {
                    format!("If {} holds it, rename it to \"{name}\".", shown(*index))
                };
                (advice, Some(fix::renamed(&self.cells[*index], &self.list[*index], name)))
            }
            [] => {
                let advice = match (missing.column, self.list) {
                    _ if self.is_in_quotes() => {
                        "The header is one cell, because the whole row is in quotes: remove the quotes around the rows.".to_owned()
                    }
                    _ if !is_header => {
                        "None of the columns is known: the first row must contain the names of the columns.".to_owned()
                    }
                    (Some(_), _) => "Add the column to the header, and a cell of it to each row.".to_owned(),
                    (None, _) => format!("Add the column {}.", missing.listed()),
                };
                (advice, None)
            }
            holders => {
                let are_same = holders.iter().all(|(_, name)| *name == holders[0].1);
                let each = |(index, name): &(usize, &str)| {
                    let shown = shown(*index);
                    if are_same { shown } else { format!("{shown} to \"{name}\"") }
                };
                let list: Vec<String> = holders.iter().map(each).collect();
                let advice = if are_same {
                    format!("If {} holds it, rename that to \"{}\".", list.join(" or "), holders[0].1)
                } else {
                    format!("Rename the column that holds it: {}.", list.join(", or "))
                };
                (advice, None)
            }
        }
    }

    /// Whether the header is a single cell that lists the names of columns.
    fn is_in_quotes(&self) -> bool {
        let lists = |name: &str| name.split(',').any(|name| self.columns.position(name.trim()).is_some());
        matches!(self.list, [only] if only.contains(',') && lists(only))
    }

    /// The missing column that a name means, by its spelling or its meaning.
    fn meant(&self, name: &str) -> Option<&'static str> {
        // One column of a group suffices.
        let group = self.columns.one_of.as_ref().map_or(&[][..], |group| group.names);
        let is_grouped = |name: &str| self.has_one_of && group.contains(&name);
        let absent = || self.absent.iter().copied();
        suggest::nearest(name.trim(), absent().flat_map(Column::names)).or_else(|| {
            let mut names = absent().map(|column| column.name).filter(|name| !is_grouped(name));
            names.find(|absent| means(name, absent))
        })
    }

    /// The columns without a name, neighbours together.
    fn nameless(&self) -> Vec<Nameless> {
        let is_blank = |index: usize| self.list[index].trim().is_empty();
        let begins = |index: &usize| is_blank(*index) && (*index == 0 || !is_blank(index - 1));
        let count = |first: usize| (first..self.list.len()).take_while(|index| is_blank(*index)).count();
        let firsts = (0..self.list.len()).filter(begins);
        firsts.map(|first| Nameless { first, count: count(first) }).collect()
    }

    /// Whether columns without a name may be a column of the table: they are neither blank nor count the rows.
    fn may_be_column(&self, run: &Nameless) -> bool {
        let texts = run.range().filter(|index| !self.table.profile().is_blank(*index)).count();
        texts > 0 && self.counted_from(run).is_none()
    }

    /// The number from which a first column counts the rows.
    fn counted_from(&self, run: &Nameless) -> Option<usize> {
        (run.first == 0 && run.count == 1).then(|| self.table.profile().counted_from(0)).flatten()
    }

    /// The finding of columns without a name. `meant` is the missing column that may be one of them.
    fn of_nameless(&self, run: &Nameless, meant: Option<&Missing>) -> (Csv, Option<RecordFix>) {
        let Nameless { first, count } = *run;
        let which = match count {
            1 => format!("column {} has", first + 1),
            _ => format!("columns {} to {} have", first + 1, first + count),
        };
        let is_complete = self.table.profile().is_complete();
        let are_last = first > 0 && first + count == self.list.len();
        let blank = run.range().filter(|index| self.table.profile().is_blank(*index)).count();
        let (advice, fix) = if let Some(meant) = meant.filter(|_| count == 1) {
            let advice = match meant.names.as_slice() {
                _ if meant.column.is_none() => {
                    format!(
                        "Name the column: it is probably {}, of which the file needs one.",
                        meant.listed()
                    )
                }
                _ => format!("Name the column: it is probably {}, which is missing.", meant.listed()),
            };
            let fix = meant.column.map(|column| {
                let title = format!("Name the column \"{}\", which is a guess", column.name);
                RecordFix::not_safe(title).replace(self.cells[first].span.clone(), column.name)
            });
            (advice, fix)
        } else if self.counted_from(run).is_some() {
            let advice = "Delete the column: it counts the rows, as pandas writes it (export with to_csv(index=False)).";
            let fix = RecordFix::not_safe("Delete the column, whose numbers are lost")
                .convert(Conversion::WithoutColumn { column: 0 });
            (advice.to_owned(), is_complete.then_some(fix))
        } else if blank == count {
            let (what, title) = match count {
                1 => ("Delete the column, which is blank in each row", "Delete the column, which is blank"),
                _ => {
                    ("Delete the columns, which are blank in each row", "Delete the columns, which are blank")
                }
            };
            let why = if are_last {
                " Spreadsheets export columns that were used once as commas at the end of every line."
            } else {
                ""
            };
            (format!("{what}.{why}"), self.without_blank(run, are_last, title))
        } else if blank > 0 {
            ("Name the columns that have texts, and delete the others.".to_owned(), None)
        } else if first == 0 {
            let advice = "Name the column. If it only numbers the rows, as pandas writes it (export with to_csv(index=False)), delete it.";
            (advice.to_owned(), None)
        } else {
            (if count == 1 { "Name the column." } else { "Name the columns." }.to_owned(), None)
        };
        (Csv::BlankColumn { which, advice }, fix)
    }

    /// Removes columns without text from the table. Safe if all rows were seen.
    fn without_blank(&self, run: &Nameless, are_last: bool, title: &'static str) -> Option<RecordFix> {
        let is_complete = self.table.profile().is_complete();
        if are_last {
            let fix = if is_complete {
                RecordFix::safe(title)
            } else {
                RecordFix::not_safe(
                    "Delete the cells of these columns that are blank; a row with a text in one keeps it",
                )
            };
            return Some(fix.convert(Conversion::WithoutBlankCells { columns: run.first as u64 }));
        }
        let is_certain = is_complete && run.count == 1;
        let conversion = Conversion::WithoutColumn { column: run.first as u64 };
        is_certain.then(|| RecordFix::safe(title).convert(conversion))
    }
}

impl Missing {
    fn new(names: Vec<&'static str>, column: Option<&'static Column>) -> Self {
        Self { names, column, holders: Vec::new(), is_spelled: false }
    }

    /// The names to write, as a list in a sentence.
    fn listed(&self) -> String {
        let names =
            if self.column.is_some() { &self.names[..1] } else { &self.names[..self.names.len().min(2)] };
        names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(" or ")
    }
}

impl Nameless {
    fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.count
    }
}

/// Whether the name of a column means the same as another, in any case and with any separator of words.
fn means(name: &str, wanted: &str) -> bool {
    let name = name.trim().to_lowercase().replace([' ', '-'], "_");
    are_synonyms(&name, wanted)
}
