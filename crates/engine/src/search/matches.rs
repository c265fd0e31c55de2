//! The numbers of the records that match, so that a list can show any of them without keeping the records.

/// The number of records in a block.
const BLOCK: u64 = 4_096;

/// The number of records in a word of a block.
const WORD: u64 = u64::BITS as u64;

/// The number of words in a block.
const WORDS: usize = (BLOCK / WORD) as usize;

/// A set of record numbers: one bit for each record, and a count for each 4,096 of them. Records without a match nearby take no memory.
///
/// ```
/// # use evalcheck_engine::search::Matches;
/// let mut matches = Matches::default();
/// matches.insert(7);
/// matches.insert(1 << 40);
/// assert_eq!(matches.select(1), Some(1 << 40));
/// assert_eq!(matches.rank(1 << 40), 1);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Matches {
    /// Those with at least one number, in their order.
    blocks: Vec<Block>,
    len: u64,
}

/// The matches among 4,096 records.
#[derive(Debug, Clone)]
struct Block {
    /// The number of its first record, divided by 4,096.
    number: u64,
    /// The number of matches in the blocks before it.
    before: u64,
    bits: [u64; WORDS],
}

impl Matches {
    /// Adds the number of a record. Fast if it is greater than all others.
    pub fn insert(&mut self, record: u64) {
        let (number, word, bit) = place(record);
        let index = self.blocks.partition_point(|block| block.number < number);
        if self.blocks.get(index).is_none_or(|block| block.number != number) {
            let before = self.blocks.get(index).map_or(self.len, |next| next.before);
            self.blocks.insert(index, Block { number, before, bits: [0; WORDS] });
        }
        let bits = &mut self.blocks[index].bits[word];
        if *bits & bit == 0 {
            *bits |= bit;
            self.len += 1;
            for later in &mut self.blocks[index + 1..] {
                later.before += 1;
            }
        }
    }

    /// Whether a record was added.
    pub fn contains(&self, record: u64) -> bool {
        let (number, word, bit) = place(record);
        let found = self.blocks.binary_search_by_key(&number, |block| block.number);
        found.is_ok_and(|index| self.blocks[index].bits[word] & bit != 0)
    }

    /// The number of records that match.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether no record matches.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The record of match `n`, from 0, in the order of the dataset.
    pub fn select(&self, n: u64) -> Option<u64> {
        if n >= self.len {
            return None;
        }
        let index = self.blocks.partition_point(|block| block.before <= n);
        let block = self.blocks.get(index.checked_sub(1)?)?;
        let mut left = n - block.before;
        for (word, bits) in (0..).zip(block.bits) {
            let ones = u64::from(bits.count_ones());
            if left < ones {
                return Some(block.number * BLOCK + word * WORD + nth_one(bits, left));
            }
            left -= ones;
        }
        None
    }

    /// The number of matches before a record: its index among the matches, if it is one.
    pub fn rank(&self, record: u64) -> u64 {
        let (number, word, bit) = place(record);
        let index = self.blocks.partition_point(|block| block.number < number);
        let Some(block) = self.blocks.get(index) else { return self.len };
        if block.number > number {
            return block.before;
        }
        let whole: u32 = block.bits[..word].iter().map(|bits| bits.count_ones()).sum();
        block.before + u64::from(whole + (block.bits[word] & (bit - 1)).count_ones())
    }
}

/// The position of the bit of a record: the number of its block, the index of its word, and the bit.
fn place(record: u64) -> (u64, usize, u64) {
    (record / BLOCK, (record % BLOCK / WORD) as usize, 1 << (record % WORD))
}

/// The position of the `n`-th bit that is set, from 0.
fn nth_one(mut bits: u64, n: u64) -> u64 {
    for _ in 0..n {
        bits &= bits - 1;
    }
    u64::from(bits.trailing_zeros())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Compares all answers with those of a set of the standard library.
    #[track_caller]
    fn expect_same(matches: &Matches, expected: &BTreeSet<u64>) {
        assert_eq!(matches.len(), expected.len() as u64);
        assert_eq!(matches.is_empty(), expected.is_empty());
        for (n, record) in (0..).zip(expected) {
            assert_eq!(matches.select(n), Some(*record));
            assert_eq!(matches.rank(*record), n);
            assert!(matches.contains(*record));
            for near in [record.saturating_sub(1), record + 1, record + BLOCK] {
                assert_eq!(matches.contains(near), expected.contains(&near), "{near}");
                assert_eq!(matches.rank(near), expected.range(..near).count() as u64, "{near}");
            }
        }
        assert_eq!(matches.select(matches.len()), None);
        assert_eq!(matches.select(u64::MAX), None);
        assert_eq!(matches.rank(0), 0);
        assert_eq!(matches.rank(u64::MAX), matches.len());
        assert!(!matches.contains(u64::MAX));
    }

    #[test]
    fn all_answers_are_those_of_a_plain_set() {
        let mut random = fastrand::Rng::with_seed(32);
        for case in 0..200 {
            let (mut matches, mut expected, mut record) = (Matches::default(), BTreeSet::new(), 0);
            // From every record to one of 2^32.
            let gap = 1 << random.u32(0..32);
            for _ in 0..random.usize(0..300) {
                record += random.u64(0..=gap);
                matches.insert(record);
                expected.insert(record);
            }
            if case % 2 == 0 {
                for _ in 0..20 {
                    let earlier = random.u64(0..=record);
                    matches.insert(earlier);
                    expected.insert(earlier);
                }
            }
            expect_same(&matches, &expected);
        }
    }

    #[test]
    fn ends_of_words_and_blocks_are_exact() {
        let edges = [0, 1, 63, 64, 65, 4_095, 4_096, 4_097, 8_191, 8_192, 1 << 32, (1 << 40) - 1, 1 << 40];
        let mut matches = Matches::default();
        for record in edges {
            matches.insert(record);
            matches.insert(record);
        }
        expect_same(&matches, &edges.into_iter().collect());
    }

    #[test]
    fn every_record_of_many_takes_little_more_than_a_bit() {
        let mut matches = Matches::default();
        let records = 1_000_000;
        for record in 0..records {
            matches.insert(record);
        }
        assert_eq!(matches.len(), records);
        for n in [0, 4_095, 4_096, 777_777, records - 1] {
            assert_eq!(matches.select(n), Some(n));
        }
        assert_eq!(matches.blocks.len() as u64, records.div_ceil(BLOCK));
        assert!(size_of::<Block>() < WORDS * size_of::<u64>() * 17 / 16);
    }
}
