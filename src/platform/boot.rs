//! Calls `www/boot/boot.js`, `files.js` and `rest.js`, which run before the page's own code.

use std::rc::Rc;

use evalcheck_wire::catalogue::RuleInfo;
use js_sys::Error;
use wasm_bindgen::prelude::*;
use web_sys::Worker;
use yew::{AttrValue, Callback};

use crate::state::{Action, Loaded};

// Each function can be missing: a page built in another way has no such script.
#[wasm_bindgen(js_namespace = evalcheckBoot)]
extern "C" {
    #[wasm_bindgen(catch, js_name = startWorker)]
    async fn start() -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_name = onUpdate)]
    fn on_update(callback: &JsValue) -> Result<(), JsValue>;

    #[wasm_bindgen(catch, js_name = onRules)]
    fn on_rules(callback: &JsValue) -> Result<(), JsValue>;

    #[wasm_bindgen(catch, js_name = update)]
    fn apply_update_js() -> Result<(), JsValue>;

    #[wasm_bindgen(catch, js_name = sayReady)]
    fn say_ready_js() -> Result<(), JsValue>;
}

#[wasm_bindgen(js_namespace = evalcheckFiles)]
extern "C" {
    #[wasm_bindgen(catch, js_name = onLoading)]
    fn on_loading(callback: &JsValue) -> Result<(), JsValue>;
}

#[wasm_bindgen(js_namespace = evalcheckRest)]
extern "C" {
    #[wasm_bindgen(js_name = loadNow)]
    fn load_rest_now();
}

/// Loads the rest of this module, and waits for it. A build that splits the module adds calls of this before calls of the rest.
#[wasm_bindgen]
#[expect(unreachable_pub, reason = "wasm-bindgen exports public functions only")]
pub fn load_rest() {
    load_rest_now();
}

/// Starts a worker, or returns the reason why it could not be started.
pub(super) async fn start_worker() -> Result<Worker, AttrValue> {
    match start().await {
        Ok(worker) => Ok(worker.unchecked_into()),
        Err(error) => Err(error
            .dyn_ref::<Error>()
            .map_or_else(|| "unknown error".into(), |error| String::from(error.message()).into())),
    }
}

/// Reports how much of the engine has been loaded.
pub(super) fn listen_for_loading(dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    let callback = Closure::<dyn Fn(u8, bool, u8)>::new(move |checker, page, rest| {
        dispatch.emit(Action::Loaded(Loaded { checker, page, rest }));
    });
    let _ = on_loading(&callback.into_js_value());
}

/// Reports the rules with their pages, once they are loaded.
pub(super) fn listen_for_rules(dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    let callback = Closure::<dyn Fn(String)>::new(move |json: String| {
        dispatch.emit(Action::RulesLoaded(parsed_rules(&json)));
    });
    let _ = on_rules(&callback.into_js_value());
}

// A function of its own also when compiled, so that a build can move it out of what is loaded before a verdict.
#[inline(never)]
fn parsed_rules(json: &str) -> Rc<[RuleInfo]> {
    serde_json::from_str::<Vec<_>>(json).unwrap_or_default().into()
}

/// Reports when a newer version of the page is available.
pub(super) fn listen_for_update(dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    let callback = Closure::<dyn Fn()>::new(move || dispatch.emit(Action::UpdateAvailable));
    let _ = on_update(&callback.into_js_value());
}

/// Marks the page as ready, as soon as all of it is loaded.
pub(super) fn say_ready() {
    let _ = say_ready_js();
}

/// Loads the newer version.
pub(super) fn apply_update() {
    let _ = apply_update_js();
}
