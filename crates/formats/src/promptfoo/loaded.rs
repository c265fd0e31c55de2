//! A test as promptfoo holds it after loading.

use std::collections::BTreeMap;

use super::assertions::{self, Cell, TAGS};
use super::row::Role;
use crate::diagnose::Kind;
use crate::javascript::trim;
use crate::loaded::{Held, HeldMember, JsonReader, Loader, Loading, SHADOWED, rule_loss};
use evalcheck_records::Layout;

/// The tests that promptfoo 0.123.1 makes of records.
pub(super) const LOADER: Loader = Loader {
    source: "This is what promptfoo 0.123.1 holds of the test, by its code (src/csv.ts and src/util/testCaseReader.ts).",
    is_known: true,
    held: |loading| match loading.variant.layout {
        Layout::Csv(_) => row(loading),
        _ => test(loading),
    },
    loss: rule_loss,
    ..Loader::UNKNOWN
};

/// A test of JSON.
fn test(loading: &Loading<'_>) -> Held {
    let mut held = Held::read(loading.root, loading.bytes, JsonReader::JavaScript);
    let vars = loading.root.get("vars");
    let has_files = vars.is_some_and(|vars| matches!(vars.kind, Kind::String(_) | Kind::Array(_)));
    if has_files && let Some(vars) = held.get_mut("vars") {
        let why = "promptfoo reads the value as the path of YAML files. If there are none, the test has no variables.";
        *vars = Held::object(Vec::new()).changed(why);
    }
    let is_named = loading
        .root
        .get("description")
        .is_some_and(|name| name.kind != Kind::Null && name.as_str() != Some(""));
    if !is_named {
        let own = description(loading);
        match held.get_mut("description") {
            Some(name) => *name = own.changed(NAMED),
            None => push(&mut held, "description", own.added(NAMED)),
        }
    }
    held
}

const NAMED: &str = "promptfoo names a test without a description by its number.";

fn description(loading: &Loading<'_>) -> Held {
    Held::string(&format!("Row #{}", loading.row + 1))
}

fn push(held: &mut Held, key: &str, value: Held) {
    if let Some(members) = held.members_mut() {
        members.push(HeldMember::new(key, value));
    }
}

/// A number as JavaScript holds it.
fn number(value: f64) -> Held {
    Held::read_text(&value.to_string(), JsonReader::JavaScript)
}

/// A row.
fn row(loading: &Loading<'_>) -> Held {
    let Kind::Object(cells) = &loading.root.kind else { return Held::object(Vec::new()) };
    let mut held = Held::object(Vec::new());
    let (mut vars, mut options, mut metadata) = (Members::default(), Members::default(), Members::default());
    let (mut asserts, mut limits, mut metric) = (Vec::new(), BTreeMap::new(), None);
    let mut ignored = Vec::new();
    let last: BTreeMap<&str, usize> = cells.iter().zip(0..).map(|(cell, at)| (trim(&cell.key), at)).collect();
    for (at, cell) in cells.iter().enumerate() {
        let (name, text) = (trim(&cell.key), cell.value.as_str().unwrap_or_default());
        if last[name] != at {
            ignored.push(HeldMember::new(name, Held::string(text).removed(SHADOWED)));
            continue;
        }
        let is_blank = trim(text).is_empty();
        match Role::of(name) {
            Role::Expected if !is_blank => asserts.push(assertion(trim(text))),
            Role::Option(key) => options.set(key, Held::string(text)),
            Role::Field(key) if !text.is_empty() => push(&mut held, key, Held::string(text)),
            Role::Metric => metric = Some(text),
            Role::Threshold => match assertions::number(text) {
                Some(value) => push(&mut held, "threshold", number(value)),
                None if is_blank => {}
                None => push(
                    &mut held,
                    "threshold",
                    Held::string(text).removed("It is not a number, and promptfoo drops it."),
                ),
            },
            Role::Metadata { .. } if is_blank => {}
            Role::Metadata { key, is_list: true } => {
                let items = TAGS.items(text).unwrap_or_default();
                let why = "promptfoo cuts the cell at its commas.";
                let items = items.iter().map(|item| Held::string(item)).collect();
                metadata.set(key, Held::array(items).changed(why));
            }
            Role::Metadata { key, .. } => metadata.set(key, Held::string(text)),
            Role::Config { target, .. } => {
                let _ = assertions::number(text).map(|limit| limits.insert(target, limit));
            }
            // promptfoo warns of it once, and does not know it afterwards.
            Role::Ignored { .. } if name == "__metadata" && loading.row > 0 => {
                vars.set(name, Held::string(text));
            }
            Role::Ignored { why, .. } => ignored.push(HeldMember::new(name, Held::string(text).removed(why))),
            Role::Expected | Role::Field(_) | Role::Refused(_) => {}
            Role::Variable => vars.set(name, Held::string(text)),
        }
    }
    for (at, members) in asserts.iter_mut().enumerate() {
        members.extend(metric.map(|metric| HeldMember::new("metric", Held::string(metric))));
        if let Some(limit) = limits.get(&at) {
            members.retain(|member| member.key != "threshold");
            let held = number(*limit).changed("It is that of a column of configuration.");
            members.push(HeldMember::new("threshold", held));
            metadata
                .set("threshold", number(*limit).added("promptfoo keeps the threshold in the metadata too."));
        }
    }
    vars.list.append(&mut ignored);
    let asserts = asserts.into_iter().map(|members| Held::object(members).changed(READ)).collect();
    push(&mut held, "vars", Held::object(vars.list));
    push(&mut held, "assert", Held::array(asserts));
    push(&mut held, "options", Held::object(options.list));
    if !metadata.list.is_empty() {
        push(&mut held, "metadata", Held::object(metadata.list));
    }
    if held.get_mut("description").is_none() {
        push(&mut held, "description", description(loading).added(NAMED));
    }
    held
}

const READ: &str = "promptfoo reads the text of the cell as an assertion.";

/// Members of an object; of several with one key the last one counts.
#[derive(Default)]
struct Members {
    list: Vec<HeldMember>,
    places: BTreeMap<String, usize>,
}

impl Members {
    fn set(&mut self, key: &str, value: Held) {
        if let Some(place) = self.places.get(key) {
            self.list[*place].value = value;
            return;
        }
        self.places.insert(key.to_owned(), self.list.len());
        self.list.push(HeldMember::new(key, value));
    }
}

/// The assertion of a cell, without white space around it.
fn assertion(text: &str) -> Vec<HeldMember> {
    let Some(cell) = Cell::read(text) else {
        return vec![
            HeldMember::new("type", Held::string("equals")),
            HeldMember::new("value", Held::string(text)),
        ];
    };
    let mut members = vec![HeldMember::new("type", Held::string(cell.name))];
    match cell.items() {
        Some(items) => {
            let items = items.unwrap_or_default().iter().map(|item| Held::string(item)).collect();
            members.push(HeldMember::new("value", Held::array(items)));
        }
        None => members.extend(cell.value.map(|value| HeldMember::new("value", Held::string(value)))),
    }
    if let Some(usual) = cell.of.threshold {
        let own = cell.number.and_then(|number| number.parse().ok());
        members.push(HeldMember::new("threshold", number(own.unwrap_or(usual))));
    }
    members
}
