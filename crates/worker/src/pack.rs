//! Packs files into a ZIP.

use std::cell::RefCell;
use std::rc::Rc;

use evalcheck_blob::{FileSnapshot, Packer};
use evalcheck_wire::worker::{CheckId, Event};
use web_sys::Blob;

use crate::check;
use crate::port;

/// The ZIP in progress, and its id.
#[derive(Default)]
pub(crate) struct Packing(RefCell<Option<(CheckId, Packer)>>);

impl Packing {
    /// Adds a file to the ZIP with this id. Drops a ZIP with another id.
    pub(crate) fn add(self: &Rc<Self>, id: CheckId, path: String, file: Option<(Blob, FileSnapshot)>) {
        let Some((file, _)) = file else { return };
        if self.0.borrow().as_ref().is_none_or(|(packing, _)| *packing != id) {
            self.0.replace(Some((id, Packer::default())));
        }
        let this = Rc::clone(self);
        wasm_bindgen_futures::spawn_local(async move {
            match Packer::compress(&file).await {
                Ok(data) => {
                    // It may have been cancelled.
                    let mut packing = this.0.borrow_mut();
                    if let Some((_, packer)) = packing.as_mut().filter(|(packing, _)| *packing == id) {
                        packer.add(&path, data);
                        port::post(&Event::Packed { id });
                    }
                }
                Err(why) => port::post(&Event::NotExported { id, why: format!("{path}: {why}") }),
            }
        });
    }

    /// Posts the ZIP with this id.
    pub(crate) fn finish(&self, id: CheckId) {
        if let Some(packer) = self.take(id) {
            check::export(id, packer.finish());
        }
    }

    /// Takes the ZIP with this id.
    pub(crate) fn take(&self, id: CheckId) -> Option<Packer> {
        self.0.borrow_mut().take_if(|(packing, _)| *packing == id).map(|(_, packer)| packer)
    }
}
