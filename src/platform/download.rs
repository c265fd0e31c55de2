//! Downloads reports as JSON.

use evalcheck_wire::report::Report;
use gloo_timers::callback::Timeout;
use js_sys::Array;
use serde::Serialize;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

use crate::state::Download;

/// How long the object URL of a download stays valid, in milliseconds.
const URL_LIFETIME_MS: u32 = 60_000;

/// Downloads reports. Browsers show their own message when they refuse.
pub(super) fn save(what: &Download) {
    let _ = match what {
        Download::One(report) => offer(&**report, &report.file.name),
        Download::All(reports) => {
            let all: Vec<&Report> = reports.iter().map(AsRef::as_ref).collect();
            offer(&all, "reports")
        }
    };
}

fn offer<T: Serialize>(value: &T, name: &str) -> Result<(), JsValue> {
    let text = serde_json::to_string_pretty(value).map_err(|_| JsValue::NULL)? + "\n";

    let options = BlobPropertyBag::new();
    options.set_type("application/json");
    let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&text.into()), &options)?;
    let url = Url::create_object_url_with_blob(&blob)?;

    let document = web_sys::window().and_then(|window| window.document()).ok_or(JsValue::NULL)?;
    let link: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(&format!("{name}.evalcheck.json"));
    link.click();
    Timeout::new(URL_LIFETIME_MS, move || {
        let _ = Url::revoke_object_url(&url);
    })
    .forget();
    Ok(())
}
