//! Writes a file anew in another way.

use evalcheck_blob::{FileSnapshot, Macrotask, SyncSource};
use evalcheck_engine::fix::{Conversion, Converter};
use js_sys::{Array, Uint8Array};
use std::io::Read;
use web_sys::{Blob, File};

/// Bytes that are converted at a time. In between the event loop gets its turn.
const PIECE: usize = 1 << 20;

/// The file that a conversion makes of another. `None` when it is not wanted any more. Its parts are the browser's to keep,
/// which has them on the disk where they are many.
///
/// # Errors
/// The file cannot be read or the new one not made; the message is for the user.
pub(crate) async fn converted(
    file: Blob,
    snapshot: FileSnapshot,
    conversion: &Conversion,
    is_wanted: impl Fn() -> bool,
) -> Result<Option<File>, String> {
    let name = super::check::name_of(&file);
    let mut source = SyncSource::new(file.clone(), snapshot.size)?;
    let turns = Macrotask::new().map_err(|_| "The browser has no message channels.".to_owned())?;
    let mut converter = Converter::new(conversion);
    let parts = Array::new();
    let (mut bytes, mut out) = (vec![0; PIECE], Vec::new());
    loop {
        let read = source.read(&mut bytes).map_err(|error| error.to_string())?;
        converter.feed(&bytes[..read], &mut out);
        if read == 0 {
            converter.finish(&mut out);
        }
        let part = Blob::new_with_u8_array_sequence(&Array::of1(&Uint8Array::from(out.as_slice())));
        let part = part.map_err(|_| "The browser could not keep the new file.".to_owned())?;
        parts.push(&part);
        out.clear();
        turns.turn().await;
        if !is_wanted() {
            return Ok(None);
        }
        if read == 0 {
            break;
        }
    }
    if let Some(why) = snapshot.changed(&file) {
        return Err(why);
    }
    let new = File::new_with_blob_sequence(&parts, &name);
    new.map(Some).map_err(|_| "The browser could not make the new file.".to_owned())
}
