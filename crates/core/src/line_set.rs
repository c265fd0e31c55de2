//! A set of line numbers.

/// Lines after this one are not kept, so that a set takes at most 16 MiB for any file.
const MOST: u64 = 1 << 27;

/// A set of line numbers, with a bit for each line up to the last one in the set.
///
/// ```
/// use evalcheck_core::line_set::LineSet;
/// let mut lines = LineSet::default();
/// lines.insert(3);
/// lines.insert(200);
/// assert!(lines.contains(3) && !lines.contains(4));
/// assert_eq!((lines.after(0), lines.after(3), lines.after(200)), (Some(3), Some(200), None));
/// assert_eq!((lines.before(3), lines.before(200), lines.before(u64::MAX)), (None, Some(3), Some(200)));
/// lines.truncate(199);
/// assert_eq!(lines.after(3), None);
/// ```
#[derive(Debug, Clone, Default)]
pub struct LineSet {
    /// Line `n` is bit `n % 64` of word `n / 64`.
    words: Vec<u64>,
}

/// The index of the word of a line, and its bit.
fn place(line: u64) -> (usize, u64) {
    (usize::try_from(line / 64).unwrap_or(usize::MAX), 1 << (line % 64))
}

impl LineSet {
    /// Adds a line.
    pub fn insert(&mut self, line: u64) {
        if line > MOST {
            return;
        }
        let (word, bit) = place(line);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= bit;
    }

    /// Whether the set contains the line.
    pub fn contains(&self, line: u64) -> bool {
        let (word, bit) = place(line);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// The first line after this one.
    pub fn after(&self, line: u64) -> Option<u64> {
        let (first, bit) = place(line.checked_add(1)?);
        let rest = self.words.get(first..)?;
        rest.iter().enumerate().find_map(|(index, &word)| {
            let word = if index == 0 { word & !(bit - 1) } else { word };
            (word != 0).then(|| (first + index) as u64 * 64 + u64::from(word.trailing_zeros()))
        })
    }

    /// The last line before this one.
    pub fn before(&self, line: u64) -> Option<u64> {
        let (last, bit) = place(line);
        let words = self.words.iter().enumerate().take(last.saturating_add(1)).rev();
        words
            .map(|(index, &word)| (index, if index == last { word & (bit - 1) } else { word }))
            .find_map(|(index, word)| (word != 0).then(|| index as u64 * 64 + u64::from(word.ilog2())))
    }

    /// The last line.
    pub fn last(&self) -> Option<u64> {
        self.before(u64::MAX)
    }

    /// Removes the lines after this one.
    pub fn truncate(&mut self, line: u64) {
        let (last, bit) = place(line);
        self.words.truncate(last.saturating_add(1));
        if let Some(word) = self.words.get_mut(last) {
            *word &= bit | (bit - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_what_a_search_of_all_lines_finds() {
        let members = [1, 2, 63, 64, 65, 127, 128, 300, 4_000];
        for kept in 0..=members.len() {
            let mut lines = LineSet::default();
            for line in members {
                lines.insert(line);
            }
            let (members, others) = members.split_at(kept);
            lines.truncate(members.last().copied().unwrap_or(0));
            assert_eq!(lines.last(), members.last().copied());
            assert!(others.iter().all(|line| !lines.contains(*line)));
            for line in 0..4_100 {
                assert_eq!(lines.contains(line), members.contains(&line));
                assert_eq!(lines.after(line), members.iter().copied().find(|member| *member > line));
                assert_eq!(lines.before(line), members.iter().copied().rfind(|member| *member < line));
            }
        }
    }

    #[test]
    fn its_memory_is_bounded() {
        let mut lines = LineSet::default();
        lines.insert(MOST);
        lines.insert(u64::MAX);
        assert_eq!(lines.last(), Some(MOST));
        assert_eq!(lines.after(MOST), None);
    }
}
