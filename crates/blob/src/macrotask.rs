//! Yielding to the event loop.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{MessageChannel, MessagePort};

/// Yields to the event loop.
///
/// Reads of a stream may complete as microtasks, one after the other, which blocks all messages, including Cancel. A message to ourselves
/// is the fastest task; a timer waits at least 4 ms.
#[derive(Debug)]
pub struct Macrotask {
    here: MessagePort,
    there: MessagePort,
    waiting: Rc<RefCell<Option<Function>>>,
    _on_message: Closure<dyn FnMut()>,
}

impl Macrotask {
    /// Opens the message channel.
    ///
    /// # Errors
    /// The browser's error if it has no message channels.
    pub fn new() -> Result<Self, JsValue> {
        let channel = MessageChannel::new()?;
        let (here, there) = (channel.port1(), channel.port2());
        let waiting: Rc<RefCell<Option<Function>>> = Rc::default();
        let on_message = Closure::new({
            let waiting = Rc::clone(&waiting);
            move || {
                let resolve = waiting.borrow_mut().take();
                if let Some(resolve) = resolve {
                    // The resolve function of a promise does not throw.
                    let _ = resolve.call0(&JsValue::NULL);
                }
            }
        });
        here.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        Ok(Self { here, there, waiting, _on_message: on_message })
    }

    /// Waits until the event loop has run the tasks that are queued now. Must not be called concurrently.
    pub async fn turn(&self) {
        let promise = Promise::new(&mut |resolve, _reject| {
            self.waiting.replace(Some(resolve));
        });
        if self.there.post_message(&JsValue::NULL).is_ok() {
            // This promise is never rejected.
            let _ = JsFuture::from(promise).await;
        }
    }
}

impl Drop for Macrotask {
    fn drop(&mut self) {
        self.here.set_onmessage(None);
        // An open port keeps Node alive.
        self.here.close();
        self.there.close();
    }
}
