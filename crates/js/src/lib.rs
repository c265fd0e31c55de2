//! The JavaScript API of evalcheck: the engine for pages, workers and Node.
//!
//! ```js
//! import init, { check } from "evalcheck";
//!
//! await init();
//! const report = await check(file, { format: "juryarena", onProgress: ({ bytes }) => console.log(bytes) });
//! for (const { line, path, message } of report.findings) console.log(`line ${line}: ${path}: ${message}`);
//! ```
//!
//! The types of it all are in `types.d.ts`, which becomes a part of the generated `.d.ts`.

mod open;
mod options;

use std::io::Cursor;

use evalcheck_blob::{BlobReader, FileSnapshot, Macrotask, Throttle};
use evalcheck_engine::catalogue::catalogue;
use evalcheck_engine::check::{Check, FileInfo};
use js_sys::{Array, Object, Uint8Array};
use serde::Serialize;
use wasm_bindgen::prelude::*;
use web_sys::Blob;

use crate::options::Options;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("../types.d.ts");

#[wasm_bindgen]
extern "C" {
    /// What can be checked.
    #[wasm_bindgen(typescript_type = "Dataset")]
    pub type JsDataset;

    /// How to check.
    #[wasm_bindgen(typescript_type = "CheckOptions")]
    pub type JsOptions;

    /// A report.
    #[wasm_bindgen(typescript_type = "Report")]
    pub type JsReport;

    /// A format as it is chosen.
    #[wasm_bindgen(typescript_type = "Format[]")]
    pub type JsFormats;

    /// A rule's page.
    #[wasm_bindgen(typescript_type = "Rule | undefined")]
    pub type JsRule;
}

/// The first read is small, so that progress shows at once.
const FIRST_READ: u32 = 128 << 10;

/// Bytes that the engine gets at a time. In between, progress is reported and the event loop gets its turn.
const PIECE: usize = 256 << 10;

/// Milliseconds between two calls of `onProgress`.
const PROGRESS_EVERY: f64 = 66.0;

/// Milliseconds after which a page gets its turn: a frame of 60 a second.
const TURN_EVERY: f64 = 12.0;

/// Tells a panic on the console in words; what JavaScript sees of it is a `RuntimeError`.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| web_sys::console::error_1(&info.to_string().into())));
}

/// Checks a dataset: a `File` or a `Blob` (a file of any size, in bounded memory), an `ArrayBuffer` or a view of one,
/// or a string.
///
/// A dataset that cannot be read to its end gives a report with `checked: false` and a finding that says why.
///
/// # Errors
/// Rejects with a `TypeError` when an argument is not what it should be, and with the signal's reason when it aborts.
#[wasm_bindgen]
pub async fn check(dataset: JsDataset, options: Option<JsOptions>) -> Result<JsReport, JsValue> {
    let options = Options::read(options.as_deref())?;
    let blob = as_blob(dataset.into())?;
    let snapshot = FileSnapshot::of(&blob);
    let info = FileInfo { name: options.name_of(&blob), size: snapshot.size };
    options.fail_if_aborted()?;
    let mut job = open::open(&blob, info, &options.check).await;
    drive(&mut job, &blob, snapshot, &options).await?;
    to_js(&job.report()).map(JsCast::unchecked_into)
}

/// Reads and checks to the end.
async fn drive(
    job: &mut Check,
    blob: &Blob,
    snapshot: FileSnapshot,
    options: &Options,
) -> Result<(), JsValue> {
    let mut reader = BlobReader::new(blob.clone(), snapshot.size);
    let macrotask = Macrotask::new()?;
    let (mut progress, mut turn) = (Throttle::every(PROGRESS_EVERY), Throttle::every(TURN_EVERY));
    let mut most = FIRST_READ;
    // It is known that the file stayed the same, or the report says already that it was not read.
    let mut settled = job.next_range().is_none() && !job.report().checked;
    while let Some(wanted) = job.next_range() {
        let mut read = reader.read(wanted.clone(), most).await;
        // The last bytes are not taken before it is known that all belong to one state of the file.
        if let Ok(bytes) = &read
            && wanted.start + u64::from(bytes.length()) >= snapshot.size
        {
            read = snapshot.verify(blob).await.and(read);
            settled = true;
        }
        let mut rest = match read {
            Ok(bytes) => bytes,
            Err(why) => {
                job.fail(&snapshot.changed(blob).unwrap_or(why));
                settled = true;
                break;
            }
        };
        most = u32::MAX;
        let mut at = wanted.start;
        while rest.length() > 0 && job.next_range().is_some_and(|wanted| wanted.start == at) {
            let n = feed(job, &rest);
            at += u64::from(n);
            rest = rest.subarray(n, rest.length());
            if progress.is_due() {
                options.tell(&to_js(&job.progress())?)?;
            }
            if turn.is_due() {
                macrotask.turn().await;
            }
            options.fail_if_aborted()?;
        }
    }
    // An archive ends with its directory, which is not wanted again; so it is looked at when all is done.
    if !settled && let Err(why) = snapshot.verify(blob).await {
        job.fail(&why);
    }
    options.tell(&to_js(&job.progress())?)
}

/// Hands over one piece; returns its length.
fn feed(job: &mut Check, bytes: &Uint8Array) -> u32 {
    let space = job.buffer(PIECE);
    let n = u32::try_from(space.len()).unwrap_or(u32::MAX).min(bytes.length());
    bytes.subarray(0, n).copy_to(&mut space[..n as usize]);
    job.commit(n as usize);
    n
}

/// Checks a text at once, without a promise: for an editor that checks what is typed. `onProgress` and `signal` of the
/// options are of no use here.
///
/// # Errors
/// Throws a `TypeError` when an option is not what it should be.
#[wasm_bindgen(js_name = checkText)]
#[expect(clippy::needless_pass_by_value, reason = "what JavaScript hands over is a value, not a reference")]
pub fn check_text(text: &str, options: Option<JsOptions>) -> Result<JsReport, JsValue> {
    let options = Options::read(options.as_deref())?;
    let info = FileInfo { name: options.name(), size: text.len() as u64 };
    let mut job = Check::open(&mut Cursor::new(text), info, options.check);
    job.read_all(text.as_bytes(), PIECE);
    to_js(&job.report()).map(JsCast::unchecked_into)
}

/// The formats that a dataset can be checked against.
///
/// # Errors
/// None that could be met.
#[wasm_bindgen]
pub fn formats() -> Result<JsFormats, JsValue> {
    to_js(&catalogue().formats).map(JsCast::unchecked_into)
}

/// The page of a rule: what it means, an example, the same example fixed. `undefined` when there is no such code.
///
/// # Errors
/// None that could be met.
#[wasm_bindgen]
pub fn explain(code: &str) -> Result<JsRule, JsValue> {
    match catalogue().rules.into_iter().find(|rule| rule.code == code) {
        Some(rule) => to_js(&rule).map(JsCast::unchecked_into),
        None => Ok(JsValue::UNDEFINED.unchecked_into()),
    }
}

/// The version of evalcheck.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Everything that can be checked is a blob in the end: it holds bytes outside of our memory, and is read in pieces.
fn as_blob(dataset: JsValue) -> Result<Blob, JsValue> {
    let dataset = match dataset.dyn_into::<Blob>() {
        Ok(blob) => return Ok(blob),
        Err(dataset) => dataset,
    };
    if dataset.is_string()
        || dataset.is_instance_of::<js_sys::ArrayBuffer>()
        || js_sys::ArrayBuffer::is_view(&dataset)
    {
        return Blob::new_with_buffer_source_sequence(&Array::of1(&dataset));
    }
    let found =
        if dataset.is_null() { "null".into() } else { dataset.js_typeof().as_string().unwrap_or_default() };
    let object: Option<&Object> = dataset.dyn_ref();
    let found = object.map_or(found, |object| object.constructor().name().into());
    Err(js_sys::TypeError::new(&format!(
        "a File, a Blob, an ArrayBuffer, a view of one, or a string is wanted, not {found}"
    ))
    .into())
}

/// Plain objects and numbers.
fn to_js(value: &impl Serialize) -> Result<JsValue, JsValue> {
    Ok(value.serialize(&serde_wasm_bindgen::Serializer::json_compatible())?)
}
