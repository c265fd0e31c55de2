//! A copy of a dataset with its changes.

use std::io::{self, BufWriter, Write};

use evalcheck_engine::fix::{EditPlan, Store, write_fixed};

use crate::encoding;
use crate::input::Input;

/// A copy of a dataset with a plan applied; `entry` is the dataset in a ZIP.
pub(crate) fn rewritten(
    input: &mut Input,
    plan: &mut EditPlan<impl Store>,
    entry: Option<&str>,
) -> io::Result<Input> {
    let mut next = Input::temporary();
    let mut buffered = BufWriter::with_capacity(1 << 18, &mut next);
    write_fixed(plan, encoding::decoder, entry, input, &mut buffered, &mut Input::temporary())?;
    buffered.flush()?;
    drop(buffered);
    Ok(Input::of_temporary(input.info.name.clone(), next)?.watched_as(input))
}
