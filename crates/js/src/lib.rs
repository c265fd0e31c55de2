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
//! `types.d.ts` declares the types; it is made from `options.d.ts` and `wire`, and becomes a part of the generated `.d.ts`.

mod fix;
mod open;
mod options;

use std::cell::RefCell;
use std::io::Cursor;
use std::ops::ControlFlow;

use evalcheck_blob::{FileSnapshot, Macrotask, Throttle};
use evalcheck_engine::catalogue::catalogue;
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::purpose::Purpose;
use js_sys::{Array, Object};
use serde::Serialize;
use wasm_bindgen::prelude::*;
use web_sys::Blob;

use crate::options::Options;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("../types.d.ts");

#[wasm_bindgen]
extern "C" {
    /// A dataset.
    #[wasm_bindgen(typescript_type = "Dataset")]
    pub type JsDataset;

    /// The options of a check.
    #[wasm_bindgen(typescript_type = "CheckOptions")]
    pub type JsOptions;

    /// The options of a fix.
    #[wasm_bindgen(typescript_type = "FixOptions")]
    pub type JsFixOptions;

    /// A dataset that was fixed.
    #[wasm_bindgen(typescript_type = "Fixed")]
    pub type JsFixed;

    /// A report.
    #[wasm_bindgen(typescript_type = "Report")]
    pub type JsReport;

    /// The known formats.
    #[wasm_bindgen(typescript_type = "Format[]")]
    pub type JsFormats;

    /// The description of a rule.
    #[wasm_bindgen(typescript_type = "Rule | undefined")]
    pub type JsRule;
}

/// Bytes that are checked at once. In between, progress is reported and the check yields to the event loop.
const PIECE: usize = 256 << 10;

/// Milliseconds between two calls of `onProgress`.
const PROGRESS_EVERY: f64 = 66.0;

/// Milliseconds after which the check yields to the event loop: less than a frame at 60 frames per second.
const TURN_EVERY: f64 = 12.0;

/// Writes panics to the console; JavaScript only gets a `RuntimeError`.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| web_sys::console::error_1(&info.to_string().into())));
}

/// Checks a dataset: a `File` or a `Blob` (a file of any size, in bounded memory), an `ArrayBuffer` or a view of one,
/// or a string.
///
/// A dataset that cannot be read to its end has a report with `checked: false` and a finding with the reason.
///
/// # Errors
/// Rejects with a `TypeError` when an argument is wrong, and with the signal's reason when it aborts.
#[wasm_bindgen]
pub async fn check(dataset: JsDataset, options: Option<JsOptions>) -> Result<JsReport, JsValue> {
    let options = Options::read(options.as_deref(), false)?;
    let blob = as_blob(dataset.into())?;
    let name = options.name_of(&blob);
    let mut purpose = if options.overview { Purpose::overview() } else { Purpose::default() };
    let check = run(&blob, name, &options, &mut purpose).await?;
    to_js(&check.report()).map(JsCast::unchecked_into)
}

/// Applies the fixes of findings until there are none. Resolves to `{ blob, fixes, report }`: the fixed dataset, how many fixes
/// were applied, and the report on what it is now.
///
/// The blob is made of slices of the dataset and what is new, so nothing of it is held in memory.
///
/// # Errors
/// As [`check`]; a ZIP whose dataset is damaged.
#[wasm_bindgen]
pub async fn fix(dataset: JsDataset, options: Option<JsFixOptions>) -> Result<JsFixed, JsValue> {
    let options = Options::read(options.as_deref(), true)?;
    fix::fix(as_blob(dataset.into())?, &options).await.map(JsCast::unchecked_into)
}

/// Checks a dataset to its end for a purpose.
async fn run(blob: &Blob, name: String, options: &Options, purpose: &mut Purpose) -> Result<Check, JsValue> {
    let snapshot = FileSnapshot::of(blob);
    options.fail_if_aborted()?;
    let info = FileInfo { name, size: snapshot.size };
    let mut check = open::open(blob, info, &purpose.options(options.check.clone())).await;
    purpose.prepare(&mut check);
    let check = RefCell::new(check);
    let macrotask = Macrotask::new()?;
    let (mut progress, mut turn) = (Throttle::every(PROGRESS_EVERY), Throttle::every(TURN_EVERY));
    let mut after_piece = async || -> Result<(), JsValue> {
        purpose.take(&mut check.borrow_mut());
        if progress.is_due() {
            let now = check.borrow().progress();
            options.report_progress(&to_js(&now)?)?;
        }
        if turn.is_due() {
            macrotask.turn().await;
        }
        options.fail_if_aborted()
    };
    let between = async || match after_piece().await {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => ControlFlow::Break(error),
    };
    if let ControlFlow::Break(error) = evalcheck_blob::drive(&check, blob, snapshot, between).await {
        return Err(error);
    }
    let mut check = check.into_inner();
    purpose.finish(&mut check);
    options.report_progress(&to_js(&check.progress())?)?;
    Ok(check)
}

/// Checks a text and returns its report, for editors that check while the user types. The options `onProgress` and
/// `signal` have no effect.
///
/// # Errors
/// Throws a `TypeError` when an option is wrong.
#[wasm_bindgen(js_name = checkText)]
#[expect(clippy::needless_pass_by_value, reason = "what JavaScript hands over is a value, not a reference")]
pub fn check_text(text: &str, options: Option<JsOptions>) -> Result<JsReport, JsValue> {
    let options = Options::read(options.as_deref(), false)?;
    let info = FileInfo { name: options.name(), size: text.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(text), info, options.check);
    if options.overview {
        check.count_overview();
    }
    check.read_all(text.as_bytes(), PIECE);
    to_js(&check.report()).map(JsCast::unchecked_into)
}

/// The known formats.
///
/// # Errors
/// Does not fail.
#[wasm_bindgen]
pub fn formats() -> Result<JsFormats, JsValue> {
    to_js(&catalogue().formats).map(JsCast::unchecked_into)
}

/// The description of a rule with an example. `undefined` when there is no such code.
///
/// # Errors
/// Does not fail.
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

/// Converts every dataset to a blob, which holds its bytes outside of our memory and is read in pieces.
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
        "expected a File, a Blob, an ArrayBuffer, a view of one, or a string, not {found}"
    ))
    .into())
}

/// Converts to plain objects and numbers.
fn to_js(value: &impl Serialize) -> Result<JsValue, JsValue> {
    Ok(value.serialize(&serde_wasm_bindgen::Serializer::json_compatible())?)
}
