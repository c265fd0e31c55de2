//! Keys that a format leaves to its users, counted for the overview.

use evalcheck_core::order::Order;
use evalcheck_report::text::count;

/// The number of different keys that are counted separately; others are counted together.
const MOST: usize = 100;

/// The length of the longest key that is counted separately, in bytes.
const LONGEST: usize = 200;

/// The number of keys that the note names.
const NAMED: usize = 12;

/// The number of records without errors per key: in other records a finding may say what the key is meant as. Holds at most `MOST` keys of
/// at most `LONGEST` bytes.
///
/// ```
/// # use evalcheck_formats::user_keys::UserKeys;
/// let mut keys = UserKeys::default();
/// keys.count("seed");
/// keys.count("seed");
/// keys.count("lang");
/// assert_eq!(keys.note("record").unwrap(), "Keys that the format does not define, in records without errors: \"seed\" in 2 records, \"lang\" in 1 record.");
/// ```
#[derive(Debug, Default)]
pub struct UserKeys {
    counts: Vec<(Box<str>, u64)>,
    /// The probable index of the next key: records of one file have their keys in one order.
    next: usize,
    others: u64,
}

impl UserKeys {
    /// Counts a key of a record without errors. Allocates only for a new key.
    pub fn count(&mut self, key: &str) {
        let is_key = |(known, _): &(Box<str>, u64)| **known == *key;
        let location = if self.counts.get(self.next).is_some_and(is_key) {
            Some(self.next)
        } else {
            self.counts.iter().position(is_key)
        };
        match location {
            Some(location) => {
                self.counts[location].1 += 1;
                self.next = (location + 1) % self.counts.len();
            }
            None if self.counts.len() < MOST && key.len() <= LONGEST => {
                self.counts.push((key.into(), 1));
                self.next = 0;
            }
            None => self.others += 1,
        }
    }

    /// The keys that are counted separately, with the number of records of each.
    pub fn counts(&self) -> impl Iterator<Item = (&str, u64)> {
        self.counts.iter().map(|(key, count)| (&**key, *count))
    }

    /// A sentence that lists the keys, the most frequent first; `None` if there are none.
    pub fn note(&self, noun: &str) -> Option<String> {
        let keys = self.list(noun)?;
        Some(format!("Keys that the format does not define, in {noun}s without errors: {keys}."))
    }

    /// The keys with their counts, the most frequent first; `None` if there are none.
    pub fn list(&self, noun: &str) -> Option<String> {
        if self.counts.is_empty() && self.others == 0 {
            return None;
        }
        let mut keys: Vec<_> = self.counts.iter().collect();
        keys.order_by_key(|(_, n)| std::cmp::Reverse(*n));
        let rest = keys.len().saturating_sub(NAMED);
        let mut said: Vec<String> =
            keys.iter().take(NAMED).map(|(key, n)| format!("\"{key}\" in {}", count(*n, noun))).collect();
        if rest > 0 {
            said.push(format!("and {} more", count(rest as u64, "key")));
        }
        if self.others > 0 {
            said.push(format!("and {} by further keys", count(self.others, "value")));
        }
        Some(said.join(", "))
    }
}
