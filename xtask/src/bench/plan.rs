//! What the browser measures: which data, which ways.

use serde_json::{Value, json};

use super::keys::Key;

/// One measurement.
pub(super) struct Measurement {
    /// What keys name; where a key is computed from several, followed by `/` and the name of this one.
    pub(super) id: &'static str,
    /// The script of `benches/drive` that does it.
    kind: &'static str,
    /// The purpose of the sets of `benches/records.mjs` that it is made with, each by itself.
    purpose: &'static str,
    /// The size of the data.
    mib: u32,
    ways: &'static [&'static str],
    /// What is searched, where something is.
    query: &'static str,
}

/// The usual size of the data, in MiB, and that of large files.
const USUAL: u32 = 256;
const LARGE: u32 = 1024;

const READ: &[&str] = &["product", "read"];

/// All measurements in a browser.
const MEASUREMENTS: &[Measurement] = &[
    race("mixed", LARGE, READ),
    Measurement {
        id: "workers",
        kind: "race",
        purpose: "mixed",
        mib: LARGE,
        ways: &["product-2", "product-1", "read"],
        query: "",
    },
    race("short", USUAL, &["product", "zod3"]),
    race("other", USUAL, READ),
    race("csv", USUAL, READ),
    race("json", USUAL, READ),
    race("zip", USUAL, &["product", "inflate"]),
    Measurement { id: "rivals-page", ..race("rivals", USUAL, &["product", "zod4", "ajv"]) },
    measurement("first-finding", "first-finding", "line-3", LARGE),
    measurement("longest-task", "longest-task", "findings", LARGE),
    // Both find the bad records, which have a role that JuryArena does not know.
    search("search", "search", "role:=tool"),
    search("search-regex", "search", "/^tool$/"),
    search("first-hit", "first-hit", "role:user"),
    measurement("jump", "jump", "mixed", LARGE),
    Measurement { id: "compare", kind: "compare", purpose: "mixed", mib: LARGE, ways: READ, query: "" },
    measurement("fix", "fix", "fixes", LARGE),
    measurement("memory/usual", "memory", "mixed", USUAL),
    measurement("memory/large", "memory", "mixed", LARGE),
];

/// A race with the sets of a purpose, which is its id.
const fn race(id: &'static str, mib: u32, ways: &'static [&'static str]) -> Measurement {
    Measurement { id, kind: "race", purpose: id, mib, ways, query: "" }
}

const fn measurement(id: &'static str, kind: &'static str, purpose: &'static str, mib: u32) -> Measurement {
    Measurement { id, kind, purpose, mib, ways: &[], query: "" }
}

/// A search of the large file.
const fn search(id: &'static str, kind: &'static str, query: &'static str) -> Measurement {
    Measurement { id, kind, purpose: "mixed", mib: LARGE, ways: READ, query }
}

impl Measurement {
    /// Whether a way takes the JSON Schema of the format.
    pub(super) fn wants_schema(&self) -> bool {
        self.ways.contains(&"ajv")
    }

    /// The data, as `data.mjs` is asked for it.
    pub(super) fn data(&self, quick: bool) -> String {
        format!("{}:{}", self.purpose, mib(self.mib, quick))
    }

    /// As `drive.mjs` takes it, for each file. Of several the id ends in `/` and the name of the set.
    pub(super) fn to_json(&self, files: &[Value], runs: u32) -> Vec<Value> {
        let id = |file: &Value| match files {
            [_] => self.id.to_owned(),
            _ => format!("{}/{}", self.id, file["name"].as_str().unwrap_or_default()),
        };
        let asked = |file| json!({ "id": id(file), "measure": self.kind, "file": file, "ways": self.ways, "query": self.query, "runs": runs });
        files.iter().map(asked).collect()
    }
}

/// The size of data in MiB: with `quick` a quarter.
fn mib(full: u32, quick: bool) -> u32 {
    if quick { full / 4 } else { full }
}

/// The purpose and the size of the file that the command is measured with.
pub(super) fn for_the_command(quick: bool) -> (&'static str, u32) {
    ("mixed", mib(LARGE, quick))
}

/// The same for the files that rivals check as well.
pub(super) fn for_the_rivals(quick: bool) -> (&'static str, u32) {
    ("rivals", mib(USUAL, quick))
}

/// Whether the measurement `id` belongs to a key's group.
pub(super) fn belongs(id: &str, group: &str) -> bool {
    id.strip_prefix(group).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// What the keys need of the browser, each measurement once.
pub(super) fn of_keys(keys: &[&Key]) -> Vec<&'static Measurement> {
    let is_needed = |it: &&Measurement| keys.iter().any(|key| belongs(it.id, key.group));
    MEASUREMENTS.iter().filter(is_needed).collect()
}

#[cfg(test)]
mod tests {
    use super::super::keys::choose;
    use super::*;

    #[test]
    fn every_key_has_a_measurement_and_every_measurement_a_key() {
        let keys = choose(&[]).unwrap();
        assert_eq!(of_keys(&keys).len(), MEASUREMENTS.len());
        for key in keys {
            let here = ["sizes", "cli", "overview", "jobs", "rivals"].contains(&key.group);
            assert!(here || !of_keys(&[key]).is_empty(), "{}", key.name);
        }
    }

    #[test]
    fn groups_are_told_apart_by_whole_words() {
        assert!(belongs("memory/large", "memory") && belongs("memory/large", "memory/large"));
        assert!(!belongs("memory/large", "mem") && !belongs("memory/large", "memory/large/x"));
    }
}
