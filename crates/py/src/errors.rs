//! Errors as exceptions.

use std::io;

use evalcheck_cli::api::Error;
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    evalcheck_datasets,
    DatasetError,
    PyValueError,
    "The dataset cannot be read as it is asked for: it is not text of the encoding, it is of no known format and cannot be searched, or it\ncannot be fixed because it cannot be read to its end."
);

/// The exception for an error; `path` is the file that it is about.
pub(crate) fn to_python(py: Python<'_>, error: Error, path: Option<&str>) -> PyErr {
    match error {
        Error::Option(message) => PyValueError::new_err(message),
        Error::Dataset(message) => DatasetError::new_err(message),
        Error::File(error) => of_file(py, error, path),
        // If a signal handler of the user raised another exception, `work_on` returns that one.
        Error::Stopped => PyKeyboardInterrupt::new_err(()),
    }
}

/// The exception that Python's `open` raises: of the class for the number, with the path.
fn of_file(py: Python<'_>, error: io::Error, path: Option<&str>) -> PyErr {
    // An exception of a file object.
    if error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<PyErr>) {
        return error.into();
    }
    let path = path.filter(|_| !is_other_dataset(&error));
    match number_of(py, &error) {
        Ok(Some((number, message))) => PyOSError::new_err((number, message, path.map(str::to_owned))),
        Ok(None) => {
            let place = path.map(|path| format!("{path}: ")).unwrap_or_default();
            PyOSError::new_err(format!("{place}{error}"))
        }
        Err(error) => error,
    }
}

/// Returns true if another dataset is not replaced: the message names it.
fn is_other_dataset(error: &io::Error) -> bool {
    error.raw_os_error().is_none() && error.kind() == io::ErrorKind::AlreadyExists
}

/// The number and the message of the operating system.
fn number_of(py: Python<'_>, error: &io::Error) -> PyResult<Option<(i32, String)>> {
    let number = match (error.raw_os_error(), error.kind()) {
        (Some(number), _) => number,
        (None, io::ErrorKind::IsADirectory) => py.import("errno")?.getattr("EISDIR")?.extract()?,
        (None, io::ErrorKind::AlreadyExists) => py.import("errno")?.getattr("EEXIST")?.extract()?,
        (None, _) => return Ok(None),
    };
    if is_other_dataset(error) {
        return Ok(Some((number, error.to_string())));
    }
    Ok(Some((number, py.import("os")?.call_method1("strerror", (number,))?.extract()?)))
}
