//! The native module of the Python package `evalcheck_datasets`.
//!
//! Reports are passed as the JSON text that the command writes; the Python sources make dataclasses of it. `_native.pyi` declares this
//! module.

mod errors;
mod output;
mod source;

use pyo3::prelude::*;

/// The functions that the Python sources call.
#[pymodule]
mod _native {
    use std::ffi::OsString;

    use evalcheck_cli::api::{self, Options};
    use pyo3::prelude::*;
    use pyo3::pybacked::PyBackedBytes;
    use pyo3::types::PyBytes;

    #[pymodule_export]
    use crate::errors::DatasetError;
    use crate::errors::to_python;
    use crate::output::{Output, write};
    use crate::source::{Access, Source, work_on};

    /// Checks a dataset. Returns the report as JSON. All `options` are declared options as JSON.
    #[pyfunction]
    fn check(
        py: Python<'_>,
        dataset: Source,
        name: Option<String>,
        options: &str,
        filter: Option<String>,
        overview: bool,
    ) -> PyResult<String> {
        work_on(py, dataset, name, Access::InOrder, |dataset| {
            let mut options = Options::from_json(options)?;
            (options.filter, options.overview) = (filter, overview);
            api::check(dataset, &options)
        })
    }

    /// The options of `fix`, in addition to those of a check.
    #[derive(FromPyObject)]
    #[pyo3(from_item_all)]
    struct Fixing {
        not_safe: bool,
        /// The destination of the fixed dataset.
        output: Option<Output>,
        /// Whether it replaces the dataset, if anything is fixed.
        in_place: bool,
        /// Whether the output may replace another dataset.
        overwrite: bool,
    }

    /// Applies fixes. Returns their number, the report as JSON and, if it is not written, the fixed dataset.
    #[pyfunction]
    fn fix(
        py: Python<'_>,
        dataset: Source,
        name: Option<String>,
        options: &str,
        fixing: Fixing,
    ) -> PyResult<(u64, String, Option<Py<PyBytes>>)> {
        let Fixing { not_safe, output, in_place, overwrite } = fixing;
        let (fixes, report, bytes) = work_on(py, dataset, name, Access::InOrder, |dataset| {
            let mut fixed = api::fix(dataset, &Options::from_json(options)?, not_safe)?;
            let bytes = match output {
                None if in_place && fixed.fixes == 0 => None,
                None if in_place => fixed.write_in_place().map(|()| None)?,
                output => write(&mut fixed, output, overwrite)?,
            };
            Ok((fixed.fixes, fixed.report, bytes))
        })?;
        Ok((fixes, report, bytes.map(|bytes| PyBytes::new(py, &bytes).unbind())))
    }

    /// Finds the records that match a query. Returns each as JSON.
    #[pyfunction]
    fn find(
        py: Python<'_>,
        dataset: Source,
        name: Option<String>,
        query: &str,
        options: &str,
    ) -> PyResult<Vec<String>> {
        work_on(py, dataset, name, Access::InOrder, |dataset| {
            api::find(dataset, query, &Options::from_json(options)?)
        })
    }

    /// The plan of a check, as JSON.
    #[pyfunction]
    fn plan(
        py: Python<'_>,
        dataset: Source,
        name: Option<String>,
        options: &str,
        file: &str,
        state: Option<String>,
        range: u64,
    ) -> PyResult<String> {
        work_on(py, dataset, name, Access::Random, |dataset| {
            api::plan(dataset, file, state, &Options::from_json(options)?, range)
        })
    }

    /// The part of a range of a dataset.
    #[pyfunction]
    fn check_range<'py>(
        py: Python<'py>,
        dataset: Source,
        range: (u64, u64),
        plan: &str,
        state: Option<&str>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let part = work_on(py, dataset, None, Access::Random, |dataset| {
            api::check_range(dataset, range, plan, state)
        })?;
        Ok(PyBytes::new(py, &part))
    }

    /// Merges adjacent parts into one.
    #[pyfunction]
    fn merge(py: Python<'_>, parts: Vec<PyBackedBytes>) -> PyResult<Bound<'_, PyBytes>> {
        let part = py.detach(|| api::merge(parts)).map_err(|error| to_python(py, error, None))?;
        Ok(PyBytes::new(py, &part))
    }

    /// The report of a dataset with these parts, as JSON.
    #[pyfunction]
    fn finish(
        py: Python<'_>,
        dataset: Source,
        name: Option<String>,
        parts: Vec<PyBackedBytes>,
        state: Option<&str>,
        options: &str,
    ) -> PyResult<String> {
        work_on(py, dataset, name, Access::Random, |dataset| {
            api::finish(dataset, parts, state, &Options::from_json(options)?)
        })
    }

    /// All formats, as a JSON array.
    #[pyfunction]
    fn formats() -> String {
        api::formats()
    }

    /// The rule with a code, as JSON.
    #[pyfunction]
    fn explain(py: Python<'_>, code: &str) -> PyResult<String> {
        api::explain(code).map_err(|error| to_python(py, error, None))
    }

    /// A report in JSON as text: a line for each finding, and the verdict.
    #[pyfunction]
    fn text(py: Python<'_>, report: &str) -> PyResult<String> {
        api::text(report).map_err(|error| to_python(py, error, None))
    }

    /// Runs the command with its arguments; the first one is the name of the program. Returns its exit status.
    #[pyfunction]
    fn run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
        py.detach(|| evalcheck_cli::run(arguments))
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("OPTIONS", Options::names())?;
        module.add("USUAL_RANGE", api::USUAL_RANGE)
    }
}
