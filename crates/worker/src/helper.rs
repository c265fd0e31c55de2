//! A helper: finds the known lines of ranges of a file, for the worker that started it.
//!
//! That worker first posts `{ dataset, file }` (`dataset` is JSON, including the query of a search), then `{ number, start, end }` for each
//! range. The helper answers `{ number, part, others }` (the bytes of the part and of its other lines), or `{ number, why }`.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use evalcheck_blob::{BlobReader, to_u64};
use evalcheck_engine::parts::{FEWEST, PartScanner};
use evalcheck_engine::search::short_names;
use evalcheck_wire::plan::PlannedDataset;
use evalcheck_wire::query::Query;
use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, MessageEvent};

use crate::port::{get, scope};
use crate::{regex, schema, watch};

/// Bytes that are scanned at a time.
const PIECE: usize = 256 << 10;

/// Bytes after a range that are read with it, because its last line may end there.
const MORE: u64 = 64 << 10;

/// The maximum number of bytes of other lines that are posted with a part. With more of them, the check is the bottleneck.
const MOST_OTHERS: usize = 1 << 20;

/// The file to scan, and the waiting ranges.
#[derive(Default)]
struct Helper {
    file: RefCell<Option<Planned>>,
    waiting: RefCell<VecDeque<(f64, (u64, u64))>>,
}

struct Planned {
    dataset: PlannedDataset,
    reader: BlobReader,
    /// The query of a search, until its regular expressions are loaded.
    query: Option<Query>,
}

/// Starts to listen for ranges.
pub(crate) fn start() {
    let helper = Rc::new(Helper::default());
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        if let Err(why) = helper.take(&event.data()) {
            watch::died(&why);
        }
    });
    scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
}

impl Helper {
    fn take(self: &Rc<Self>, data: &JsValue) -> Result<(), String> {
        if let Some(dataset) = get(data, "dataset").as_string() {
            let dataset: PlannedDataset =
                serde_json::from_str(&dataset).map_err(|error| error.to_string())?;
            let file = get(data, "file").dyn_into::<Blob>().map_err(|_| "there is no file")?;
            self.file.replace(Some(Planned::new(dataset, file)));
            return Ok(());
        }
        let number = |key: &str| get(data, key).as_f64().ok_or("there is no range");
        let range = (to_u64(number("start")?), to_u64(number("end")?));
        let mut waiting = self.waiting.borrow_mut();
        waiting.push_back((number("number")?, range));
        if waiting.len() == 1 {
            wasm_bindgen_futures::spawn_local(Rc::clone(self).run());
        }
        Ok(())
    }

    /// Scans the waiting ranges.
    async fn run(self: Rc<Self>) {
        loop {
            let next = self.waiting.borrow().front().copied();
            let Some((number, range)) = next else { return };
            let Some(mut planned) = self.file.take() else { return watch::died("there is no file") };
            let found = planned.scan(range).await;
            self.file.replace(Some(planned));
            self.waiting.borrow_mut().pop_front();
            if let Err(error) = post(number, found) {
                watch::died(&format!("A part could not be posted: {error:?}"));
            }
        }
    }
}

impl Planned {
    fn new(dataset: PlannedDataset, file: Blob) -> Self {
        let query = dataset.lines.as_ref().and_then(|lines| lines.query.as_ref());
        let query = query.and_then(|query| Query::parse(&query.text, &short_names()).ok());
        Self { dataset, reader: BlobReader::new(file, 0), query }
    }

    /// Returns the bytes of the part of a range and of its other lines.
    async fn scan(&mut self, range: (u64, u64)) -> Result<[Vec<u8>; 2], String> {
        if let Some(query) = self.query.take() {
            // If they cannot be loaded, all records are left to the search.
            let _ = regex::load_for(&query).await;
        }
        if !self.dataset.schema.is_empty() {
            schema::load().await;
        }
        let scanner = PartScanner::in_environment(&schema::ENVIRONMENT, &self.dataset, range, FEWEST);
        let mut scanner = scanner.map_err(|error| error.to_string())?.with_others(MOST_OTHERS);
        let mut until = 0;
        while let Some(wanted) = scanner.next_range() {
            // The stream ends soon after the range, so that the browser does not read ahead in vain.
            if wanted.start >= until {
                until = range.1.max(wanted.start).saturating_add(MORE).min(wanted.end);
                self.reader.end_at(until);
            }
            let bytes = self.reader.read(wanted.start..until, u32::MAX).await?;
            let mut at = 0;
            while at < bytes.length() && scanner.next_range().is_some() {
                let buffer = scanner.buffer(PIECE);
                let length = bytes.length().min(at + u32::try_from(buffer.len()).unwrap_or(u32::MAX)) - at;
                bytes.subarray(at, at + length).copy_to(&mut buffer[..length as usize]);
                scanner.commit(length as usize);
                at += length;
            }
        }
        let others = scanner.take_others().into_bytes();
        Ok([scanner.finish().to_bytes(), others])
    }
}

fn post(number: f64, found: Result<[Vec<u8>; 2], String>) -> Result<(), JsValue> {
    let message = Object::new();
    Reflect::set(&message, &"number".into(), &number.into())?;
    let buffers = Array::new();
    match found {
        Ok([part, others]) => {
            for (key, bytes) in [("part", part), ("others", others)] {
                let bytes = Uint8Array::from(&*bytes);
                Reflect::set(&message, &key.into(), &bytes)?;
                buffers.push(&bytes.buffer());
            }
        }
        Err(why) => drop(Reflect::set(&message, &"why".into(), &why.into())?),
    }
    scope().post_message_with_transfer(&message, &buffers)
}
