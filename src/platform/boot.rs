//! What `www/boot/boot.js` has begun before the page's own code was there.

use js_sys::Error;
use wasm_bindgen::prelude::*;
use web_sys::Worker;
use yew::{AttrValue, Callback};

use crate::state::Action;

// Each may be missing: a page that is put together in another way has no such script.
#[wasm_bindgen(js_namespace = evalcheckBoot)]
extern "C" {
    #[wasm_bindgen(catch, js_name = startWorker)]
    async fn start() -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_name = onUpdate)]
    fn on_update(tell: &JsValue) -> Result<(), JsValue>;

    #[wasm_bindgen(catch, js_name = update)]
    fn take_update() -> Result<(), JsValue>;
}

/// A new worker, or in words why there is none.
pub(super) async fn start_worker() -> Result<Worker, AttrValue> {
    match start().await {
        Ok(worker) => Ok(worker.unchecked_into()),
        Err(error) => Err(error.dyn_ref::<Error>().map_or_else(
            || "the browser does not say why".into(),
            |error| String::from(error.message()).into(),
        )),
    }
}

/// Tells when a newer version of the page is there.
pub(super) fn listen_for_update(dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    let tell = Closure::<dyn Fn()>::new(move || dispatch.emit(Action::UpdateFound));
    let _ = on_update(&tell.into_js_value());
}

/// Loads the newer version in place of this one.
pub(super) fn update() {
    let _ = take_update();
}
