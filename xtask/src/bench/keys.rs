//! The keys of the summary: what each is, its bound, and which measurements it comes from.

use std::fmt;

use anyhow::{Result, bail};

/// A number of the summary.
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) bound: Bound,
    /// The measurements it is computed from, see `plan`: the id of one, or what comes before the `/` in those of several.
    pub(super) group: &'static str,
    pub(super) figure: Figure,
}

/// What a number has to keep.
#[derive(Clone, Copy)]
pub(super) enum Bound {
    AtMost(f64),
    AtLeast(f64),
}
use Bound::{AtLeast, AtMost};

/// How a number is computed from what was measured.
#[derive(Clone, Copy)]
pub(super) enum Figure {
    /// Time of the product / time of this way, of the worst measurement in the group.
    Time(&'static str, Check),
    /// Time of this way / time of the product, of the worst measurement in the group.
    Speed(&'static str, Check),
    /// Time of one way / time of another one.
    Ratio(&'static str, &'static str, Check),
    /// The median of a number that each run has, divided by a unit.
    Median(&'static str, f64),
    /// The difference of the largest and the smallest median in the group, divided by a unit.
    Growth(&'static str, f64),
    /// A single number, divided by a unit.
    Single(&'static str, f64),
}

/// Which check in a page counts.
#[derive(Clone, Copy)]
pub(super) enum Check {
    /// In a page that has just been opened; keys of these end in `_first`.
    First,
    /// In the same page, once more.
    Second,
}
use Check::{First, Second};

const MIB: f64 = 1_048_576.0;

/// All keys, in the order of the table.
const KEYS: &[Key] = &[
    time("jsonl_1gib_vs_read", "JSONL, 1 GiB: time / reading alone", 1.2, "mixed", Second),
    time("jsonl_1gib_vs_read_first", "the same, first check in a page", 1.35, "mixed", First),
    Key {
        name: "page_workers_2_vs_1",
        about: "the page, JSONL, 1 GiB: speed with two workers / with one",
        bound: AtLeast(1.7),
        group: "workers",
        figure: Figure::Ratio("product-1", "product-2", Second),
    },
    Key {
        name: "page_workers_vs_reading",
        about: "the page, JSONL, 1 GiB, two workers: time / reading alone",
        bound: AtMost(0.8),
        group: "workers",
        figure: Figure::Ratio("product-2", "read", Second),
    },
    speed(
        "jsonl_short_vs_zod3",
        "JSONL, lines of 600 B: speed / JSON.parse and Zod 3",
        8.0,
        "short",
        "zod3",
        Second,
    ),
    speed("jsonl_short_vs_zod3_first", "the same, first check in a page", 8.0, "short", "zod3", First),
    time("jsonl_other_vs_read", "the slowest other JSONL format: time / reading alone", 1.8, "other", Second),
    time("jsonl_other_vs_read_first", "the same, first check in a page", 1.8, "other", First),
    time("csv_vs_read", "CSV, the slowest format: time / reading alone", 3.0, "csv", Second),
    time("csv_vs_read_first", "the same, first check in a page", 3.0, "csv", First),
    time("json_document_vs_read", "one JSON document: time / reading alone", 3.0, "json", Second),
    time("json_document_vs_read_first", "the same, first check in a page", 3.0, "json", First),
    speed(
        "zip_vs_decompressionstream",
        "ZIP, checksum compared: speed / DecompressionStream alone",
        1.0,
        "zip",
        "inflate",
        Second,
    ),
    speed(
        "zip_vs_decompressionstream_first",
        "the same, first check in a page",
        1.0,
        "zip",
        "inflate",
        First,
    ),
    time("search_vs_read", "JSONL, 1 GiB, searched for a text: time / reading alone", 1.2, "search", Second),
    time("search_regex_vs_read", "the same, searched for a regular expression", 3.0, "search-regex", Second),
    Key {
        name: "first_hit_ms",
        about: "1 GiB file: from Enter to the first match on the screen, ms",
        bound: AtMost(100.0),
        group: "first-hit",
        figure: Figure::Median("ms", 1.0),
    },
    Key {
        name: "jump_ms",
        about: "1 GiB file: from a jump in the list of records to the records on the screen, ms",
        bound: AtMost(100.0),
        group: "jump",
        figure: Figure::Median("ms", 1.0),
    },
    time(
        "compare_vs_read",
        "1 GiB, compared with another version of it: time / reading both",
        3.0,
        "compare",
        Second,
    ),
    Key {
        name: "fix_vs_check",
        about: "1 GiB with 25,000 safe fixes: time to apply and check / time of a check",
        bound: AtMost(3.0),
        group: "fix",
        figure: Figure::Median("fix", 1.0),
    },
    Key {
        name: "diff_vs_check",
        about: "the diff of those fixes: time / time of a check",
        bound: AtMost(2.0),
        group: "fix",
        figure: Figure::Median("diff", 1.0),
    },
    Key {
        name: "memory_1gib_mib",
        about: "1 GiB file: growth of the page's process over the idle page, MiB",
        bound: AtMost(32.0),
        group: "memory/large",
        figure: Figure::Median("growth", MIB),
    },
    Key {
        name: "wasm_memory_growth_mib",
        about: "WebAssembly memory for 1 GiB beyond that for 256 MiB, MiB",
        bound: AtMost(1.0),
        group: "memory",
        figure: Figure::Growth("wasm", MIB),
    },
    Key {
        name: "first_finding_ms",
        about: "1 GiB file whose line 3 is bad: from the drop to the finding on the screen, ms",
        bound: AtMost(200.0),
        group: "first-finding",
        figure: Figure::Median("ms", 1.0),
    },
    Key {
        name: "longest_task_ms",
        about: "1 GiB with 1,000,000 findings, scrolled: longest task of the main thread, ms",
        bound: AtMost(50.0),
        group: "longest-task",
        figure: Figure::Median("ms", 1.0),
    },
    Key {
        name: "page_brotli_kb",
        about: "the page before a drop (HTML, CSS, JavaScript, WebAssembly), Brotli 11, kB",
        bound: AtMost(426.0),
        group: "sizes",
        figure: Figure::Single("page", 1000.0),
    },
    Key {
        name: "engine_brotli_kb",
        about: "the engine, Brotli 11, kB",
        bound: AtMost(892.0),
        group: "sizes",
        figure: Figure::Single("engine", 1000.0),
    },
    Key {
        name: "regex_brotli_kb",
        about: "regular expressions, which are loaded when a query first has one, Brotli 11, kB",
        bound: AtMost(210.0),
        group: "sizes",
        figure: Figure::Single("regex", 1000.0),
    },
    Key {
        name: "markdown_brotli_kb",
        about: "Markdown, which is loaded when a record is first rendered, Brotli 11, kB",
        bound: AtMost(80.0),
        group: "sizes",
        figure: Figure::Single("markdown", 1000.0),
    },
    Key {
        name: "cli_gbps_per_core",
        about: "the command, 1 GiB file: GB per second of processor time",
        bound: AtLeast(1.2),
        group: "cli",
        figure: Figure::Median("gb_per_cpu_second", 1.0),
    },
    Key {
        name: "overview_vs_check",
        about: "the command, 1 GiB file: processor time with statistics / without",
        bound: AtMost(1.1),
        group: "overview",
        figure: Figure::Median("ratio", 1.0),
    },
    Key {
        name: "cli_jobs_2_vs_1",
        about: "the command, 1 GiB file: speed with two threads / with one",
        bound: AtLeast(1.8),
        group: "jobs",
        figure: Figure::Median("ratio", 1.0),
    },
    Key {
        name: "rivals_command",
        about: "the command, 256 MiB of two formats: processor time of the best of seven rivals / its own",
        bound: AtLeast(4.0),
        group: "rivals",
        figure: Figure::Median("ratio", 1.0),
    },
    speed(
        "rivals_page_ajv",
        "256 MiB of two formats: speed of the page / JSON.parse and ajv",
        4.0,
        "rivals-page",
        "ajv",
        Second,
    ),
    speed(
        "rivals_page_zod4",
        "256 MiB of two formats: speed of the page / JSON.parse and Zod 4",
        4.0,
        "rivals-page",
        "zod4",
        Second,
    ),
];

const fn time(name: &'static str, about: &'static str, most: f64, group: &'static str, check: Check) -> Key {
    Key { name, about, bound: AtMost(most), group, figure: Figure::Time("read", check) }
}

const fn speed(
    name: &'static str,
    about: &'static str,
    least: f64,
    group: &'static str,
    way: &'static str,
    check: Check,
) -> Key {
    Key { name, about, bound: AtLeast(least), group, figure: Figure::Speed(way, check) }
}

/// The keys of rivals.
pub(super) fn of_rivals() -> Vec<&'static Key> {
    KEYS.iter().filter(|key| key.name.starts_with("rivals_")).collect()
}

/// The keys that are asked for; all when none is.
pub(super) fn choose(only: &[String]) -> Result<Vec<&'static Key>> {
    for name in only {
        if !KEYS.iter().any(|key| key.name == name) {
            bail!("there is no key {name:?}; `cargo xtask bench --list` lists them");
        }
    }
    Ok(KEYS.iter().filter(|key| only.is_empty() || only.iter().any(|name| name == key.name)).collect())
}

impl Bound {
    pub(super) fn is_kept(self, value: f64) -> bool {
        match self {
            AtMost(most) => value <= most,
            AtLeast(least) => value >= least,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AtMost(most) => write!(f, "<= {most}"),
            AtLeast(least) => write!(f, ">= {least}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_chosen_by_name() {
        assert_eq!(choose(&[]).unwrap().len(), KEYS.len());
        assert_eq!(choose(&["csv_vs_read".to_owned()]).unwrap().len(), 1);
        assert!(choose(&["no_such_key".to_owned()]).is_err());
    }

    #[test]
    fn the_first_check_in_a_page_has_a_key_of_its_own() {
        for key in KEYS {
            if let Figure::Time(_, check) | Figure::Speed(_, check) = key.figure {
                assert_eq!(matches!(check, First), key.name.ends_with("_first"), "{}", key.name);
            }
        }
    }

    #[test]
    fn a_bound_includes_its_value() {
        assert!(AtMost(1.2).is_kept(1.2) && !AtMost(1.2).is_kept(1.21));
        assert!(AtLeast(9.0).is_kept(9.0) && !AtLeast(9.0).is_kept(8.9));
        assert_eq!(AtMost(1.35).to_string(), "<= 1.35");
    }
}
