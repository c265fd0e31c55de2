//! Downloads reports and schemas as JSON, and files.

use std::io;

use evalcheck_render::json::{ArrayWriter, write_report};
use gloo_timers::callback::Timeout;
use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Blob, BlobPropertyBag, DomException, HtmlAnchorElement, Url};
use yew::{AttrValue, Callback};

use crate::state::Download;

/// The lifetime of the object URL of a download, in milliseconds.
const URL_LIFETIME_MS: u32 = 60_000;

/// Downloads reports or a schema. Browsers show their own message if they refuse.
pub(super) fn save(what: &Download) {
    let Ok(json) = to_json(what) else { return };
    let _ = offer(&json, &what.name());
}

/// In the same form as the output of the command.
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
        Download::Schema(schema) => Ok(schema.text.clone().into_bytes()),
    }
}

fn offer(json: &[u8], name: &str) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type("application/json");
    let blob = Blob::new_with_u8_array_sequence_and_options(&Array::of1(&Uint8Array::from(json)), &options)?;
    offer_blob(&blob, name)
}

/// Saves a file under a name: streams it to a location that the user chooses, if the browser supports that for this page, otherwise
/// downloads it. Calls `on_saved` with its name then.
pub(super) fn save_file(file: &Blob, name: &str, on_saved: Callback<AttrValue>) {
    let (file, name) = (file.clone(), name.to_owned());
    spawn_local(async move {
        let saved = match stream_to_disk(&file, &name).await {
            Ok(chosen) => Some(chosen),
            // The user has closed the dialog.
            Err(error)
                if error.dyn_ref::<DomException>().is_some_and(|error| error.name() == "AbortError") =>
            {
                None
            }
            // Browsers show their own message if they refuse.
            Err(_) => offer_blob(&file, &name).is_ok().then_some(name),
        };
        if let Some(name) = saved {
            on_saved.emit(name.into());
        }
    });
}

// web-sys has these only with a compiler flag.
#[wasm_bindgen]
extern "C" {
    type Picker;

    #[wasm_bindgen(method, catch, js_name = showSaveFilePicker)]
    async fn show_save_file_picker(this: &Picker, options: &Object) -> Result<JsValue, JsValue>;

    type FileHandle;

    #[wasm_bindgen(method, getter)]
    fn name(this: &FileHandle) -> String;

    #[wasm_bindgen(method, catch, js_name = createWritable)]
    async fn create_writable(this: &FileHandle) -> Result<JsValue, JsValue>;

    type Source;

    #[wasm_bindgen(method, catch)]
    fn stream(this: &Source) -> Result<Stream, JsValue>;

    type Stream;

    #[wasm_bindgen(method, catch, js_name = pipeTo)]
    async fn pipe_to(this: &Stream, sink: &JsValue) -> Result<JsValue, JsValue>;
}

/// Asks where to save a file, and writes it there piece by piece. Returns the name that the user chose.
async fn stream_to_disk(file: &Blob, name: &str) -> Result<String, JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    if !Reflect::get(&window, &"showSaveFilePicker".into())?.is_function() {
        return Err(JsValue::NULL);
    }
    let window: Picker = window.unchecked_into();
    let options = Object::new();
    Reflect::set(&options, &"suggestedName".into(), &name.into())?;
    let handle = window.show_save_file_picker(&options).await?;
    write_into(file, &handle).await?;
    Ok(handle.unchecked_ref::<FileHandle>().name())
}

/// Replaces the file of a handle, piece by piece. The file on disk changes only once all is written.
pub(super) async fn write_into(file: &Blob, handle: &JsValue) -> Result<(), JsValue> {
    let sink = handle.unchecked_ref::<FileHandle>().create_writable().await?;
    file.unchecked_ref::<Source>().stream()?.pipe_to(&sink).await?;
    Ok(())
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
