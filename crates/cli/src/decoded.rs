//! Datasets in other encodings than UTF-8: reads one in the encoding that the user names, and guesses the likely one.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use chardetng::EncodingDetector;
use encoding_rs::{Encoding, UTF_8};
use evalcheck_archive::{Archive, Entry, read_dataset};
use evalcheck_engine::check::Check;
use evalcheck_engine::fix::{Decode, EditPlan};
use evalcheck_report::{EntryEdit, Fix};
use evalcheck_wire::options::Options;

use crate::compilers::ENVIRONMENT;
use crate::encoding::{self, Strict};
use crate::input::Input;
use crate::rewritten::rewritten;

/// Opens a file, and converts its dataset by [`to_utf8`].
///
/// # Errors
/// As [`Input::open`] and [`to_utf8`].
pub(crate) fn open(path: &Path, options: &Options) -> io::Result<Input> {
    to_utf8(Input::open(path)?, options)
}

/// Converts a dataset from the encoding of these options to UTF-8. Returns the input itself if the bytes are the same. In a ZIP, names that are not
/// marked as UTF-8 are in the encoding, and so is the dataset unless it is UTF-8 already.
///
/// # Errors
/// Those of reading and writing; bytes that are not text in the encoding.
pub(crate) fn to_utf8(mut input: Input, options: &Options) -> io::Result<Input> {
    let encoding = options.encoding.as_deref().and_then(|name| encoding::parse(name).ok());
    let Some(encoding) = encoding.filter(|encoding| *encoding != UTF_8) else {
        return Ok(input);
    };
    let info = input.info.clone();
    let check = Check::open_in(&ENVIRONMENT, &mut input, info, options.check());
    let entry = check.archive().and_then(|(_, dataset)| dataset).map(|dataset| dataset.name.to_string());
    let names =
        check.archive().map(|(archive, _)| renamed(archive, encoding)).transpose()?.unwrap_or_default();
    let entry = entry.as_deref();
    let mut fix = Fix::decode(encoding.name());
    if check.archive().is_some() && read_dataset(&mut input, entry, |dataset| is_utf8(dataset))? {
        fix.convert = None;
    }
    fix.entries = names;
    let has_names = !fix.entries.is_empty();
    let mut plan = EditPlan::default();
    plan.add(&fix);
    let new_entry = fix.entries.iter().find(|edit| Some(edit.entry.as_str()) == entry);
    let new_entry = new_entry.and_then(|edit| edit.rename.as_deref()).or(entry);
    let mut converted = rewritten(&mut input, &mut plan, entry)?;
    let is_same = !has_names
        && read_dataset(&mut input, entry, |before| {
            read_dataset(&mut converted, new_entry, |after| is_same(before, after))
        })?;
    if !is_same {
        converted.encoding = Some(encoding.name());
        input = converted;
    }
    io::Seek::rewind(&mut input)?;
    Ok(input)
}

/// New names for the entries whose names are in this encoding.
///
/// # Errors
/// A name that is not in the encoding.
fn renamed(archive: &Archive, encoding: &'static Encoding) -> io::Result<Vec<EntryEdit>> {
    let of_encoding = |entry: &&Entry| !entry.is_marked_utf8() && !entry.raw_name().is_ascii();
    let rename = |entry: &Entry| {
        let name = encoding.decode_without_bom_handling_and_without_replacement(entry.raw_name());
        let name = name.ok_or_else(|| {
            io::Error::other(format!(
                "the name {} is not {}: name another encoding",
                entry.name,
                encoding.name()
            ))
        })?;
        Ok(EntryEdit::rename(&*entry.name, name))
    };
    archive.entries().iter().filter(of_encoding).map(rename).collect()
}

fn is_utf8(dataset: &mut dyn Read) -> io::Result<bool> {
    let mut decoder = Strict { decoder: UTF_8.new_decoder_with_bom_removal(), read: 0 };
    let mut dataset = BufReader::with_capacity(1 << 18, dataset);
    let mut out = Vec::new();
    loop {
        let held = dataset.fill_buf()?;
        let length = held.len();
        if decoder.decode(held, length == 0, &mut out).is_err() {
            return Ok(false);
        }
        if length == 0 {
            return Ok(true);
        }
        out.clear();
        dataset.consume(length);
    }
}

/// The encoding that fits the bytes of a dataset best; `None` for UTF-8. `entry` is the dataset in a ZIP.
///
/// # Errors
/// Those of reading.
pub(crate) fn guess(input: &mut Input, entry: Option<&str>) -> io::Result<Option<&'static Encoding>> {
    let mut detector = EncodingDetector::new();
    read_dataset(input, entry, |dataset| {
        let mut dataset = BufReader::with_capacity(1 << 18, dataset);
        loop {
            let held = dataset.fill_buf()?;
            detector.feed(held, held.is_empty());
            let length = held.len();
            if length == 0 {
                return Ok(());
            }
            dataset.consume(length);
        }
    })?;
    Ok(Some(detector.guess(None, true)).filter(|encoding| *encoding != UTF_8))
}

fn is_same(one: &mut dyn Read, other: &mut dyn Read) -> io::Result<bool> {
    let (mut one, mut other) = (BufReader::new(one), BufReader::new(other));
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let length = left.len().min(right.len());
        if length == 0 {
            return Ok(left.len() == right.len());
        }
        if left[..length] != right[..length] {
            return Ok(false);
        }
        one.consume(length);
        other.consume(length);
    }
}
