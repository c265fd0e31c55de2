//! The options of a check.

use evalcheck_wire::fix::Selection;
use evalcheck_wire::worker::CheckOptions;
use js_sys::{Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, File};

/// The name of a dataset without a name.
const NO_NAME: &str = "dataset";

/// The options after validation.
#[derive(Clone)]
pub(crate) struct Options {
    pub(crate) check: CheckOptions,
    /// Whether the statistics of the dataset are requested.
    pub(crate) overview: bool,
    /// The fixes to apply.
    pub(crate) selection: Selection,
    file_name: Option<String>,
    on_progress: Option<Function>,
    signal: Option<JsValue>,
}

impl Options {
    /// Reads `{ format?, maxFindingsPerCode?, all?, fileName?, onProgress?, signal? }`, for a check also `overview`, and for a fix also
    /// `unsafe`, `select` and `ignore`. An unknown key is an error, because it is most likely misspelled.
    pub(crate) fn read(options: &JsValue, of_fix: bool) -> Result<Self, JsValue> {
        let mut read = Self {
            check: CheckOptions::default(),
            overview: false,
            selection: Selection::default(),
            file_name: None,
            on_progress: None,
            signal: None,
        };
        if options.is_undefined() || options.is_null() {
            return Ok(read);
        }
        let object: &js_sys::Object = options.dyn_ref().ok_or_else(|| wrong("options", "an object"))?;
        for key in js_sys::Object::keys(object) {
            let value = Reflect::get(options, &key)?;
            let key = key.as_string().unwrap_or_default();
            if value.is_undefined() {
                continue;
            }
            match key.as_str() {
                "format" => read.check.format = Some(known_format(&value)?),
                "maxFindingsPerCode" => read.check.max_findings_per_code = Some(whole_number(&key, &value)?),
                "all" => read.check.all = value.as_bool().ok_or_else(|| wrong(&key, "a boolean"))?,
                "fileName" => {
                    read.file_name = Some(value.as_string().ok_or_else(|| wrong(&key, "a string"))?);
                }
                "onProgress" => {
                    read.on_progress = Some(value.dyn_into().map_err(|_| wrong(&key, "a function"))?);
                }
                "signal" => {
                    let aborted = Reflect::get(&value, &"aborted".into())?;
                    if aborted.as_bool().is_none() {
                        return Err(wrong(&key, "an AbortSignal"));
                    }
                    read.signal = Some(value);
                }
                "overview" if !of_fix => {
                    read.overview = value.as_bool().ok_or_else(|| wrong(&key, "a boolean"))?;
                }
                "unsafe" if of_fix => {
                    read.selection.not_safe = value.as_bool().ok_or_else(|| wrong(&key, "a boolean"))?;
                }
                "select" if of_fix => read.selection.select = strings(&key, &value)?,
                "ignore" if of_fix => read.selection.ignore = strings(&key, &value)?,
                _ => return Err(js_sys::TypeError::new(&format!("unknown option `{key}`")).into()),
            }
        }
        if read.check.all && read.check.max_findings_per_code.is_some() {
            return Err(js_sys::TypeError::new("all: cannot be used with maxFindingsPerCode").into());
        }
        Ok(read)
    }

    /// The name for the report.
    pub(crate) fn name(&self) -> String {
        self.file_name.clone().unwrap_or_else(|| NO_NAME.to_owned())
    }

    /// The name for the report: `fileName`, or the name of the file.
    pub(crate) fn name_of(&self, blob: &Blob) -> String {
        match (&self.file_name, blob.dyn_ref::<File>()) {
            (None, Some(file)) => file.name(),
            _ => self.name(),
        }
    }

    /// Calls `onProgress`. An exception ends the check.
    pub(crate) fn report_progress(&self, progress: &JsValue) -> Result<(), JsValue> {
        self.on_progress
            .as_ref()
            .map_or(Ok(()), |callback| callback.call1(&JsValue::UNDEFINED, progress).map(drop))
    }

    /// Fails with the signal's reason if it was aborted.
    pub(crate) fn fail_if_aborted(&self) -> Result<(), JsValue> {
        let Some(signal) = &self.signal else { return Ok(()) };
        if Reflect::get(signal, &"aborted".into())?.is_truthy() {
            return Err(Reflect::get(signal, &"reason".into())?);
        }
        Ok(())
    }
}

fn known_format(value: &JsValue) -> Result<String, JsValue> {
    let formats = evalcheck_engine::catalogue::catalogue().formats;
    let known = value.as_string().filter(|id| formats.iter().any(|format| format.id == *id));
    known.ok_or_else(|| {
        let ids: Vec<String> = formats.into_iter().map(|format| format.id).collect();
        wrong("format", &format!("one of {}", ids.join(", ")))
    })
}

fn strings(key: &str, value: &JsValue) -> Result<Vec<String>, JsValue> {
    let list: Option<&js_sys::Array> = value.dyn_ref();
    let strings = list.and_then(|list| list.iter().map(|item| item.as_string()).collect());
    strings.ok_or_else(|| wrong(key, "an array of strings"))
}

fn whole_number(key: &str, value: &JsValue) -> Result<u64, JsValue> {
    let number = value.as_f64().filter(|number| *number >= 0.0 && number.fract() == 0.0);
    number.map(evalcheck_blob::to_u64).ok_or_else(|| wrong(key, "a whole number from 0 on"))
}

fn wrong(key: &str, expected: &str) -> JsValue {
    js_sys::TypeError::new(&format!("{key}: expected {expected}")).into()
}
