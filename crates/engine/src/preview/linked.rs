//! Records that another one names by their ids, shown with it.

use std::io::{self, Read, Seek};

use evalcheck_report::view::Record;

use super::{View, limits, record};
use crate::diagnose;

/// The maximum number of records that are shown with another one.
const MOST: usize = 20;

/// Adds the turns of the records that a record with these bytes names.
pub(super) fn add<R: Read + Seek>(
    view: &mut View<'_, R>,
    bytes: &[u8],
    record: &mut Record,
) -> io::Result<()> {
    let (reader, archive) = (view.reader, view.archive);
    let Some(sample) = &mut record.sample else { return Ok(()) };
    let Ok(parsed) = diagnose::parse(bytes) else { return Ok(()) };
    let mut others = reader.visitor().linked(&parsed.value);
    sample.omitted += others.len().saturating_sub(MOST) as u64;
    others.truncate(MOST);
    for other in others {
        let found = record::find_number(view, other.record)?.and_then(|finder| finder.found);
        let linked = found.and_then(|found| record::record(&found, reader, archive, None).sample);
        for mut turn in linked.into_iter().flat_map(|linked| linked.turns) {
            turn.other = Some(other.clone());
            // The paths of findings are those of the record that is shown.
            turn.path = String::new();
            sample.turns.push(turn);
        }
    }
    *sample = limits::limit(std::mem::take(sample));
    Ok(())
}
