//! Facts from the objects of a PDF: whether it may contain scripts, which the PDF viewers of browsers run (in a sandbox, but with
//! windows that ask for clicks), and its number of pages.

use std::io::Read;

use flate2::read::ZlibDecoder;
use memchr::{memchr_iter, memmem};

/// The type of every action that is a script.
const SCRIPT: &[u8] = b"JavaScript";

/// The number of bytes before the keyword `stream` in which the dictionary of a stream is searched for.
const DICTIONARY: usize = 4 << 10;

/// The maximum number of bytes of all object streams together.
const INFLATED: u64 = 64 << 20;

/// The maximum number of object streams that are read.
const STREAMS: usize = 10_000;

/// Whether the PDF names a script, in plain objects or in compressed ones, or this is unknown.
pub(super) fn may_have_scripts(pdf: &[u8]) -> bool {
    if names(pdf, SCRIPT).next().is_some() || names(pdf, b"Encrypt").next().is_some() {
        return true;
    }
    let mut room = INFLATED;
    let mut streams = 0;
    names(pdf, b"ObjStm").any(|at| {
        streams += 1;
        let Some(keyword) = memmem::find(&pdf[at..], b"stream").map(|found| at + found) else { return true };
        let data = &pdf[keyword + b"stream".len()..];
        let data = data.strip_prefix(b"\r").unwrap_or(data);
        let data = data.strip_prefix(b"\n").unwrap_or(data);
        let dictionary = &pdf[keyword.saturating_sub(DICTIONARY)..keyword];
        // Encoded in a further way, which only a PDF reader decodes.
        if [&b"DecodeParms"[..], b"DP"].into_iter().any(|name| names(dictionary, name).next().is_some()) {
            return true;
        }
        let mut objects = Vec::new();
        let read = ZlibDecoder::new(data).take(room + 1).read_to_end(&mut objects);
        room = room.saturating_sub(objects.len() as u64);
        // It begins with the numbers of its objects.
        let plain = objects.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(u8::is_ascii_digit);
        read.is_err() || room == 0 || streams > STREAMS || !plain || names(&objects, SCRIPT).next().is_some()
    })
}

/// The number of pages of a PDF whose objects are all plain: the count of the root of the page tree. `None` if objects are
/// compressed or encrypted, or if there are several roots: a later one may replace an earlier one.
pub(super) fn pages(pdf: &[u8]) -> Option<u64> {
    if [&b"ObjStm"[..], b"Encrypt"].into_iter().any(|name| names(pdf, name).next().is_some()) {
        return None;
    }
    let mut roots = names(pdf, b"Pages").filter_map(|at| {
        if !pdf[..at].trim_ascii_end().ends_with(b"/Type") {
            return None;
        }
        let start = memmem::rfind(&pdf[..at], b"obj")?;
        let end = at + memmem::find(&pdf[at..], b"endobj")?;
        Some(&pdf[start..end]).filter(|object| names(object, b"Parent").next().is_none())
    });
    let root = roots.next().filter(|_| roots.next().is_none())?;
    let mut counts = names(root, b"Count");
    let count = counts.next().filter(|_| counts.next().is_none())?;
    let value = root[count + b"/Count".len()..].trim_ascii_start();
    let digits = value.iter().take_while(|byte| byte.is_ascii_digit()).count();
    // Another number follows in a reference to the object that has the count.
    let is_direct = matches!(value[digits..].trim_ascii_start().first(), Some(b'/' | b'>'));
    std::str::from_utf8(&value[..digits]).ok()?.parse().ok().filter(|_| is_direct)
}

/// The offsets of a name, also of one that is written with escapes, such as `/Java#53cript`.
fn names<'a>(bytes: &'a [u8], wanted: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    memchr_iter(b'/', bytes).filter(move |&at| {
        let mut rest = &bytes[at + 1..];
        wanted.iter().all(|&letter| {
            let (first, length) = match rest {
                [b'#', high, low, ..] => match (digit(*high), digit(*low)) {
                    (Some(high), Some(low)) => (high * 16 + low, 3),
                    _ => (b'#', 1),
                },
                [first, ..] => (*first, 1),
                [] => return false,
            };
            rest = &rest[length..];
            first == letter
        })
    })
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    fn object_stream(objects: &[u8], dictionary: &str) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(objects).unwrap();
        let head = format!("%PDF-1.7\n1 0 obj<</Type/ObjStm{dictionary}/Filter/FlateDecode>>stream\r\n");
        [head.as_bytes(), &encoder.finish().unwrap(), b"\nendstream endobj"].concat()
    }

    #[test]
    fn scripts_are_found_in_plain_and_in_compressed_objects() {
        assert!(may_have_scripts(b"%PDF-1.7 <</S/JavaScript/JS(app.alert\\(1\\))>>"));
        assert!(may_have_scripts(b"%PDF-1.7 <</S/Java#53cript/JS(x)>>"));
        assert!(may_have_scripts(&object_stream(b"2 0 <</S/JavaScript/JS(x)>>", "")));
        assert!(!may_have_scripts(&object_stream(b"2 0 <</Type/Catalog/Pages 3 0 R>>", "")));
        assert!(!may_have_scripts(b"%PDF-1.7 <</Type/Catalog/OpenAction[3 0 R/Fit]>> (about JavaScript)"));
    }

    #[test]
    fn pages_are_counted_where_the_tree_is_plain() {
        let catalog = "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n";
        let of = |rest: &str| pages([catalog, rest].concat().as_bytes());
        let inner = "3 0 obj<</Type/Pages/Parent 2 0 R/Kids[4 0 R]/Count 1>>endobj";
        let root = "2 0 obj\n<< /Type /Pages /Kids [3 0 R 5 0 R] /Count 12 >>\nendobj\n";
        assert_eq!(of(root), Some(12));
        assert_eq!(of(&[inner, root].concat()), Some(12));
        assert_eq!(of(&[root, root].concat()), None, "it was changed later");
        assert_eq!(of(&root.replace("12", "9 0 R")), None, "it is in another object");
        assert_eq!(of(&[root, "6 0 obj<</Type/ObjStm>>stream"].concat()), None);
        assert_eq!(of(&[root, "trailer<</Encrypt 9 0 R>>"].concat()), None);
        assert_eq!(of(""), None);
        for end in 0..root.len() {
            assert!(matches!(of(&root[..end]), None | Some(12)));
        }
    }

    #[test]
    fn what_cannot_be_read_counts_as_a_script() {
        assert!(may_have_scripts(&object_stream(b"2 0 <<>>", "/DecodeParms<</Predictor 12>>")));
        assert!(may_have_scripts(&object_stream(b"\x78\x9c twice compressed", "")));
        assert!(may_have_scripts(b"%PDF-1.7 1 0 obj<</Type/ObjStm/Filter/LZWDecode>>stream\n\x80\x0b"));
        assert!(may_have_scripts(b"%PDF-1.7 <</Type/ObjStm"));
        assert!(may_have_scripts(b"%PDF-1.7 trailer<</Encrypt 9 0 R>>"));
    }
}
