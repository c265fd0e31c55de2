//! Datasets: paths, bytes and file objects.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use evalcheck_cli::api::{Dataset, Error, Watch};
use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::errors::to_python;

/// The name in the report of a dataset without a name.
const NO_NAME: &str = "dataset";

/// The interval between checks for signals such as Ctrl-C. Each check needs the global lock.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A dataset.
#[derive(FromPyObject)]
pub(crate) enum Source {
    /// Bytes, which are not copied.
    Bytes(PyBackedBytes),
    /// A file.
    Path(PathBuf),
    /// A binary file object, which is read to its end.
    Stream(Py<PyAny>),
}

/// The way in which a file object is read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Access {
    /// To its end.
    InOrder,
    /// With random access: only the required bytes.
    Random,
}

impl Source {
    fn open(self, name: Option<String>, access: Access, watch: &Arc<Watch>) -> Result<Dataset, Error> {
        match self {
            Self::Bytes(bytes) => {
                Ok(Dataset::of_bytes(name.unwrap_or_else(|| NO_NAME.to_owned()), bytes, Some(watch)))
            }
            Self::Path(path) => {
                let dataset = Dataset::open(&path, Some(watch))?;
                Ok(match name {
                    Some(name) => dataset.named(name),
                    None => dataset,
                })
            }
            Self::Stream(file) => {
                let name = name.unwrap_or_else(|| NO_NAME.to_owned());
                let file = FileObject::new(file, access)?;
                match access {
                    Access::InOrder => Dataset::of_stream(name, InOrder(file), Some(watch)),
                    Access::Random => {
                        Dataset::of_random_access(name, RandomAccess { file, at: 0 }, Some(watch))
                    }
                }
            }
        }
    }
}

/// Opens a dataset and works on it without the global lock, until a signal handler of Python raises an exception.
pub(crate) fn work_on<T: Send>(
    py: Python<'_>,
    source: Source,
    name: Option<String>,
    access: Access,
    work: impl FnOnce(Dataset) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let path = match &source {
        Source::Path(path) => Some(path.to_string_lossy().into_owned()),
        Source::Bytes(_) | Source::Stream(_) => None,
    };
    let raised = Arc::new(Mutex::new(None));
    let watch = Arc::new(watch(Arc::clone(&raised)));
    let done = py.detach(|| work(source.open(name, access, &watch)?));
    let raised = raised.lock().unwrap_or_else(PoisonError::into_inner).take();
    match (done, raised) {
        (Err(Error::Stopped), Some(raised)) => Err(raised),
        (done, _) => done.map_err(|error| to_python(py, error, path.as_deref())),
    }
}

/// Runs the signal handlers of Python, and stops if one raises an exception, which it keeps.
fn watch(raised: Arc<Mutex<Option<PyErr>>>) -> Watch {
    let last = Mutex::new(Instant::now());
    Watch::new(move || {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() < LOOK_EVERY {
            return false;
        }
        *last = Instant::now();
        let Err(error) = Python::attach(run_handlers) else { return false };
        *raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        true
    })
}

/// Runs the handlers of the signals that have arrived, if this is the main thread.
fn run_handlers(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}

/// The file objects that are being read, by their addresses.
static READ: Mutex<BTreeMap<usize, Weak<Uses>>> = Mutex::new(BTreeMap::new());

/// State shared by all readers of a file object. A file system in memory gives one object to all who open a file, and threads would move
/// each other's position.
#[derive(Default)]
struct Uses {
    /// Whether it is read from its position to its end, which only one thread can do.
    in_order: bool,
    /// Locked while its position is used. It is taken without the global lock, which its holder needs.
    turn: Mutex<()>,
}

/// A file object that is being read.
struct FileObject {
    file: Py<PyAny>,
    uses: Arc<Uses>,
}

impl FileObject {
    fn new(file: Py<PyAny>, access: Access) -> Result<Self, Error> {
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        read.retain(|_, uses| uses.strong_count() > 0);
        let in_order = matches!(access, Access::InOrder);
        let of_file = read.entry(file.as_ptr().addr()).or_default();
        let uses = match of_file.upgrade() {
            Some(uses) if in_order || uses.in_order => {
                let why = "the file object is being read already: open the file once for each thread";
                return Err(Error::File(io::Error::other(PyOSError::new_err(why))));
            }
            Some(uses) => uses,
            None => Arc::new(Uses { in_order, ..Uses::default() }),
        };
        *of_file = Arc::downgrade(&uses);
        Ok(Self { file, uses })
    }

    /// Reads from the position of the object.
    fn read(&self, py: Python<'_>, buffer: &mut [u8]) -> PyResult<usize> {
        let read = self.file.bind(py).call_method1("read", (buffer.len(),))?;
        let bytes: PyBackedBytes = read.extract().map_err(|_| not_bytes(&read))?;
        let target = buffer
            .get_mut(..bytes.len())
            .ok_or_else(|| PyOSError::new_err("read() returned more bytes than it was asked for"))?;
        target.copy_from_slice(&bytes);
        Ok(bytes.len())
    }

    fn seek(&self, py: Python<'_>, to: SeekFrom) -> PyResult<u64> {
        let (offset, from) = match to {
            SeekFrom::Start(offset) => (i128::from(offset), 0),
            SeekFrom::Current(offset) => (i128::from(offset), 1),
            SeekFrom::End(offset) => (i128::from(offset), 2),
        };
        self.file.bind(py).call_method1("seek", (offset, from))?.extract()
    }

    /// Works on the object while no other thread does.
    fn alone<T>(&self, work: impl FnOnce(Python<'_>) -> PyResult<T>) -> io::Result<T> {
        let _turn = self.uses.turn.lock().unwrap_or_else(PoisonError::into_inner);
        Python::attach(work).map_err(|error: PyErr| io::Error::other(error))
    }
}

/// A file object that is read to its end.
struct InOrder(FileObject);

impl Read for InOrder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.alone(|py| self.0.read(py, buffer))
    }
}

/// A file object with random access. It keeps its own position, because others may have moved that of the object.
struct RandomAccess {
    file: FileObject,
    at: u64,
}

impl Read for RandomAccess {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.alone(|py| {
            self.file.seek(py, SeekFrom::Start(self.at))?;
            self.file.read(py, buffer)
        })?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for RandomAccess {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::Current(by) => self
                .at
                .checked_add_signed(by)
                .ok_or_else(|| io::Error::other("a position before the start of the file"))?,
            SeekFrom::End(_) => self.file.alone(|py| self.file.seek(py, to))?,
        };
        Ok(self.at)
    }
}

/// The error for a file object in text mode.
fn not_bytes(read: &Bound<'_, PyAny>) -> PyErr {
    let found = read.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "read() of the file object returned {found}, not bytes: open it in binary mode"
    ))
}
