//! Applies fixes in rounds: the check of each result finds the remaining ones.

use std::cell::RefCell;
use std::io::Cursor;

use evalcheck_engine::fix::{EditPlan, Rounds};
use evalcheck_engine::purpose::Purpose;
use evalcheck_report::Report;
use js_sys::{Error, Object, Reflect};
use wasm_bindgen::JsValue;
use web_sys::Blob;

use crate::options::Options;
use crate::{run, to_js};

pub(crate) async fn fix(mut blob: Blob, options: &Options) -> Result<JsValue, JsValue> {
    let name = options.name_of(&blob);
    let mut rounds = Rounds::default();
    let mut check = run(&blob, name.clone(), options, &mut Purpose::default()).await?;
    let mut report = check.report();
    while check.is_read()
        && let Some(plan) = rounds.next(plan(&report, &blob, &name, options).await?)
    {
        let made = evalcheck_blob::apply_fixes(&blob, &RefCell::new(check), plan, None).await;
        blob = made.map_err(|why| Error::new(&why))?;
        check = run(&blob, name.clone(), options, &mut Purpose::default()).await?;
        report = check.report();
    }
    let result = Object::new();
    Reflect::set(&result, &"blob".into(), &blob)?;
    Reflect::set(&result, &"fixes".into(), &to_js(&rounds.fixes())?)?;
    Reflect::set(&result, &"report".into(), &to_js(&report)?)?;
    Ok(result.into())
}

/// The selected fixes: those in the report, or those of another check if the report does not list all findings.
async fn plan(report: &Report, blob: &Blob, name: &str, options: &Options) -> Result<EditPlan, JsValue> {
    if let Some(plan) = EditPlan::of_report(report, &options.selection) {
        return Ok(plan);
    }
    let mut purpose = Purpose::fix(options.selection.clone(), Cursor::default());
    let check = run(blob, name.to_owned(), options, &mut purpose).await?;
    Ok(purpose.plan().filter(|_| check.is_read()).unwrap_or_default())
}
