//! An attachment for showing.

use std::io::{Read, Seek, SeekFrom};

use evalcheck_wire::view::{Attachment, AttachmentInfo};

use crate::archive::{Archive, Inflater};
use crate::content;

/// Reads an attachment, at most `most` bytes of it.
///
/// # Errors
/// What is wrong with the entry, in words for the person.
pub fn attachment<R: Read + Seek>(
    source: &mut R,
    archive: &Archive,
    name: &str,
    most: usize,
) -> Result<(Attachment, Vec<u8>), String> {
    let entry = archive
        .entries()
        .iter()
        .find(|entry| &*entry.name == name)
        .ok_or_else(|| format!("The archive has no entry called {name}."))?;
    let Some(data) = entry.data.clone().filter(|_| entry.is_readable()) else {
        return Err("This entry cannot be read; the findings say why.".to_owned());
    };
    let mut inflater = Inflater::new(entry);
    let mut bytes = Vec::new();
    let mut at = data.start;
    let mut packed = vec![0; 64 << 10];
    let mut piece = vec![0; 64 << 10];
    loop {
        source.seek(SeekFrom::Start(at)).map_err(|error| error.to_string())?;
        let room = usize::try_from(data.end - at).unwrap_or(packed.len()).min(packed.len());
        let n = source.read(&mut packed[..room]).map_err(|error| error.to_string())?;
        if n == 0 && room > 0 {
            return Err("The file is shorter than it was when it was chosen.".to_owned());
        }
        let step = inflater.push(&packed[..n], &mut piece).map_err(|problem| problem.message())?;
        at += step.consumed as u64;
        let room = most - bytes.len();
        bytes.extend_from_slice(&piece[..step.produced.min(room)]);
        if step.done || bytes.len() == most || (step.consumed == 0 && step.produced == 0) {
            break;
        }
    }
    let content = content::sniff(&bytes);
    let info = AttachmentInfo { entry: entry.name.to_string(), size: entry.size };
    let attachment = Attachment {
        info,
        kind: content.kind,
        media_type: content.media_type.to_owned(),
        description: content.description.to_owned(),
        bytes_read: bytes.len() as u64,
    };
    Ok((attachment, bytes))
}
