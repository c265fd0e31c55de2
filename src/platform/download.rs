//! A report as a file.

use evalcheck_wire::report::Report;
use gloo_timers::callback::Timeout;
use js_sys::{Array, JSON};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

/// How long the browser may take to begin reading the file, in milliseconds.
const READ_MS: u32 = 60_000;

/// Offers the report for saving. Where the browser refuses, nothing happens that could be said better here.
pub(super) fn save(report: &Report) {
    let _ = offer(report);
}

fn offer(report: &Report) -> Result<(), JsValue> {
    let value = report.serialize(&Serializer::json_compatible())?;
    let text = JSON::stringify_with_replacer_and_space(&value, &JsValue::NULL, &JsValue::from(2))?;
    let text = text.concat(&"\n".into());

    let options = BlobPropertyBag::new();
    options.set_type("application/json");
    let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&text), &options)?;
    let url = Url::create_object_url_with_blob(&blob)?;

    let document = web_sys::window().and_then(|window| window.document()).ok_or(JsValue::NULL)?;
    let link: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(&format!("{}.evalcheck.json", report.file.name));
    link.click();
    Timeout::new(READ_MS, move || {
        let _ = Url::revoke_object_url(&url);
    })
    .forget();
    Ok(())
}
