//! Applies fixes: each round checks the dataset for its fixes, and makes a blob of slices of it and the new text.

use evalcheck_engine::check::Check;
use evalcheck_engine::fix::{Conversion, Converter, EditPlan, MOST_ROUNDS};
use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use crate::options::Options;
use crate::{run, to_js};

/// How many bytes are converted at once.
const PIECE: f64 = 4_194_304.0;

pub(crate) async fn fix(mut blob: Blob, options: &Options) -> Result<JsValue, JsValue> {
    let name = options.name_of(&blob);
    let mut fixes = 0;
    for _ in 0..MOST_ROUNDS {
        let plan = plan(&blob, &name, options).await?;
        if plan.is_empty() {
            break;
        }
        fixes += plan.fixes();
        blob = match plan.conversion() {
            Some(conversion) => converted(&blob, conversion).await?,
            None => rewritten(&blob, plan)?,
        };
    }
    let report = run(&blob, name, options, |_| {}).await?.report();
    let result = Object::new();
    Reflect::set(&result, &"blob".into(), &blob)?;
    Reflect::set(&result, &"fixes".into(), &to_js(&fixes)?)?;
    Reflect::set(&result, &"report".into(), &to_js(&report)?)?;
    Ok(result.into())
}

/// The selected fixes of a dataset; none of a ZIP, and none where it could not be read to its end.
async fn plan(blob: &Blob, name: &str, options: &Options) -> Result<EditPlan, JsValue> {
    let uncapped = options.without_cap();
    let mut plan = EditPlan::default();
    let mut take = |job: &mut Check| {
        job.keep_every_finding();
        for fix in job.take_findings(0).iter().filter_map(|finding| options.selection.fix_of(finding)) {
            plan.add(fix);
        }
    };
    let check = run(blob, name.to_owned(), &uncapped, &mut take).await?;
    let report = check.report();
    for fix in report.findings.iter().filter_map(|finding| options.selection.fix_of(finding)) {
        plan.add(fix);
    }
    let is_usable = check.is_read() && !plan.changes_archive(&report);
    Ok(if is_usable { plan } else { EditPlan::default() })
}

/// The dataset written anew, a piece at a time.
async fn converted(blob: &Blob, conversion: &Conversion) -> Result<Blob, JsValue> {
    let mut converter = Converter::new(conversion);
    let parts = Array::new();
    let mut out = Vec::new();
    let mut at = 0.0;
    while at < blob.size() {
        let piece = blob.slice_with_f64_and_f64(at, at + PIECE)?;
        let bytes = JsFuture::from(piece.array_buffer()).await?;
        converter.feed(&Uint8Array::new(&bytes).to_vec(), &mut out);
        parts.push(&Uint8Array::from(out.as_slice()).into());
        out.clear();
        at += PIECE;
    }
    converter.finish(&mut out);
    parts.push(&Uint8Array::from(out.as_slice()).into());
    Blob::new_with_u8_array_sequence(&parts)
}

#[expect(clippy::cast_precision_loss, reason = "no blob has 2^53 bytes")]
fn rewritten(blob: &Blob, plan: EditPlan) -> Result<Blob, JsValue> {
    let parts = Array::new();
    let mut at = 0.0;
    for edit in plan.into_edits() {
        parts.push(&blob.slice_with_f64_and_f64(at, edit.start as f64)?.into());
        parts.push(&edit.text.into());
        at = edit.end as f64;
    }
    parts.push(&blob.slice_with_f64_and_f64(at, blob.size())?.into());
    Blob::new_with_blob_sequence(&parts)
}
