//! Seconds or milliseconds since the beginning of 1970, in which programs store instants.

/// An instant in the form of `toISOString`.
pub(super) struct Instant {
    /// The text, as JSON.
    pub(super) json: String,
    /// The unit of the number.
    pub(super) unit: &'static str,
}

/// The instant that a number means by its digits: 13 digits are milliseconds, 10 are seconds, perhaps with a fraction. These are the years
/// 2001 to 2286.
pub(super) fn instant(number: &str) -> Option<Instant> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (milliseconds, unit) = match (whole.len(), fraction) {
        (13, "") => (whole.parse::<i64>().ok()?, "milliseconds"),
        (10, _) => (format!("{whole}{fraction:0<3.3}").parse().ok()?, "seconds"),
        _ => return None,
    };
    let (days, time) = (milliseconds / DAY, milliseconds % DAY);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (time / 3_600_000, time / 60_000 % 60, time / 1000 % 60);
    let json =
        format!("\"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z\"", time % 1000);
    Some(Instant { json, unit })
}

/// The number of milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// The year, month and day of a number of days after the beginning of 1970.
fn date(days: i64) -> (i64, i64, i64) {
    // Days since 1 March of year 0: in years that begin in March, the leap day is the last day.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    (era * 400 + year, month, day)
}

/// Whether two texts have digits at the same positions, and are otherwise equal.
pub(super) fn have_same_form(one: &str, other: &str) -> bool {
    let form = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "0");
    form(one) == form(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts are those of JavaScript's `toISOString`.
    #[test]
    fn instants_are_those_of_javascript() {
        for (number, expected) in [
            ("1739218316402", "\"2025-02-10T20:11:56.402Z\""),
            ("1739218316", "\"2025-02-10T20:11:56.000Z\""),
            ("1739218316.4", "\"2025-02-10T20:11:56.400Z\""),
            ("1739218316.40259", "\"2025-02-10T20:11:56.402Z\""),
            ("1709164800000", "\"2024-02-29T00:00:00.000Z\""),
            ("1709251199999", "\"2024-02-29T23:59:59.999Z\""),
            ("4107542400000", "\"2100-03-01T00:00:00.000Z\""),
            ("1704067199999", "\"2023-12-31T23:59:59.999Z\""),
            ("9999999999999", "\"2286-11-20T17:46:39.999Z\""),
        ] {
            assert_eq!(instant(number).map(|instant| instant.json).as_deref(), Some(expected));
        }
        for number in ["20250210", "-1739218316", "1.739e12", "173921831640", "1739218316402.5"] {
            assert!(instant(number).is_none(), "{number}");
        }
    }
}
