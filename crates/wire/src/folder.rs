//! Which files of a folder are checked. A file that the user names or drops by itself is checked whatever it is called.

/// What the name of a dataset ends with.
pub const EXTENSIONS: [&str; 7] = ["jsonl", "ndjson", "jsonlines", "json", "csv", "tsv", "zip"];

/// What a compressed file ends with, after the ending of its content.
const COMPRESSED: [&str; 4] = ["gz", "bz2", "xz", "zst"];

/// Endings of files that are no dataset: pictures, recordings and documents, and files that begin as a dataset does.
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

/// What the names of files of other tools end with: notebooks, configurations, lists of installed packages.
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

/// What other datasets, databases and archives end with. evalcheck reads none of them.
const OTHER_DATA: [&str; 16] = [
    "parquet", "arrow", "feather", "orc", "avro", "sqlite", "db", "npy", "npz", "pkl", "xlsx", "ods", "tar",
    "tgz", "7z", "rar",
];

/// How many bytes of a file [`begins_as_dataset`] needs.
pub const FIRST_BYTES: u8 = 64;

/// What a file of a folder is, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It is checked.
    Dataset,
    /// It can be no dataset.
    Other,
    /// It is of another tool, and begins as a dataset may begin.
    OfTool,
    /// It is data that evalcheck does not read.
    OtherData,
    /// It is checked where [`begins_as_dataset`] is true of its first bytes.
    Unclear,
}

/// What a file of a folder is, by its name without folders. Hidden files are no datasets.
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

/// `tsconfig.build.json` is one of them too.
fn is_name_of_tool(name: &str) -> bool {
    NAMES_OF_TOOLS.contains(&name) || name.starts_with("tsconfig.") && name.ends_with("json")
}

/// True for a name that only datasets have: lines of JSON, archives, and what is compressed. Any tool writes `.json` and `.csv`.
pub fn is_made_for_datasets(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_one_of = |known: &[&str]| known.iter().any(|known| known.eq_ignore_ascii_case(extension));
    is_one_of(&["jsonl", "ndjson", "jsonlines", "zip"]) || is_one_of(&COMPRESSED)
}

/// True for a hidden file or folder. What is in a hidden folder is not checked.
pub fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

/// True when the first bytes of a file are those of a list or an object of JSON in UTF-8 or UTF-16, or of a ZIP. Quotation marks
/// may be those of Python.
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
