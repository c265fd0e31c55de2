//! What the browser measures: which data, which ways.

use serde_json::{Value, json};

use super::keys::Key;

/// Sizes of the data in MiB.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    /// What the table calls 256 MiB.
    pub(super) usual: u32,
    /// What the table calls 1 GiB.
    pub(super) large: u32,
}

impl Sizes {
    pub(super) const FULL: Self = Self { usual: 256, large: 1024 };
    pub(super) const QUICK: Self = Self { usual: 64, large: 256 };
}

/// One thing to measure.
pub(super) struct Measure {
    pub(super) id: String,
    /// The script of `benches/drive` that does it.
    kind: &'static str,
    /// The set of `benches/records.mjs`.
    set: &'static str,
    pub(super) mib: u32,
    ways: &'static [&'static str],
}

impl Measure {
    fn new(id: impl Into<String>, kind: &'static str, set: &'static str, mib: u32) -> Self {
        Self { id: id.into(), kind, set, mib, ways: &[] }
    }

    fn race(id: impl Into<String>, set: &'static str, mib: u32, ways: &'static [&'static str]) -> Self {
        Self { ways, ..Self::new(id, "race", set, mib) }
    }

    /// The data, as `data.mjs` is asked for it.
    pub(super) fn data(&self) -> String {
        format!("{}:{}", self.set, self.mib)
    }

    /// As `drive.mjs` takes it.
    pub(super) fn to_json(&self, file: &Value, runs: u32) -> Value {
        json!({ "id": self.id, "measure": self.kind, "file": file, "ways": self.ways, "runs": runs })
    }
}

/// Sets of data with the format that they need, where they are raced against reading alone.
const FORMATS: &[(&str, &str)] = &[
    ("eee-instance", "eee-instance"),
    ("tencent-infer", "tencent-infer"),
    ("tencent-eval", "tencent-eval"),
    ("tencent-manual", "tencent-manual"),
    ("quest", "quest"),
    ("evret-json", "evret"),
];

/// Both kinds of CSV, measured for one key.
const CSV: &[(&str, &str)] = &[("tencent-manual-csv", "tencent-manual"), ("evret-csv", "evret")];

/// What keys need of the browser, each measure once. A format that the catalogue has not is left out.
pub(super) fn of_keys(keys: &[&Key], sizes: Sizes, has_format: impl Fn(&str) -> bool) -> Vec<Measure> {
    let mut measures: Vec<Measure> = Vec::new();
    for key in keys {
        for measure in of_key(key, sizes, &has_format) {
            if !measures.iter().any(|planned| planned.id == measure.id) {
                measures.push(measure);
            }
        }
    }
    measures
}

fn of_key(key: &Key, sizes: Sizes, has_format: &impl Fn(&str) -> bool) -> Vec<Measure> {
    let Sizes { usual, large } = sizes;
    let all_ways = &["product", "read", "zod3", "ajv"];
    let floor = &["product", "read"];
    let single = match key.measure {
        "short" => Measure::race("short", "juryarena-short", usual, all_ways),
        "long" => Measure::race("long", "juryarena-long", usual, all_ways),
        "mixed" => Measure::race("mixed", "juryarena-mixed", large, floor),
        "zip" => Measure::race("zip", "juryarena-zip", usual, &["product", "inflate"]),
        "first-finding" => Measure::new("first-finding", "first-finding", "juryarena-line-3", large),
        "longest-task" => Measure::new("longest-task", "longest-task", "juryarena-1000000-findings", large),
        "jump" => Measure::new("jump", "jump", "juryarena-mixed", large),
        "memory" => {
            return vec![
                Measure::new("memory", "memory", "juryarena-mixed", large),
                Measure::new("memory-usual", "memory", "juryarena-mixed", usual),
            ];
        }
        "csv" => {
            let there = CSV.iter().filter(|(_, format)| has_format(format));
            return there.map(|(set, _)| Measure::race(format!("csv/{set}"), set, usual, floor)).collect();
        }
        other => {
            let set = FORMATS.iter().find(|(set, format)| *set == other && has_format(format));
            return set.map(|(set, _)| Measure::race(*set, set, usual, floor)).into_iter().collect();
        }
    };
    vec![single]
}

/// Files of growing size, and files with growing numbers of findings.
pub(super) fn growth(sizes: Sizes, huge: bool) -> Vec<Measure> {
    let mut of_bytes = vec![sizes.usual / 4, sizes.usual, sizes.large];
    if huge {
        of_bytes.push(sizes.large * 4);
    }
    let findings = ["juryarena-10-findings", "juryarena-10000-findings", "juryarena-1000000-findings"];
    let files = of_bytes
        .into_iter()
        .map(|mib| ("juryarena-mixed", mib))
        .chain(findings.into_iter().map(|set| (set, sizes.large)));
    files
        .flat_map(|(set, mib)| {
            let id = |what: &str| format!("{what}/{set}:{mib}");
            [
                Measure::race(id("time"), set, mib, &["product", "read"]),
                Measure::new(id("memory"), "memory", set, mib),
            ]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::keys::choose;
    use super::*;

    fn ids(format_there: bool) -> Vec<String> {
        let measures = of_keys(&choose(&[]).unwrap(), Sizes::FULL, |_| format_there);
        measures.into_iter().map(|measure| measure.id).collect()
    }

    #[test]
    fn each_measure_is_planned_once_and_every_key_has_one() {
        let ids = ids(true);
        for key in choose(&[]).unwrap() {
            let here = ["sizes", "cli", "python"].contains(&key.measure);
            let planned = ids.iter().filter(|id| id.split('/').next() == Some(key.measure)).count();
            assert!(here || planned == 1 || key.measure == "csv" && planned == 2, "{}: {planned}", key.name);
        }
    }

    #[test]
    fn a_format_that_is_not_there_is_not_measured() {
        let ids = ids(false);
        assert!(ids.contains(&"short".to_owned()) && !ids.contains(&"quest".to_owned()));
    }
}
