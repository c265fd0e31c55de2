//! Selects the files of a folder to check. A file that the user names or drops by itself is checked whatever its name.

/// Extensions of datasets.
pub const EXTENSIONS: [&str; 7] = ["jsonl", "ndjson", "jsonlines", "json", "csv", "tsv", "zip"];

/// Extensions of compressed files, after the extension of their content.
const COMPRESSED: [&str; 4] = ["gz", "bz2", "xz", "zst"];

/// Extensions of other files: pictures, recordings and documents, and files that begin like a dataset.
const OTHER: [&str; 19] = [
    "png",
    "jpg",
    "jpeg",
    "gif",
    "webp",
    "svg",
    "bmp",
    "tif",
    "tiff",
    "mp3",
    "wav",
    "mp4",
    "pdf",
    "md",
    "py",
    "js",
    "html",
    "map",
    "webmanifest",
];

/// Extensions of files of other tools: notebooks, configurations, lists of installed packages.
const OF_TOOLS: [&str; 3] = ["ipynb", "toml", "lock"];

/// Names of JSON files of other tools.
const NAMES_OF_TOOLS: [&str; 8] = [
    "package.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "tsconfig.json",
    "jsconfig.json",
    "composer.json",
    "deno.json",
    "angular.json",
];

/// Extensions of other datasets, databases and archives. evalcheck reads none of them.
const OTHER_DATA: [&str; 16] = [
    "parquet", "arrow", "feather", "orc", "avro", "sqlite", "db", "npy", "npz", "pkl", "xlsx", "ods", "tar",
    "tgz", "7z", "rar",
];

/// The number of first bytes of a file that [`begins_as_dataset`] needs.
pub const FIRST_BYTES: u8 = 64;

/// The kind of a file in a folder, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It is checked.
    Dataset,
    /// It cannot be a dataset.
    Other,
    /// It is a file of another tool, and may begin like a dataset.
    OfTool,
    /// It is data that evalcheck does not read.
    OtherData,
    /// It is checked if [`begins_as_dataset`] returns true for its first bytes.
    Unclear,
}

/// The kind of a file in a folder, by its name without folders. Hidden files are not datasets.
///
/// ```
/// use evalcheck_wire::folder::{Kind, kind_of};
///
/// assert_eq!(kind_of("samples.JSONL"), Kind::Dataset);
/// assert_eq!(kind_of("samples.jsonl.gz"), Kind::Dataset);
/// assert_eq!(kind_of("README.md"), Kind::Other);
/// assert_eq!(kind_of("package.json"), Kind::OfTool);
/// assert_eq!(kind_of("train.parquet"), Kind::OtherData);
/// assert_eq!(kind_of("images.tar.gz"), Kind::OtherData);
/// assert_eq!(kind_of(".config.json"), Kind::Other);
/// assert_eq!(kind_of("samples.txt"), Kind::Unclear);
/// ```
pub fn kind_of(name: &str) -> Kind {
    if is_hidden(name) {
        return Kind::Other;
    }
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_one_of = |known: &[&str]| known.iter().any(|known| known.eq_ignore_ascii_case(extension));
    if is_one_of(&COMPRESSED) {
        return match kind_of(stem) {
            kind @ (Kind::Dataset | Kind::OtherData) => kind,
            Kind::Other | Kind::OfTool | Kind::Unclear => Kind::Other,
        };
    }
    if is_one_of(&OF_TOOLS) || is_name_of_tool(name) {
        Kind::OfTool
    } else if is_one_of(&OTHER_DATA) {
        Kind::OtherData
    } else if is_one_of(&EXTENSIONS) {
        Kind::Dataset
    } else if is_one_of(&OTHER) {
        Kind::Other
    } else {
        Kind::Unclear
    }
}

/// Returns true for the JSON files of other tools, such as `tsconfig.build.json`.
fn is_name_of_tool(name: &str) -> bool {
    NAMES_OF_TOOLS.contains(&name) || name.starts_with("tsconfig.") && name.ends_with("json")
}

/// Returns true for a name that only datasets have: JSON lines, archives and compressed files. Any tool writes `.json` and `.csv`.
pub fn is_made_for_datasets(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_one_of = |known: &[&str]| known.iter().any(|known| known.eq_ignore_ascii_case(extension));
    is_one_of(&["jsonl", "ndjson", "jsonlines", "zip"]) || is_one_of(&COMPRESSED)
}

/// Returns true for a hidden file or folder. The files in a hidden folder are not checked.
pub fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

/// Returns true if the first bytes of a file begin a JSON list or object in UTF-8 or UTF-16, or a ZIP. Quotation marks may be those of
/// Python.
///
/// ```
/// use evalcheck_wire::folder::begins_as_dataset;
///
/// for first in [&b"{\"input\": "[..], b"\xEF\xBB\xBF [\n{", b"\xFF\xFE{\0'\0", b"PK\x03\x04"] {
///     assert!(begins_as_dataset(first));
/// }
/// for first in [&b""[..], b"[package]\nname", b"Dear all,", b"\x89PNG", b"{{ name }}"] {
///     assert!(!begins_as_dataset(first));
/// }
/// ```
pub fn begins_as_dataset(first: &[u8]) -> bool {
    if first.starts_with(b"PK\x03\x04") {
        return true;
    }
    // Byte order marks, white space, and the zeros of UTF-16.
    let is_skipped =
        |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, 0 | 0xEF | 0xBB | 0xBF | 0xFE | 0xFF);
    let mut bytes = first.iter().take(FIRST_BYTES.into()).filter(|byte| !is_skipped(byte));
    match bytes.next() {
        Some(b'{') => matches!(bytes.next(), Some(b'"' | b'\'')),
        Some(b'[') => matches!(bytes.next(), Some(b'{' | b'[')),
        _ => false,
    }
}
