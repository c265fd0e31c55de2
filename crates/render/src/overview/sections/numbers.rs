//! Numbers of the statistics: the rows of histograms, ranges, and numbers as text.

use evalcheck_report::order::Order as _;
use evalcheck_report::overview::{Bucket, Categories, Histogram, Number, bucket, octave};
use evalcheck_report::text::grouped;

/// The most rows of a histogram.
const MOST_ROWS: u8 = 12;

/// The most rows of a histogram of octaves.
const MOST_OCTAVES: usize = 24;

/// The steps of a histogram are no wider than this part of the number that is farthest from 0, so that they fit into bins as wide.
const WIDEST_STEP: f64 = 1.0 / 32.0;

/// The rows of a histogram, each with the range of the numbers in it: its steps if they are few, else bins of equal width, else one, two,
/// four or more octaves. `values` are the same numbers one by one, if they are known.
pub(super) fn rows_of(histogram: &Histogram, values: Option<&Categories>) -> Vec<Bucket> {
    let known = values.and_then(steps_of);
    let farthest = histogram.min.get().abs().max(histogram.max.get().abs());
    let resolution = if known.is_some() { 0.0 } else { farthest * WIDEST_STEP };
    let steps = known.unwrap_or_else(|| histogram.buckets.clone());
    if steps.len() <= MOST_ROWS.into() {
        return steps;
    }
    if let Some(width) = width(histogram, resolution) {
        let bins = merged(&steps, &|step| bin(step.from.get(), width));
        // Of lengths and counts, most are small, and the greatest is far away.
        let is_skewed = bins.first().is_some_and(|first| first.count > histogram.count / 4 * 3);
        if width < 1.0 || !is_skewed {
            return bins;
        }
    }
    let mut rows = steps;
    let mut octaves = 1;
    while rows.len() > if octaves == 1 { MOST_ROWS.into() } else { MOST_OCTAVES } {
        rows = merged(&rows, &|step| f64::from(octave(bucket(step.from.get())).div_euclid(octaves)));
        octaves *= 2;
    }
    rows
}

/// Each number as a step of its own; `None` if not all are known.
fn steps_of(values: &Categories) -> Option<Vec<Bucket>> {
    let step = |value: &str, count| {
        // Without the sign of a zero.
        let number = Number::new(value.parse::<f64>().ok()? + 0.0);
        Some(Bucket { index: bucket(number.get()), from: number, to: number, count })
    };
    let steps = values.values.iter().map(|category| step(&category.value, category.count));
    let mut steps = steps.collect::<Option<Vec<Bucket>>>().filter(|_| values.others == 0)?;
    steps.order_by(|one, other| one.from.get().total_cmp(&other.from.get()));
    // Several notations of one number.
    Some(merged(&steps, &|step| step.from.get()))
}

/// The width of at most [`MOST_ROWS`] bins, a power of two, so that no step is in two of them. `None` if the numbers are too large.
fn width(histogram: &Histogram, resolution: f64) -> Option<f64> {
    let (first, last) = (histogram.min.get(), histogram.max.get());
    let widths = std::iter::successors(Some(1.0 / 1_048_576.0), |width| Some(width * 2.0)).take(80);
    let mut fitting = widths.filter(|width| *width >= resolution);
    fitting.find(|width| bin(last, *width) - bin(first, *width) < f64::from(MOST_ROWS))
}

/// The number of the bin of a number; -1 is the first below 0.
fn bin(number: f64, width: f64) -> f64 {
    let bin = (number.abs() / width).floor();
    if number < 0.0 { -1.0 - bin } else { bin }
}

/// Joins neighbours with the same key.
fn merged(steps: &[Bucket], key: &dyn Fn(&Bucket) -> f64) -> Vec<Bucket> {
    let runs = steps.chunk_by(|one, next| key(one).total_cmp(&key(next)).is_eq());
    let joined = |run: &[Bucket]| {
        let (first, last) = (run.first()?, run.last()?);
        Some(Bucket { to: last.to, count: run.iter().map(|step| step.count).sum(), ..*first })
    };
    runs.filter_map(joined).collect()
}

/// The smallest number, the quartiles, the largest number and the mean.
pub(super) fn summary(histogram: &Histogram) -> [String; 6] {
    let [first, median, third] =
        [0, 1, 2].map(|at| range(histogram.quartiles[at], histogram.quartiles_to[at]));
    let [min, max, mean] = [histogram.min.get(), histogram.max.get(), histogram.mean()].map(decimal);
    [min, first, median, third, max, mean]
}

/// A number, or the range that contains it.
pub(super) fn range(from: Number, to: Number) -> String {
    let (from, to) = (decimal(from.get()), decimal(to.get()));
    if from == to { from } else { format!("{from} to {to}") }
}

/// A number with at most three digits after the point, or three that are not 0; very large and very small ones with an exponent.
pub fn decimal(number: f64) -> String {
    let size = number.abs();
    let digits = match size {
        _ if size >= 1e15 || size > 0.0 && size < 1e-6 => {
            let text = format!("{number:.3e}");
            let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            return format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'));
        }
        ..0.001 if size > 0.0 => 8,
        ..0.01 if size > 0.0 => 5,
        ..0.1 if size > 0.0 => 4,
        _ => 3,
    };
    let text = format!("{size:.digits$}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let sign = if number < 0.0 { "-" } else { "" };
    let (whole, fraction) = (grouped(whole.parse().unwrap_or(0)), fraction.trim_end_matches('0'));
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

/// The length of the bar of a share, if that of the whole is `longest`.
pub fn bar_length(count: u64, total: u64, longest: u64) -> u64 {
    let length = u128::from(count.min(total)) * u128::from(longest) / u128::from(total.max(1));
    u64::try_from(length).unwrap_or(longest)
}

/// A share in per cent. Of a few and of nearly all it says so.
///
/// ```
/// use evalcheck_render::overview::sections::share;
///
/// assert_eq!(share(1, 3), "33.3 %");
/// assert_eq!(share(149, 744_300), "<0.1 %");
/// assert_eq!(share(744_151, 744_300), ">99.9 %");
/// assert_eq!([share(0, 7), share(7, 7)], ["0.0 %", "100.0 %"]);
/// ```
pub fn share(count: u64, total: u64) -> String {
    if total == 0 {
        return String::new();
    }
    let tenths = (u128::from(count) * 1_000 + u128::from(total) / 2) / u128::from(total);
    match tenths {
        0 if count > 0 => "<0.1 %".to_owned(),
        1_000 if count < total => ">99.9 %".to_owned(),
        _ => format!("{}.{} %", tenths / 10, tenths % 10),
    }
}

#[cfg(test)]
mod tests {
    use evalcheck_report::overview::Category;

    use super::*;

    fn histogram(numbers: &[f64]) -> Histogram {
        let one = |&number: &f64| {
            let at = Number::new(number);
            Histogram::new(vec![Bucket { index: bucket(number), from: at, to: at, count: 1 }], number)
                .unwrap()
        };
        numbers.iter().map(one).reduce(|all, one| all.merge(&one)).unwrap()
    }

    fn rows(numbers: &[f64], values: Option<&Categories>) -> Vec<(String, u64)> {
        let rows = rows_of(&histogram(numbers), values);
        rows.iter().map(|row| (range(row.from, row.to), row.count)).collect()
    }

    /// Each row has exactly the numbers in its range.
    #[track_caller]
    fn assert_exact(numbers: &[f64]) {
        for Bucket { from, to, count, .. } in rows_of(&histogram(numbers), None) {
            let is_in = |number: &&f64| (from.get()..=to.get()).contains(*number);
            assert_eq!(numbers.iter().filter(is_in).count() as u64, count, "{from:?} to {to:?}");
        }
    }

    #[test]
    fn bins_have_equal_widths_and_all_numbers_in_their_range() {
        let scores: Vec<f64> = (0..=100).map(|score| f64::from(score) / 100.0).collect();
        let of_scores = rows(&scores, None);
        let expected = ["0 to 0.12", "0.13 to 0.24", "0.25 to 0.37", "0.38 to 0.49", "0.5 to 0.62"];
        assert_eq!(of_scores.iter().map(|(label, _)| label.as_str()).take(5).collect::<Vec<_>>(), expected);
        assert_eq!(of_scores.last(), Some(&("1".to_owned(), 1)));
        assert_eq!(of_scores.len(), 9);
        assert_exact(&scores);
        let below: Vec<f64> = (-70..50).map(|number| f64::from(number) / 7.0).collect();
        assert_exact(&below);
        assert!(rows(&below, None).len() <= MOST_ROWS.into());
        let wide: Vec<f64> = (0..900).map(|number| f64::from(number) * f64::from(number) / 3.0).collect();
        assert_exact(&wide);
    }

    #[test]
    fn few_steps_are_rows_and_most_small_numbers_are_octaves() {
        assert_eq!(rows(&[1.0, 2.0, 2.0, 9.0], None).len(), 3);
        let mut turns: Vec<f64> = (0..200).map(|turn| f64::from(turn % 20 + 1)).collect();
        turns.push(100_000.0);
        let rows = rows(&turns, None);
        assert_eq!(
            rows[..4].iter().map(|(label, _)| label.as_str()).collect::<Vec<_>>(),
            ["1", "2 to 3", "4 to 7", "8 to 15"]
        );
        assert_exact(&turns);
    }

    #[test]
    fn known_numbers_far_from_0_have_bins_of_their_own() {
        let years: Vec<f64> = (1990..2024).map(f64::from).collect();
        assert_eq!(rows(&years, None), [("1,990 to 2,023".to_owned(), 34)]);
        let values = years.iter().map(|year| Category { value: year.to_string(), count: 1 }).collect();
        let known = rows(&years, Some(&Categories { values, others: 0 }));
        assert_eq!(known[..2], [("1,990 to 1,991".to_owned(), 2), ("1,992 to 1,995".to_owned(), 4)]);
        let unknown = Categories { values: Vec::new(), others: 34 };
        assert_eq!(rows(&years, Some(&unknown)).len(), 1);
    }

    #[test]
    fn numbers_are_short_and_grouped() {
        for (number, text) in [
            (0.0, "0"),
            (1_234_567.0, "1,234,567"),
            (-1_234.567_8, "-1,234.568"),
            (0.5, "0.5"),
            (0.000_123_4, "0.0001234"),
            (1e15, "1e15"),
            (-2.5e-7, "-2.5e-7"),
        ] {
            assert_eq!(decimal(number), text);
        }
    }

    #[test]
    fn a_bar_is_the_share_of_the_whole() {
        assert_eq!([0, 1, 3, 4].map(|count| bar_length(count, 3, 1_000)), [0, 333, 1_000, 1_000]);
        assert_eq!(bar_length(0, 0, 1_000), 0);
    }
}
