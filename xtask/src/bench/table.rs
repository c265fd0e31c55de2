//! From what was measured to numbers, and numbers as a table.

use std::fmt::Write as _;

use serde_json::Value;

use super::keys::{Figure, Key};
use super::plan::Measure;

const MIB: f64 = 1_048_576.0;

/// A key with what came out.
pub(super) struct Line {
    pub(super) key: &'static Key,
    /// `None` when it could not be measured.
    pub(super) value: Option<f64>,
    /// What is behind the number; or why there is none.
    pub(super) note: String,
}

/// Draws each key's number.
pub(super) fn lines(keys: &[&'static Key], measures: &Value) -> Vec<Line> {
    keys.iter().map(|key| line(key, measures)).collect()
}

fn line(key: &'static Key, measures: &Value) -> Line {
    let measure = &measures[key.measure];
    let drawn = match key.figure {
        Figure::Time(way) => ratio(measure, "product", way),
        Figure::Speed(way) => ratio(measure, way, "product"),
        Figure::WorstTime(way) => worst(key, measures, way),
        Figure::Median(field, unit) => {
            median_of(measure, field).map(|value| (value / unit, spread(measure, field, unit)))
        }
        Figure::WasmMemory => wasm_memory(measures),
        Figure::Single(field, unit) => measure[field].as_f64().map(|value| (value / unit, String::new())),
    };
    match drawn {
        Some((value, note)) => Line { key, value: Some(value), note },
        None => Line { key, value: None, note: why_not(key, measures) },
    }
}

fn why_not(key: &Key, measures: &Value) -> String {
    let prefix = format!("{}/", key.measure);
    let of_key = |(id, _): &(&String, &Value)| *id == key.measure || id.starts_with(&prefix);
    let mut errors =
        measures.as_object().into_iter().flatten().filter(of_key).filter_map(|(_, it)| it["error"].as_str());
    errors.next().unwrap_or("not in the catalogue").to_owned()
}

/// The median of the ratios of two ways, run by run: what slows the machine down slows down both.
fn ratio(measure: &Value, above: &str, below: &str) -> Option<(f64, String)> {
    let ratios = |which: &str| {
        let (above_ms, below_ms) = (times(measure, above, which)?, times(measure, below, which)?);
        Some(above_ms.iter().zip(&below_ms).map(|(a, b)| a / b).collect::<Vec<_>>())
    };
    let (first, again) = (ratios("first")?, ratios("again").unwrap_or_default());
    let value = median(&first)?;
    let middle = |way: &str| times(measure, way, "first").and_then(|ms| median(&ms));
    let (above_ms, below_ms) = (middle(above)?, middle(below)?);
    let (least, most) = range(&first);
    let again =
        median(&again).map_or_else(String::new, |again| format!(", again in the same page {again:.2}"));
    let note = format!("{above} {above_ms:.0} ms, {below} {below_ms:.0} ms; {least:.2} to {most:.2}{again}");
    Some((value, note))
}

/// Milliseconds of a way in every run: `first` in a page that was just opened, or `again` in the same.
fn times(measure: &Value, way: &str, which: &str) -> Option<Vec<f64>> {
    let runs = measure[way].as_array()?;
    let times = runs.iter().map(|run| run[which].as_f64()).collect::<Option<Vec<_>>>()?;
    (!times.is_empty()).then_some(times)
}

/// The worst of several measures; all of them have to be there.
fn worst(key: &Key, measures: &Value, way: &str) -> Option<(f64, String)> {
    let prefix = format!("{}/", key.measure);
    let parts = measures.as_object()?.iter().filter(|(id, _)| id.starts_with(&prefix));
    let ratios = parts
        .map(|(id, measure)| Some((ratio(measure, "product", way)?, id)))
        .collect::<Option<Vec<_>>>()
        .filter(|parts| parts.len() >= 2)?;
    let ((value, note), id) = ratios.into_iter().max_by(|a, b| a.0.0.total_cmp(&b.0.0))?;
    Some((value, format!("{}: {note}", id.trim_start_matches(&prefix))))
}

fn wasm_memory(measures: &Value) -> Option<(f64, String)> {
    let large = median_of(&measures["memory"], "wasm")? / MIB;
    let usual = median_of(&measures["memory-usual"], "wasm")? / MIB;
    Some((large.max(usual), format!("{usual:.1} MiB, {large:.1} MiB")))
}

/// The median of a number that every run has.
fn median_of(measure: &Value, field: &str) -> Option<f64> {
    median(&numbers(measure, field)?)
}

fn numbers(measure: &Value, field: &str) -> Option<Vec<f64>> {
    measure.as_array()?.iter().map(|run| run[field].as_f64()).collect()
}

fn spread(measure: &Value, field: &str, unit: f64) -> String {
    let (least, most) = range(&numbers(measure, field).unwrap_or_default());
    format!("{:.1} to {:.1}", least / unit, most / unit)
}

fn range(numbers: &[f64]) -> (f64, f64) {
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    (least, numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

/// The middle one; of two in the middle, their mean.
fn median(numbers: &[f64]) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (&below, &above) = (sorted.get(sorted.len().saturating_sub(1) / 2)?, sorted.get(sorted.len() / 2)?);
    Some(f64::midpoint(below, above))
}

/// The table for the terminal.
pub(super) fn render(lines: &[Line]) -> String {
    let mut text = format!("{:<28} {:>9} {:>9}  \n", "key", "measured", "target");
    for line in lines {
        let value = line.value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"));
        let met = match line.value {
            Some(value) if line.key.target.is_met(value) => "ok    ",
            Some(_) => "MISSED",
            None => "NOT MEASURED",
        };
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{:<28} {value:>9} {:>9}  {met}  {}",
            line.key.name,
            line.key.target.to_string(),
            line.note
        );
    }
    text
}

/// The table of how costs grow, as Markdown.
pub(super) fn growth(measures: &[Measure], results: &Value) -> String {
    let mut text =
        "| file | findings | time | time / reading alone | page's process grows | WebAssembly memory |\n\
         |---|---|---|---|---|---|\n"
            .to_owned();
    for measure in measures {
        let Some(rest) = measure.id.strip_prefix("time/") else { continue };
        let (time, memory) = (&results[&measure.id], &results[&format!("memory/{rest}")]);
        let ms = times(time, "product", "first").and_then(|ms| median(&ms));
        let of_read = ratio(time, "product", "read").map(|(value, _)| value);
        let (growth, wasm) = (median_of(memory, "growth"), median_of(memory, "wasm"));
        let cell = |value: Option<f64>, unit: f64, digits: usize| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{:.digits$}", value / unit))
        };
        let findings =
            time["product"][0]["errors"].as_u64().map_or_else(|| "-".to_owned(), |n| n.to_string());
        let _ = writeln!(
            text,
            "| {} MiB | {findings} | {} s | {} | {} MiB | {} MiB |",
            measure.mib,
            cell(ms, 1000.0, 2),
            cell(of_read, 1.0, 2),
            cell(growth, MIB, 0),
            cell(wasm, MIB, 1)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::keys::choose;
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&[7.0]), Some(7.0));
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn ratios_are_taken_run_by_run() {
        // A machine that is busy in the second run slows down both.
        let measure = json!({
            "product": [{"first": 120.0}, {"first": 600.0}, {"first": 130.0}],
            "read": [{"first": 100.0}, {"first": 500.0}, {"first": 100.0}],
        });
        let (value, _) = ratio(&measure, "product", "read").unwrap();
        assert!((value - 1.2).abs() < 1e-9);
    }

    #[test]
    fn what_failed_has_no_number_and_says_why() {
        let keys = choose(&["jsonl_short_vs_read".to_owned(), "csv_vs_read".to_owned()]).unwrap();
        let one = json!({"product": [{"first": 2.0}], "read": [{"first": 1.0}]});
        let measures = json!({"short": {"error": "it broke"}, "csv/a": one, "csv/b": {"error": "no CSV"}});
        let lines = lines(&keys, &measures);
        assert_eq!((lines[0].value, lines[0].note.as_str()), (None, "it broke"));
        assert_eq!((lines[1].value, lines[1].note.as_str()), (None, "no CSV"));
        assert!(render(&lines).contains("NOT MEASURED"));
    }
}
