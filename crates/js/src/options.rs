//! The options of a check.

use evalcheck_engine::formats::{self, FORMATS};
use evalcheck_wire::fix::Selection;
use evalcheck_wire::options::{self, CheckOptions, Kind, OPTIONS};
use js_sys::{Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, File};

/// The name of a dataset without a name.
const NO_NAME: &str = "dataset";

/// The options after validation.
#[derive(Clone, Default)]
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
    /// Reads the declared options, `fileName`, `onProgress` and `signal`, for a check also `overview`, and for a fix also `unsafe`. An
    /// unknown key is an error, because it is most likely misspelled.
    pub(crate) fn read(options: &JsValue, of_fix: bool) -> Result<Self, JsValue> {
        let mut read = Self::default();
        if options.is_undefined() || options.is_null() {
            return Ok(read);
        }
        let object: &js_sys::Object = options.dyn_ref().ok_or_else(|| wrong("options", "an object"))?;
        let (mut declared, mut not_safe) = (options::Options::default(), false);
        for key in js_sys::Object::keys(object) {
            let value = Reflect::get(options, &key)?;
            let key = key.as_string().unwrap_or_default();
            if value.is_undefined() {
                continue;
            }
            let boolean = || value.as_bool().ok_or_else(|| wrong(&key, "a boolean"));
            match key.as_str() {
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
                "overview" if !of_fix => read.overview = boolean()?,
                "unsafe" if of_fix => not_safe = boolean()?,
                _ => set(&mut declared, &key, value, of_fix)?,
            }
        }
        if let Some(pair) = declared.conflict() {
            let [key, other] = pair.map(|option| option.javascript.map_or(option.name, |(key, _)| key));
            return Err(js_sys::TypeError::new(&format!("{key}: cannot be used with {other}")).into());
        }
        read.check = declared.check();
        read.selection = declared.fixes(not_safe);
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

/// Sets the declared option with this key.
fn set(options: &mut options::Options, key: &str, value: JsValue, of_fix: bool) -> Result<(), JsValue> {
    let option = OPTIONS.iter().find(|option| {
        let of_fix = option.javascript_fix.filter(|_| of_fix);
        option.javascript.or(of_fix).is_some_and(|(name, _)| name == key)
    });
    let option = option.ok_or_else(|| js_sys::TypeError::new(&format!("unknown option `{key}`")))?;
    if option.kind == Kind::Format && value.as_string().is_none_or(|id| formats::by_id(&id).is_none()) {
        let ids: Vec<&str> = FORMATS.iter().map(|format| format.id).collect();
        return Err(wrong(key, &format!("one of {}", ids.join(", "))));
    }
    let wrong = || wrong(key, option.kind.expected().0);
    if value.is_null() {
        return Err(wrong());
    }
    options.set(option.name, serde_wasm_bindgen::Deserializer::from(value)).map_err(|_| wrong())
}

fn wrong(key: &str, expected: &str) -> JsValue {
    js_sys::TypeError::new(&format!("{key}: expected {expected}")).into()
}
