//! The keys of the summary: what each is, what is to be reached, and which measure it comes from.

use std::fmt;

use anyhow::{Result, bail};

/// A number of the summary.
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) target: Target,
    /// The measure that it is drawn from, see `plan`.
    pub(super) measure: &'static str,
    pub(super) figure: Figure,
}

/// What is to be reached.
#[derive(Clone, Copy)]
pub(super) enum Target {
    AtMost(f64),
    AtLeast(f64),
}

/// How a number is drawn from what was measured.
#[derive(Clone, Copy)]
pub(super) enum Figure {
    /// Time of the product / time of this way, run by run.
    Time(&'static str),
    /// Time of this way / time of the product, run by run.
    Speed(&'static str),
    /// As [`Figure::Time`], the worst of several measures, whose names begin with the key's.
    WorstTime(&'static str),
    /// The median of a number that each run has, divided by a unit.
    Median(&'static str, f64),
    /// The largest wasm memory of `memory` and `memory-usual`, in MiB.
    WasmMemory,
    /// A single number, divided by a unit.
    Single(&'static str, f64),
}

const MIB: f64 = 1_048_576.0;

/// All of them, in the order of the table.
const KEYS: &[Key] = &[
    race("jsonl_short_vs_read", "juryarena JSONL, lines of 600 B: time / reading alone", 1.35, "short"),
    race("jsonl_long_vs_read", "juryarena JSONL, lines of 8 KB: time / reading alone", 1.25, "long"),
    race("jsonl_1gib_vs_read", "the two mixed, 1 GiB: time / reading alone", 1.2, "mixed"),
    speed("jsonl_short_vs_zod3", "lines of 600 B: speed / JSON.parse and Zod 3", 9.0, "short", "zod3"),
    speed("jsonl_long_vs_zod3", "lines of 8 KB: speed / JSON.parse and Zod 3", 6.0, "long", "zod3"),
    race("eee-instance_vs_read", "eee-instance: time / reading alone", 1.6, "eee-instance"),
    race("tencent-infer_vs_read", "tencent-infer: time / reading alone", 1.6, "tencent-infer"),
    race("tencent-eval_vs_read", "tencent-eval: time / reading alone", 1.6, "tencent-eval"),
    race("tencent-manual_vs_read", "tencent-manual, JSONL: time / reading alone", 1.6, "tencent-manual"),
    race("quest_vs_read", "quest: time / reading alone", 1.6, "quest"),
    race("evret_json_vs_read", "evret, one JSON document: time / reading alone", 2.5, "evret-json"),
    Key {
        name: "csv_vs_read",
        about: "CSV, the slower of evret and tencent-manual: time / reading alone",
        target: Target::AtMost(2.5),
        measure: "csv",
        figure: Figure::WorstTime("read"),
    },
    speed(
        "zip_vs_decompressionstream",
        "ZIP, 256 MiB inflated and its checksum compared: speed / DecompressionStream alone",
        1.15,
        "zip",
        "inflate",
    ),
    Key {
        name: "memory_1gib_mib",
        about: "1 GiB file: growth of the page's process over the idle page, MiB",
        target: Target::AtMost(24.0),
        measure: "memory",
        figure: Figure::Median("growth", MIB),
    },
    Key {
        name: "wasm_memory_mib",
        about: "256 MiB and 1 GiB file: WebAssembly memory, the larger, MiB",
        target: Target::AtMost(16.0),
        measure: "memory",
        figure: Figure::WasmMemory,
    },
    Key {
        name: "first_finding_ms",
        about: "1 GiB file whose line 3 is bad: from the drop to the finding on the screen, ms",
        target: Target::AtMost(200.0),
        measure: "first-finding",
        figure: Figure::Median("ms", 1.0),
    },
    Key {
        name: "longest_task_ms",
        about: "1 GiB with 1,000,000 findings, scrolled: longest task of the main thread, ms",
        target: Target::AtMost(50.0),
        measure: "longest-task",
        figure: Figure::Median("ms", 1.0),
    },
    Key {
        name: "jump_to_line_ms",
        about: "1 GiB file: from a line's number to the line on the screen, the slowest of 24, ms",
        target: Target::AtMost(100.0),
        measure: "jump",
        figure: Figure::Median("most", 1.0),
    },
    Key {
        name: "page_brotli_kb",
        about: "the page before a drop (HTML, CSS, JS, wasm), Brotli 11, kB",
        target: Target::AtMost(180.0),
        measure: "sizes",
        figure: Figure::Single("page", 1000.0),
    },
    Key {
        name: "engine_brotli_kb",
        about: "the engine's wasm, Brotli 11, kB",
        target: Target::AtMost(200.0),
        measure: "sizes",
        figure: Figure::Single("engine", 1000.0),
    },
    Key {
        name: "cli_gbps_per_core",
        about: "the command, 1 GiB file: GB for each second of each core",
        target: Target::AtLeast(1.2),
        measure: "cli",
        figure: Figure::Median("gb_per_cpu_second", 1.0),
    },
    Key {
        name: "cli_vs_python",
        about: "the command, lines of 600 B: speed / Python, json.loads and jsonschema",
        target: Target::AtLeast(100.0),
        measure: "python",
        figure: Figure::Median("speed", 1.0),
    },
];

const fn race(name: &'static str, about: &'static str, most: f64, measure: &'static str) -> Key {
    Key { name, about, target: Target::AtMost(most), measure, figure: Figure::Time("read") }
}

const fn speed(
    name: &'static str,
    about: &'static str,
    least: f64,
    measure: &'static str,
    way: &'static str,
) -> Key {
    Key { name, about, target: Target::AtLeast(least), measure, figure: Figure::Speed(way) }
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

impl Target {
    pub(super) fn is_met(self, value: f64) -> bool {
        match self {
            Self::AtMost(most) => value <= most,
            Self::AtLeast(least) => value >= least,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(most) => write!(f, "<= {most}"),
            Self::AtLeast(least) => write!(f, ">= {least}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_chosen_by_name() {
        assert_eq!(choose(&[]).unwrap().len(), KEYS.len());
        assert_eq!(choose(&["quest_vs_read".to_owned()]).unwrap().len(), 1);
        assert!(choose(&["no_such_key".to_owned()]).is_err());
    }

    #[test]
    fn a_target_includes_its_bound() {
        assert!(Target::AtMost(1.2).is_met(1.2) && !Target::AtMost(1.2).is_met(1.21));
        assert!(Target::AtLeast(9.0).is_met(9.0) && !Target::AtLeast(9.0).is_met(8.9));
        assert_eq!(Target::AtMost(1.35).to_string(), "<= 1.35");
    }
}
