//! The destination of a fixed dataset.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use evalcheck_cli::api::{Error, Fixed};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The number of bytes given to a file object at once.
const PIECE: usize = 1 << 18;

/// The destination of a fixed dataset.
#[derive(FromPyObject)]
pub(crate) enum Output {
    /// A file, which exists once it is complete.
    Path(PathBuf),
    /// A binary file object.
    Stream(Py<PyAny>),
}

/// Writes a fixed dataset, which may replace another one if `overwrite` is set; without an output, returns it.
pub(crate) fn write(
    fixed: &mut Fixed,
    output: Option<Output>,
    overwrite: bool,
) -> Result<Option<Vec<u8>>, Error> {
    match output {
        None => {
            let mut bytes = Vec::new();
            fixed.write_to(&mut bytes)?;
            Ok(Some(bytes))
        }
        Some(Output::Path(path)) => fixed.write_file(&path, overwrite).map(|()| None),
        Some(Output::Stream(file)) => {
            let mut out = BufWriter::with_capacity(PIECE, Stream(file));
            fixed.write_to(&mut out)?;
            out.flush().map_err(Error::File).map(|()| None)
        }
    }
}

/// A file object for writing.
struct Stream(Py<PyAny>);

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let written = self.0.bind(py).call_method1("write", (PyBytes::new(py, bytes),))?;
            // Only a raw file object may write less than it is given, and returns the number of bytes.
            let written: Option<usize> = if written.is_none() { None } else { written.extract()? };
            Ok(written.unwrap_or(bytes.len()).min(bytes.len()))
        })
        .map_err(|error: PyErr| io::Error::other(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
