//! Lines, records and bytes are counted in 64 bits: readers that begin at the 2^32nd of each continue to count.
use evalcheck_engine::collector::FindingCollector;
use evalcheck_engine::diagnose::RecordStart;
use evalcheck_engine::finding::Finding;
use evalcheck_engine::formats::{FORMATS, TextPolicy};
use evalcheck_engine::records::record_index::Mark;
use evalcheck_engine::records::{
    CountedRecord, Diagnosis, Event, Extent, Part, ScannedRecord, Visit, resume,
};

/// The last number that has 32 bits.
const FAR: u64 = u32::MAX as u64;

/// A visitor that notes the starts of records. None is clean, so that each is passed to [`Visit::count_record`].
struct Starts {
    counts: FindingCollector,
    starts: Vec<RecordStart>,
}

impl Visit for Starts {
    fn collector(&self) -> &FindingCollector {
        &self.counts
    }

    fn collector_mut(&mut self) -> &mut FindingCollector {
        &mut self.counts
    }

    fn texts(&self) -> TextPolicy {
        TextPolicy::NONE
    }

    fn scan(&mut self, _: &[u8], _: usize, _: Extent) -> Option<usize> {
        None
    }

    fn accept(&mut self, _: &ScannedRecord<'_>) -> bool {
        false
    }

    fn check(&mut self, _: Part<'_>, _: &[u8], _: RecordStart) -> Diagnosis {
        Diagnosis::default()
    }

    fn count_record(&mut self, record: &CountedRecord<'_>, _: Vec<Finding>) {
        self.counts.valid += 1;
        self.starts.push(record.mark.record_start);
    }

    fn report(&mut self, _: Finding) {}

    fn observe(&mut self, _: Event<'_>) {}
}

/// Reads data from the 2^32nd byte, line and record of a dataset on. Returns the start of each record.
fn starts(format: &str, data: &str) -> Vec<RecordStart> {
    let format = FORMATS.iter().find(|known| known.id == format).unwrap();
    let variant = &format.variants[0];
    let record_start = RecordStart { offset: FAR, line: FAR, column: 1, record: FAR };
    let mark = Mark { record_start, list: 0, index: FAR, after_blank: false };
    let visitor = Starts { counts: FindingCollector::new(Some(0)), starts: Vec::new() };
    let mut reader = resume(&variant.layout, variant.schema, None, mark, visitor);
    reader.buffer(data.len()).copy_from_slice(data.as_bytes());
    reader.commit(data.len());
    reader.finish();
    std::mem::take(&mut reader.visitor_mut().starts)
}

fn far(offset: u64, line: u64, record: u64) -> RecordStart {
    RecordStart { offset: FAR + offset, line: FAR + line, column: 1, record: FAR + record }
}

#[test]
fn lines_are_counted_beyond_32_bits() {
    let data = "{\"input\":1}\n\n{\"input\":2}\n{\"input\":3}\n";
    assert_eq!(starts("juryarena", data), [far(0, 0, 0), far(13, 2, 1), far(25, 3, 2)]);
}

#[test]
fn elements_are_counted_beyond_32_bits() {
    let data = "{\"query_id\":1},\n\n{\"query_id\":2},\n{\"query_id\":3}]}";
    assert_eq!(starts("evret", data), [far(0, 0, 0), far(17, 2, 1), far(33, 3, 2)]);
}
