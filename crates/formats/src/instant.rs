//! Instants as texts: the forms of ISO 8601 that are common in files.

/// An instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instant {
    /// Milliseconds since a fixed day.
    pub milliseconds: i64,
    /// Whether it is written as JavaScript's `toISOString` writes it: in UTC with milliseconds and `Z`.
    pub is_canonical: bool,
}

/// Reads a date and a time of day with `Z` or an offset. Allocates nothing.
///
/// ```
/// # use evalcheck_formats::instant;
/// let instant = instant::read("2025-02-10T20:11:56.000Z").unwrap();
/// let other = instant::read("2025-02-10T21:11:56+01:00").unwrap();
/// assert_eq!(instant.milliseconds, other.milliseconds);
/// assert!(instant.is_canonical && !other.is_canonical);
/// assert_eq!(instant::read("2025-02-30T20:11:56Z"), Err("has a day or a time of day out of range"));
/// ```
///
/// # Errors
/// The problem, as the end of a sentence that begins with the text.
pub fn read(text: &str) -> Result<Instant, &'static str> {
    const OTHER_FORM: &str = "does not have the form YYYY-MM-DDThh:mm:ss.sssZ";
    let ([year, month, day], [hour, minute, second, millisecond], zone) = split(text).ok_or(OTHER_FORM)?;
    if zone.is_empty() {
        return Err("has neither Z nor an offset from UTC");
    }
    let offset = offset(zone).ok_or(OTHER_FORM)?;
    let is_leap_year = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + i64::from(is_leap_year),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let is_day = (1..=12).contains(&month) && (1..=days).contains(&day);
    let time = ((hour * 60 + minute) * 60 + second) * 1000 + millisecond;
    if !is_day || minute > 59 || second > 59 || time > DAY {
        return Err("has a day or a time of day out of range");
    }
    // In years that begin in March, the leap day is the last day.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let days = 365 * year + leap_days + (153 * month + 2) / 5 + day;
    let is_canonical =
        text.len() == 24 && text[10..].starts_with('T') && text[19..].starts_with('.') && zone == "Z";
    Ok(Instant { milliseconds: days * DAY + time - offset * 60_000, is_canonical })
}

impl Instant {
    /// The date and the time of day in UTC, to the second: `2025-02-10T20:11:56`.
    ///
    /// ```
    /// # use evalcheck_formats::instant;
    /// let instant = instant::read("2025-01-01T00:30:00+01:00").unwrap();
    /// assert_eq!(instant.in_utc(), "2024-12-31T23:30:00");
    /// ```
    pub fn in_utc(self) -> String {
        let (days, time) = (self.milliseconds.div_euclid(DAY) - 1, self.milliseconds.rem_euclid(DAY) / 1000);
        // The year begins in March; its mean length never skips the day.
        let mut year = (days * 400).div_euclid(146_097);
        let begins =
            |year: i64| 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
        while begins(year + 1) <= days {
            year += 1;
        }
        while begins(year) > days {
            year -= 1;
        }
        let day = days - begins(year);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
        format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}", time / 3600, time / 60 % 60, time % 60)
    }
}

/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// The numbers of a date and of a time of day, whose seconds and fraction are optional, and the rest of the text.
fn split(text: &str) -> Option<([i64; 3], [i64; 4], &str)> {
    let (year, rest) = number(text, 4)?;
    let (month, rest) = number(rest.strip_prefix('-')?, 2)?;
    let (day, rest) = number(rest.strip_prefix('-')?, 2)?;
    let (hour, rest) = number(rest.strip_prefix(['T', 't', ' '])?, 2)?;
    let (minute, rest) = number(rest.strip_prefix(':')?, 2)?;
    let date = [year, month, day];
    let Some(rest) = rest.strip_prefix(':') else { return Some((date, [hour, minute, 0, 0], rest)) };
    let (second, rest) = number(rest, 2)?;
    let Some(rest) = rest.strip_prefix(['.', ',']) else {
        return Some((date, [hour, minute, second, 0], rest));
    };
    let zone = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = rest[..rest.len() - zone.len()].len().min(3);
    let (fraction, _) = number(rest, digits)?;
    let millisecond = [0, 100, 10, 1][digits] * fraction;
    Some((date, [hour, minute, second, millisecond], zone))
}

/// The offset in minutes of `Z` or of an offset.
fn offset(zone: &str) -> Option<i64> {
    if matches!(zone, "Z" | "z") {
        return Some(0);
    }
    let (hours, rest) = number(zone.strip_prefix(['+', '-'])?, 2)?;
    let (minutes, rest) =
        if rest.is_empty() { (0, rest) } else { number(rest.strip_prefix(':').unwrap_or(rest), 2)? };
    let offset = (rest.is_empty() && hours < 24 && minutes < 60).then_some(hours * 60 + minutes)?;
    Some(if zone.starts_with('-') { -offset } else { offset })
}

/// A number with this number of digits, and the rest of the text.
fn number(text: &str, digits: usize) -> Option<(i64, &str)> {
    let (number, rest) = text.split_at_checked(digits)?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    Some((number.parse().ok().filter(|_| is_number)?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The differences are those of JavaScript's dates.
    #[test]
    fn instants_are_as_far_apart_as_in_javascript() {
        for (earlier, later, difference) in [
            ("1970-01-01T00:00:00.000Z", "2025-02-10T20:11:56.402Z", 1_739_218_316_402),
            ("2024-02-28T23:59:59.999Z", "2024-03-01T00:00:00.000Z", 86_400_001),
            ("1900-02-28T00:00:00.000Z", "1900-03-01T00:00:00.000Z", 86_400_000),
            ("2000-02-28T00:00:00Z", "2000-03-01T00:00:00Z", 172_800_000),
            ("2025-02-10T20:11:56+05:30", "2025-02-10T20:11:56-03:00", 30_600_000),
            ("2025-02-10T20:11Z", "2025-02-10t20:11:00,5z", 500),
            ("0000-01-01T00:00:00.000Z", "9999-12-31T24:00:00.000Z", 315_569_520_000_000),
        ] {
            let [earlier, later] = [earlier, later].map(|text| read(text).unwrap().milliseconds);
            assert_eq!(later - earlier, difference);
        }
    }

    #[test]
    fn every_day_of_four_centuries_follows_the_one_before() {
        let mut last = read("1999-12-31T00:00:00.000Z").unwrap().milliseconds;
        let dates = (2000..2400).flat_map(|year| (1..=12).map(move |month| (year, month)));
        let days = dates.flat_map(|date| (1..=31).map(move |day| (date, day)));
        for ((year, month), day) in days {
            let Ok(next) = read(&format!("{year}-{month:02}-{day:02}T00:00:00.000Z")) else { continue };
            assert_eq!(next.milliseconds - last, DAY, "{year}-{month}-{day}");
            assert_eq!(next.in_utc(), format!("{year}-{month:02}-{day:02}T00:00:00"));
            last = next.milliseconds;
        }
        assert_eq!(read("2400-01-01T00:00:00.000Z").map(|next| next.milliseconds - last), Ok(DAY));
    }
}
