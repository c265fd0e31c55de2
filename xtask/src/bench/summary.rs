//! `summary.json`: the numbers by their keys, and the circumstances of the run.

use serde_json::{Map, Value, json};

use super::table::Line;
use crate::process::output;

/// Every key with its number (null where there is none), then notes, machine and browser.
pub(super) fn of(lines: &[Line], results: &Value, runs: u32, quick: bool) -> Value {
    let mut summary = Map::new();
    for line in lines {
        summary
            .insert(line.key.name.to_owned(), line.value.map_or(Value::Null, |value| json!(rounded(value))));
    }
    let about = lines.iter().map(|line| {
        let kept = line.value.map(|value| line.key.bound.is_kept(value));
        let about = json!({
            "about": line.key.about, "bound": line.key.bound.to_string(), "kept": kept, "note": line.note,
        });
        (line.key.name.to_owned(), about)
    });
    summary.insert("about".to_owned(), Value::Object(about.collect()));
    summary.insert("machine".to_owned(), json!(machine()));
    summary.insert("browser".to_owned(), results["browser"].clone());
    summary.insert("runs".to_owned(), json!(runs));
    // With a quarter of the data.
    summary.insert("quick".to_owned(), json!(quick));
    Value::Object(summary)
}

fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// Processor, cores and system, as far as they are known.
pub(super) fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let cpu = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        text.lines().find_map(|line| {
            Some(line.strip_prefix("model name")?.trim_start_matches(['\t', ' ', ':']).to_owned())
        })
    });
    let cpu = cpu
        .or_else(|| {
            output(std::process::Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"])).ok()
        })
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let (cpu, system) = (cpu.trim(), std::env::consts::OS);
    let load = std::fs::read_to_string("/proc/loadavg").ok();
    let load = load.as_deref().and_then(|load| load.split(' ').next()).unwrap_or("unknown");
    format!("{cpu}, {cores} cores, {system}, load {load}")
}
