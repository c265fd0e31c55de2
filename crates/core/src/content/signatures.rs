//! The signatures of binary formats.

use evalcheck_report::view::AttachmentKind::{Audio, Image, Other, Pdf, Video};
use memchr::memmem;

use super::Content;

pub(super) const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
pub(super) const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
pub(super) const PPTX: &str = "application/vnd.openxmlformats-officedocument.presentationml.presentation";

pub(super) const PDF: Content = Content::new("application/pdf", "a PDF document", Pdf);
/// The content that Git has in place of a large file until `git lfs pull` fetches it.
pub const LFS_POINTER: Content = Content::new("application/x-git-lfs-pointer", "a Git LFS pointer", Other);
const ZIP: Content = Content::new("application/zip", "a ZIP archive", Other);
const MP4: Content = Content::new("video/mp4", "an MP4 video", Video);
const RIFF: Content = Content::new("application/x-riff", "a RIFF file", Other);

/// Bytes at an offset that identify a format.
pub(super) struct Signature {
    at: usize,
    bytes: &'static [u8],
    pub(super) content: Content,
}

impl Signature {
    pub(super) fn matches(&self, head: &[u8]) -> bool {
        head.get(self.at..).is_some_and(|rest| rest.starts_with(self.bytes))
    }
}

macro_rules! signatures {
    ($($at:literal $bytes:literal $content:expr;)*) => {
        &[$(Signature { at: $at, bytes: $bytes, content: $content }),*]
    };
}

/// The signatures; the first that matches counts.
pub(super) const SIGNATURES: &[Signature] = signatures! {
    0 b"%PDF-" PDF;
    0 b"\x89PNG\r\n\x1a\n" Content::new("image/png", "a PNG image", Image);
    0 b"\xFF\xD8\xFF" Content::new("image/jpeg", "a JPEG image", Image);
    0 b"GIF87a" Content::new("image/gif", "a GIF image", Image);
    0 b"GIF89a" Content::new("image/gif", "a GIF image", Image);
    0 b"RIFF" RIFF;
    6 b"\0\0\0\0" Content::new("image/bmp", "a BMP image", Image);
    0 b"II*\0" Content::new("image/tiff", "a TIFF image", Other);
    0 b"MM\0*" Content::new("image/tiff", "a TIFF image", Other);
    4 b"ftyp" MP4;
    0 b"PK\x03\x04" ZIP;
    0 b"PK\x05\x06" ZIP;
    0 b"PK\x07\x08" ZIP;
    0 b"PK00PK\x03\x04" ZIP;
    0 b"\x1F\x8B\x08" Content::new("application/gzip", "a GZIP file", Other);
    0 b"\x28\xB5\x2F\xFD" Content::new("application/zstd", "a Zstandard file", Other);
    0 b"BZh" Content::new("application/x-bzip2", "a BZIP2 file", Other);
    0 b"\xFD7zXZ\0" Content::new("application/x-xz", "an XZ file", Other);
    0 b"version https://git-lfs.github.com/spec/" LFS_POINTER;
    0 b"7z\xBC\xAF\x27\x1C" Content::new("application/x-7z-compressed", "a 7-Zip archive", Other);
    0 b"Rar!\x1A\x07" Content::new("application/vnd.rar", "a RAR archive", Other);
    257 b"ustar" Content::new("application/x-tar", "a TAR archive", Other);
    0 b"PAR1" Content::new("application/vnd.apache.parquet", "a Parquet file", Other);
    0 b"PARE" Content::new("application/vnd.apache.parquet", "a Parquet file", Other);
    0 b"ARROW1\0\0" Content::new("application/vnd.apache.arrow.file", "an Arrow file", Other);
    0 b"\xFF\xFF\xFF\xFF" Content::new("application/vnd.apache.arrow.stream", "an Arrow stream", Other);
    0 b"Obj\x01" Content::new("application/avro", "an Avro file", Other);
    0 b"SQLite format 3\0" Content::new("application/vnd.sqlite3", "an SQLite database", Other);
    0 b"\x93NUMPY" Content::new("application/x-npy", "a NumPy array", Other);
    0 b"\x89HDF\r\n\x1a\n" Content::new("application/x-hdf5", "an HDF5 file", Other);
    0 b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" Content::new(
        "application/x-ole-storage", "an old Office document (DOC, XLS or PPT)", Other);
    0 b"{\\rtf" Content::new("application/rtf", "an RTF document", Other);
    0 b"ID3" Content::new("audio/mpeg", "an MP3 recording", Audio);
    0 b"\xFF\xFB" Content::new("audio/mpeg", "an MP3 recording", Audio);
    0 b"\xFF\xF3" Content::new("audio/mpeg", "an MP3 recording", Audio);
    0 b"\xFF\xF2" Content::new("audio/mpeg", "an MP3 recording", Audio);
    0 b"OggS" Content::new("audio/ogg", "an Ogg recording", Audio);
    0 b"fLaC" Content::new("audio/flac", "a FLAC recording", Audio);
    0 b"\x1A\x45\xDF\xA3" Content::new("video/webm", "a WebM or Matroska video", Video);
    0 b"\x7FELF" Content::new("application/x-elf", "a program (ELF)", Other);
    0 b"\0asm" Content::new("application/wasm", "a WebAssembly module", Other);
};

/// Refines the type of containers, and rejects bytes that match a short signature by chance.
pub(super) fn refine(head: &[u8], found: Content) -> Content {
    match found.media_type {
        "application/x-riff" => match head.get(8..12) {
            Some(b"WEBP") => Content::new("image/webp", "a WebP image", Image),
            Some(b"WAVE") => Content::new("audio/wav", "a WAV recording", Audio),
            Some(b"AVI ") => Content::new("video/x-msvideo", "an AVI video", Other),
            _ => by_text(head, found),
        },
        // Bytes 6 to 9 are reserved in a BMP. A file with zeros there may still be something else.
        "image/bmp" if !head.starts_with(b"BM") => without(head, found),
        "application/vnd.apache.arrow.stream" if head.get(6..8) != Some(b"\0\0") => without(head, found),
        // Text may begin with these short words.
        "application/vnd.apache.parquet" | "application/x-bzip2" | "audio/mpeg" => by_text(head, found),
        "video/mp4" => match head.get(8..12) {
            Some(b"avif" | b"avis") => Content::new("image/avif", "an AVIF image", Image),
            Some(b"heic" | b"heix" | b"hevc" | b"heim" | b"heis" | b"mif1" | b"msf1") => {
                if memmem::find(head.get(..64).unwrap_or(head), b"avif").is_some() {
                    Content::new("image/avif", "an AVIF image", Image)
                } else {
                    Content::new("image/heic", "a HEIC image", Other)
                }
            }
            Some(b"qt  ") => Content::new("video/quicktime", "a QuickTime video", Video),
            Some(b"M4A " | b"M4B ") => Content::new("audio/mp4", "an M4A recording", Audio),
            _ => found,
        },
        "application/zip" => zip(head),
        _ => found,
    }
}

/// The type by the signatures after the one of a type that was rejected.
fn without(head: &[u8], not: Content) -> Content {
    SIGNATURES
        .iter()
        .filter(|row| row.content != not)
        .find(|row| row.matches(head))
        .map_or_else(|| by_text(head, super::BINARY), |row| refine(head, row.content))
}

fn by_text(head: &[u8], found: Content) -> Content {
    if super::is_utf8(head) { super::text(head) } else { found }
}

/// The type of a ZIP, by the names of its first entries.
fn zip(head: &[u8]) -> Content {
    let holds = |name: &[u8]| memmem::find(head, name).is_some();
    // OpenDocument and EPUB have their type in an uncompressed first entry.
    let types = [
        ("application/vnd.oasis.opendocument.text", "an OpenDocument text"),
        ("application/vnd.oasis.opendocument.spreadsheet", "an OpenDocument spreadsheet"),
        ("application/vnd.oasis.opendocument.presentation", "an OpenDocument presentation"),
        ("application/epub+zip", "an EPUB book"),
    ];
    if head.get(30..38) == Some(b"mimetype") {
        for (media_type, description) in types {
            if head.get(38..).is_some_and(|rest| rest.starts_with(media_type.as_bytes())) {
                return Content::new(media_type, description, Other);
            }
        }
    }
    let first = head.get(30..).unwrap_or_default();
    let office = [&b"[Content_Types].xml"[..], b"_rels/", b"docProps/", b"word/", b"xl/", b"ppt/"];
    // A dataset may have a folder named "word", but only Office has its parts beside it.
    if office.iter().any(|name| first.starts_with(name))
        && (holds(b"[Content_Types].xml") || holds(b"_rels/"))
    {
        if holds(b"word/") {
            return Content::new(DOCX, "a Word document (DOCX)", Other);
        } else if holds(b"xl/") {
            return Content::new(XLSX, "an Excel workbook (XLSX)", Other);
        } else if holds(b"ppt/") {
            return Content::new(PPTX, "a PowerPoint presentation (PPTX)", Other);
        }
    }
    ZIP
}

/// Whether a format is based on ZIP.
pub(super) fn is_zip_based(media_type: &str) -> bool {
    matches!(media_type, DOCX | XLSX | PPTX | "application/epub+zip")
        || media_type.starts_with("application/vnd.oasis.opendocument.")
}
