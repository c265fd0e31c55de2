//! Decides which files an output may replace: no input, no other output of the same run, and no dataset that evalcheck has not written.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use evalcheck_wire::folder::{Kind, begins_as_dataset, kind_of};

use crate::new_file::{followed, remove_when_interrupted};
use crate::paths::located;
use crate::print_error;

/// The number of first bytes that identify a file written by evalcheck.
const FIRST: u64 = 8 << 10;

/// Beginnings of evalcheck's outputs, without white space. Outputs that cannot be mistaken for a dataset are missing.
const OWN: [&str; 8] = [
    "{\"plan\":\"evalcheck-plan/",
    "{\"report\":\"evalcheck/",
    "{\"baseline\":\"evalcheck/",
    "{\"$schema\":\"https://json.schemastore.org/sarif-",
    "[{\"check_name\":\"",
    "{\"diagnostics\":[",
    "{\"findings\":[{\"code\":\"",
    "file,entry,line,column,byte_start,byte_end,record,path,severity,code,message,hint,fix",
];

/// Extensions of compressed files, regardless of their content.
const COMPRESSED: [&str; 2] = [".bz2", ".xz"];

/// Configurations of evalcheck and other tools, which a run may have read.
const CONFIGURATIONS: [&str; 4] = ["evalcheck.toml", "pyproject.toml", ".gitignore", ".ignore"];

/// The text after the name of the file in JSON lines.
const OWN_LINES: [&str; 2] = ["\",\"finding\":{\"code\":\"", "\",\"report\":{\"report\":\"evalcheck/"];

/// Ensures that no output replaces an input, another output or a dataset. To be called before anything is written; from then on, an
/// interrupt leaves no temporary file. Returns false if an output would, which is reported on standard error.
pub(crate) fn prepare<'p>(outputs: &[&'p Path], inputs: impl Iterator<Item = &'p Path>) -> bool {
    for output in outputs {
        if let Some(why) = dataset(output) {
            print_error(&output.to_string_lossy(), &why);
            return false;
        }
    }
    prepare_dataset(outputs, inputs)
}

/// As [`prepare`], but outputs may be datasets.
pub(crate) fn prepare_dataset<'p>(outputs: &[&'p Path], inputs: impl Iterator<Item = &'p Path>) -> bool {
    let inputs: Vec<&Path> = inputs.collect();
    for (number, output) in outputs.iter().enumerate() {
        let why = if inputs.iter().any(|input| is_same(input, output)) {
            "this is an input, which no output replaces: name another file"
        } else if outputs.iter().take(number).any(|other| is_same(other, output)) {
            "two outputs cannot be one file: name another file"
        } else {
            continue;
        };
        print_error(&output.to_string_lossy(), why);
        return false;
    }
    if !outputs.is_empty() {
        remove_when_interrupted();
    }
    true
}

/// The reason for not replacing a file: it looks like a dataset, and not like an output of evalcheck, or it configures a tool. `None` if
/// it may be replaced.
pub(crate) fn dataset(path: &Path) -> Option<String> {
    if path.exists() && path.file_name().is_some_and(|name| CONFIGURATIONS.iter().any(|own| name == *own)) {
        return Some("this is a configuration, which no output replaces: name another file".to_owned());
    }
    if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0) {
        return None;
    }
    let mut first = Vec::new();
    // A file that cannot be read may be a dataset.
    let is_read = File::open(path).and_then(|file| file.take(FIRST).read_to_end(&mut first)).is_ok();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let has_ending = |ending: &&str| name.to_lowercase().ends_with(*ending);
    let is_dataset = !is_read
        || matches!(kind_of(name.trim_start_matches('.')), Kind::Dataset | Kind::OtherData)
        || begins_as_dataset(&first)
        || COMPRESSED.iter().any(has_ending);
    (is_dataset && !is_own(&first)).then(|| {
        "this looks like a dataset, and is not replaced: name another file, or delete it first".to_owned()
    })
}

/// Returns true if the first bytes of a file are those of an output of evalcheck.
pub(crate) fn is_own(first: &[u8]) -> bool {
    let text: String = String::from_utf8_lossy(first).split_ascii_whitespace().collect();
    text == "[]"
        || text.starts_with("evalcheck-part/")
        || OWN.iter().any(|own| text.starts_with(own))
        || (text.starts_with("{\"file\":\"") && OWN_LINES.iter().any(|own| text.contains(own)))
}

/// Returns true if two paths lead to one file.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        // Two ends of a terminal are one device.
        (Ok(one), Ok(other)) if !one.is_file() || !other.is_file() => return false,
        #[cfg(unix)]
        (Ok(one), Ok(other)) => {
            use std::os::unix::fs::MetadataExt;
            if (one.dev(), one.ino()) == (other.dev(), other.ino()) {
                return true;
            }
        }
        _ => {}
    }
    let place = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| located(&followed(path)));
    place(one) == place(other)
}

/// Fails if a dataset would replace another one, unless `overwrites` allows it or both are equal.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`]; `content` cannot be read.
pub(crate) fn allow(path: &Path, overwrites: bool, content: &mut impl Read) -> io::Result<()> {
    if overwrites || dataset(path).is_none() || is_equal(File::open(path)?, content)? {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "there is another dataset, which is not replaced"))
}

/// Returns true if both have the same content.
fn is_equal(one: impl Read, other: impl Read) -> io::Result<bool> {
    let mut other = io::BufReader::with_capacity(1 << 18, other).bytes();
    for byte in io::BufReader::with_capacity(1 << 18, one).bytes() {
        if other.next().transpose()? != Some(byte?) {
            return Ok(false);
        }
    }
    Ok(other.next().transpose()?.is_none())
}
