//! The JavaScript API of evalcheck: the engine for pages, workers and Node.
//!
//! These functions form the module. Users import the entries in `lib/`, which load the module and make a blob of each dataset;
//! `lib/index.d.ts` documents and types them. `types.d.ts`, the types of options and reports, is generated from `options.d.ts` and
//! `wire`.

mod fix;
mod open;
mod options;

use std::cell::RefCell;
use std::io::Cursor;
use std::ops::ControlFlow;

use evalcheck_blob::{FileSnapshot, Macrotask, Throttle};
use evalcheck_engine::catalogue;
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::overview::Overview;
use evalcheck_engine::purpose::Purpose;
use serde::Serialize;
use wasm_bindgen::prelude::*;
use web_sys::Blob;

use crate::options::Options;

/// The number of bytes checked at once. In between, progress is reported and the check yields to the event loop.
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

/// Checks a dataset.
///
/// A dataset that cannot be read to its end has a report with `checked: false` and a finding with the reason.
///
/// # Errors
/// Rejects with a `TypeError` if an option is invalid, and with the signal's reason if it aborts.
#[wasm_bindgen]
pub async fn check(dataset: Blob, options: JsValue) -> Result<JsValue, JsValue> {
    let options = Options::read(&options, false)?;
    let name = options.name_of(&dataset);
    let mut purpose = if options.overview { Purpose::overview() } else { Purpose::default() };
    to_js(&run(&dataset, name, &options, &mut purpose).await?.report())
}

/// Applies the fixes of findings until there are none. Resolves to `{ blob, fixes, report }`: the fixed dataset, the number of fixes
/// applied, and the report of the fixed dataset.
///
/// The blob consists of slices of the dataset and new bytes, so the dataset is not held in memory.
///
/// # Errors
/// Those of [`check`]; a ZIP whose dataset is damaged.
#[wasm_bindgen]
pub async fn fix(dataset: Blob, options: JsValue) -> Result<JsValue, JsValue> {
    let options = Options::read(&options, true)?;
    fix::fix(dataset, &options).await
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
/// Throws a `TypeError` if an option is invalid.
#[wasm_bindgen(js_name = checkText)]
#[expect(clippy::needless_pass_by_value, reason = "what JavaScript hands over is a value, not a reference")]
pub fn check_text(text: &str, options: JsValue) -> Result<JsValue, JsValue> {
    let options = Options::read(&options, false)?;
    let info = FileInfo { name: options.name(), size: text.len() as u64 };
    let mut check = Check::open_in(&open::environment(), &mut Cursor::new(text), info, options.check);
    if options.overview {
        check.observe(Overview::new(check.dataset()));
    }
    check.read_all(text.as_bytes(), PIECE);
    to_js(&check.report())
}

/// The known formats.
///
/// # Errors
/// Does not fail.
#[wasm_bindgen]
pub fn formats() -> Result<JsValue, JsValue> {
    to_js(&catalogue::catalogue().formats)
}

/// The description of a rule with an example. `undefined` if there is no such code.
///
/// # Errors
/// Does not fail.
#[wasm_bindgen]
pub fn explain(code: &str) -> Result<JsValue, JsValue> {
    let rule = catalogue::rules().into_iter().find(|rule| rule.code == code);
    rule.map_or(Ok(JsValue::UNDEFINED), |rule| to_js(&rule))
}

/// The version of evalcheck.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Converts to plain objects and numbers.
fn to_js(value: &impl Serialize) -> Result<JsValue, JsValue> {
    Ok(value.serialize(&serde_wasm_bindgen::Serializer::json_compatible())?)
}
