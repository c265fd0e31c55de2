//! Downloads reports as JSON.

use std::io;

use evalcheck_render::json::{ArrayWriter, write_report};
use gloo_timers::callback::Timeout;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

use crate::state::Download;

/// How long the object URL of a download stays valid, in milliseconds.
const URL_LIFETIME_MS: u32 = 60_000;

/// Downloads reports. Browsers show their own message when they refuse.
pub(super) fn save(what: &Download) {
    let Ok(json) = to_json(what) else { return };
    let _ = match what {
        Download::One(report) => offer(&json, &report.file.name),
        Download::All(_) => offer(&json, "reports"),
    };
}

/// The reports in the form that the command writes.
fn to_json(what: &Download) -> io::Result<Vec<u8>> {
    match what {
        Download::One(report) => {
            let mut json = Vec::new();
            write_report(&mut json, report)?;
            Ok(json)
        }
        Download::All(reports) => {
            let mut array = ArrayWriter::new(Vec::new());
            reports.iter().try_for_each(|report| array.push(report))?;
            array.finish()
        }
    }
}

fn offer(json: &[u8], name: &str) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type("application/json");
    let blob = Blob::new_with_u8_array_sequence_and_options(&Array::of1(&Uint8Array::from(json)), &options)?;
    offer_blob(&blob, &format!("{name}.evalcheck.json"))
}

/// Downloads a file under a name.
pub(super) fn save_file(file: &Blob, name: &str) {
    // Browsers show their own message when they refuse.
    let _ = offer_blob(file, name);
}

fn offer_blob(blob: &Blob, name: &str) -> Result<(), JsValue> {
    let url = Url::create_object_url_with_blob(blob)?;
    let document = web_sys::window().and_then(|window| window.document()).ok_or(JsValue::NULL)?;
    let link: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    Timeout::new(URL_LIFETIME_MS, move || {
        let _ = Url::revoke_object_url(&url);
    })
    .forget();
    Ok(())
}
