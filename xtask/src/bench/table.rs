//! From measurements to numbers, and numbers as a table.

use std::fmt::Write as _;

use serde_json::Value;

use super::keys::{Check, Figure, Key};
use super::plan::belongs;

/// A key with what came out.
pub(super) struct Line {
    pub(super) key: &'static Key,
    /// `None` when it could not be measured.
    pub(super) value: Option<f64>,
    /// The figures from which the number comes; or why there is none.
    pub(super) note: String,
}

/// A number with the figures from which it comes.
type Computed = (f64, String);

/// Computes each key's number. `measured` holds the result of each measurement under its id.
pub(super) fn lines(keys: &[&'static Key], measured: &Value) -> Vec<Line> {
    keys.iter()
        .map(|key| match compute(key, measured) {
            Ok((value, note)) => Line { key, value: Some(value), note },
            Err(note) => Line { key, value: None, note },
        })
        .collect()
}

/// A key's number, or why there is none: all measurements of its group have to be there.
fn compute(key: &Key, measured: &Value) -> Result<Computed, String> {
    let of_group: Vec<(&String, &Value)> =
        measured.as_object().into_iter().flatten().filter(|(id, _)| belongs(id, key.group)).collect();
    if let Some(error) = of_group.iter().find_map(|(_, result)| result["error"].as_str()) {
        return Err(error.to_owned());
    }
    let each = |compute: &dyn Fn(&Value) -> Option<Computed>| {
        let computed = of_group.iter().map(|(id, result)| {
            let (value, note) = compute(result)?;
            let name = id.split_once('/').map_or_else(String::new, |(_, name)| format!("{name}: "));
            Some((value, format!("{name}{note}")))
        });
        computed.collect::<Option<Vec<Computed>>>()
    };
    let by_value = |a: &Computed, b: &Computed| a.0.total_cmp(&b.0);
    let computed = match key.figure {
        Figure::Time(way, check) => each(&|result| ratio(result, "product", way, check))
            .and_then(|all| all.into_iter().max_by(by_value)),
        Figure::Speed(way, check) => each(&|result| ratio(result, way, "product", check))
            .and_then(|all| all.into_iter().min_by(by_value)),
        Figure::Ratio(above, below, check) => {
            each(&|result| ratio(result, above, below, check)).and_then(|all| all.into_iter().next())
        }
        Figure::Median(field, unit) => {
            each(&|result| median_of(result, field, unit)).and_then(|all| all.into_iter().next())
        }
        Figure::Growth(field, unit) => each(&|result| median_of(result, field, unit)).and_then(growth),
        Figure::Single(field, unit) => each(&|result| Some((result[field].as_f64()? / unit, String::new())))
            .and_then(|all| all.into_iter().next()),
    };
    computed.ok_or_else(|| "nothing was measured".to_owned())
}

/// The difference of the largest and the smallest.
fn growth(all: Vec<Computed>) -> Option<Computed> {
    let numbers: Vec<f64> = all.iter().map(|(value, _)| *value).collect();
    let notes: Vec<String> = all.into_iter().map(|(_, note)| note).collect();
    let (least, most) = range(&numbers);
    (numbers.len() > 1).then(|| (most - least, notes.join("; ")))
}

/// The median of the ratios of two ways, run by run: what slows the machine down slows down both.
fn ratio(result: &Value, above: &str, below: &str, check: Check) -> Option<Computed> {
    let (above_ms, below_ms) = (times(result, above, check)?, times(result, below, check)?);
    let ratios: Vec<f64> = above_ms.iter().zip(&below_ms).map(|(above, below)| above / below).collect();
    let (least, most) = range(&ratios);
    let (above_median, below_median) = (median(&above_ms)?, median(&below_ms)?);
    let note = format!("{above} {above_median:.0} ms, {below} {below_median:.0} ms; {least:.2} to {most:.2}");
    Some((median(&ratios)?, note))
}

/// Milliseconds of a way in every run.
fn times(result: &Value, way: &str, check: Check) -> Option<Vec<f64>> {
    let field = match check {
        Check::First => "first",
        Check::Second => "second",
    };
    result[way].as_array()?.iter().map(|run| run[field].as_f64()).collect()
}

/// The median of a number that every run has.
fn median_of(result: &Value, field: &str, unit: f64) -> Option<Computed> {
    let runs = result.as_array()?.iter().map(|run| run[field].as_f64());
    let numbers = runs.map(|number| Some(number? / unit)).collect::<Option<Vec<f64>>>()?;
    let (least, most) = range(&numbers);
    Some((median(&numbers)?, format!("{least:.1} to {most:.1}")))
}

fn range(numbers: &[f64]) -> (f64, f64) {
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    (least, numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

/// The middle one; of two in the middle, their mean.
pub(super) fn median(numbers: &[f64]) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (&below, &above) = (sorted.get(sorted.len().saturating_sub(1) / 2)?, sorted.get(sorted.len() / 2)?);
    Some(f64::midpoint(below, above))
}

/// The table for the terminal.
pub(super) fn render(lines: &[Line]) -> String {
    let mut text = format!("{:<33} {:>9} {:>9}  \n", "key", "measured", "bound");
    for line in lines {
        let value = line.value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"));
        let kept = match line.value {
            Some(value) if line.key.bound.is_kept(value) => "ok    ",
            Some(_) => "MISSED",
            None => "NOT MEASURED",
        };
        // Writing to a string does not fail.
        let (name, bound, note) = (line.key.name, line.key.bound.to_string(), &line.note);
        let _ = writeln!(text, "{name:<33} {value:>9} {bound:>9}  {kept}  {note}");
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::keys::choose;
    use super::*;

    fn line(key: &str, measured: &Value) -> Line {
        lines(&choose(&[key.to_owned()]).unwrap(), measured).pop().unwrap()
    }

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
        let measured = json!({"mixed": {
            "product": [{"second": 120.0}, {"second": 600.0}, {"second": 130.0}],
            "read": [{"second": 100.0}, {"second": 500.0}, {"second": 100.0}],
        }});
        assert_eq!(line("jsonl_1gib_vs_read", &measured).value, Some(1.2));
        assert_eq!(line("jsonl_1gib_vs_read_first", &measured).value, None);
    }

    #[test]
    fn of_several_measurements_the_worst_counts() {
        let of = |ms: f64| json!({"product": [{"first": ms}], "read": [{"first": 100.0}]});
        let measured = json!({"csv/a": of(150.0), "csv/b": of(250.0), "mixed": of(900.0)});
        let line = line("csv_vs_read_first", &measured);
        assert_eq!(line.value, Some(2.5));
        assert!(line.note.starts_with("b: product 250 ms"), "{}", line.note);
    }

    #[test]
    fn growth_is_between_the_files_of_a_group() {
        let of = |mib: f64| json!([{"wasm": mib * 1_048_576.0}]);
        let measured = json!({"memory/large": of(5.5), "memory/usual": of(5.0)});
        assert_eq!(line("wasm_memory_growth_mib", &measured).value, Some(0.5));
        assert_eq!(line("wasm_memory_growth_mib", &json!({"memory/large": of(5.5)})).value, None);
    }

    #[test]
    fn what_failed_has_no_number_and_says_why() {
        let one = json!({"product": [{"second": 2.0}], "read": [{"second": 1.0}]});
        let measured = json!({"csv/a": one, "csv/b": {"error": "no CSV"}});
        let line = line("csv_vs_read", &measured);
        assert_eq!((line.value, line.note.as_str()), (None, "no CSV"));
        assert!(render(&[line]).contains("NOT MEASURED"));
    }
}
