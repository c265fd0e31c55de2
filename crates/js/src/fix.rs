//! Applies fixes: each round checks the dataset for its fixes, and makes a blob of slices of it and what is new.

use std::cell::RefCell;

use evalcheck_engine::check::Check;
use evalcheck_engine::fix::{EditPlan, MOST_ROUNDS};
use js_sys::{Error, Object, Reflect};
use wasm_bindgen::JsValue;
use web_sys::Blob;

use crate::options::Options;
use crate::{run, to_js};

pub(crate) async fn fix(mut blob: Blob, options: &Options) -> Result<JsValue, JsValue> {
    let name = options.name_of(&blob);
    let mut fixes = 0;
    for _ in 0..MOST_ROUNDS {
        let (check, plan) = plan(&blob, &name, options).await?;
        if plan.is_empty() {
            break;
        }
        fixes += plan.fixes();
        let made = evalcheck_blob::apply_fixes(&blob, &RefCell::new(check), plan).await;
        blob = made.map_err(|why| Error::new(&why))?;
    }
    let report = run(&blob, name, options, |_| {}).await?.report();
    let result = Object::new();
    Reflect::set(&result, &"blob".into(), &blob)?;
    Reflect::set(&result, &"fixes".into(), &to_js(&fixes)?)?;
    Reflect::set(&result, &"report".into(), &to_js(&report)?)?;
    Ok(result.into())
}

/// The check of a dataset and the selected fixes; none where it could not be read to its end.
async fn plan(blob: &Blob, name: &str, options: &Options) -> Result<(Check, EditPlan), JsValue> {
    let with_all = options.with_all();
    let mut plan = EditPlan::default();
    let mut take = |job: &mut Check| {
        for fix in job.take_findings(0).iter().filter_map(|finding| options.selection.fix_of(finding)) {
            plan.add(fix);
        }
    };
    let check = run(blob, name.to_owned(), &with_all, &mut take).await?;
    let report = check.report();
    for fix in report.findings.iter().filter_map(|finding| options.selection.fix_of(finding)) {
        plan.add(fix);
    }
    let is_usable = check.is_read();
    Ok((check, if is_usable { plan } else { EditPlan::default() }))
}
