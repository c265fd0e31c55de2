//! Tests of the table of types.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;

#[track_caller]
fn is(head: &[u8], media_type: &str) {
    assert_eq!(sniff(head).media_type, media_type, "{:?}", String::from_utf8_lossy(head));
}

fn zip_head(names: &[&str]) -> Vec<u8> {
    let mut out = Vec::new();
    for name in names {
        out.extend_from_slice(b"PK\x03\x04");
        out.extend_from_slice(&[0; 22]);
        out.push(u8::try_from(name.len()).unwrap());
        out.extend_from_slice(&[0; 3]);
        out.extend_from_slice(name.as_bytes());
    }
    out
}

#[test]
fn binary_formats() {
    is(b"%PDF-1.4", "application/pdf");
    is(b"\n\n junk\n%PDF-1.4 ...", "application/pdf");
    is(b"\x89PNG\r\n\x1a\n....", "image/png");
    is(b"\xFF\xD8\xFF\xE0..JFIF", "image/jpeg");
    is(b"GIF89a..", "image/gif");
    is(b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp");
    is(b"RIFF\x10\0\0\0WAVEfmt ", "audio/wav");
    is(b"BM\x36\0\0\0\0\0\0\0\x36\0", "image/bmp");
    is(b"II*\0\x08\0\0\0", "image/tiff");
    is(b"\0\0\0\x20ftypavif\0\0\0\0", "image/avif");
    is(b"\0\0\0\x20ftypmif1\0\0\0\0mif1avif", "image/avif");
    is(b"\0\0\0\x20ftypheic\0\0\0\0", "image/heic");
    is(b"\0\0\0\x20ftypisom\0\0\0\0", "video/mp4");
    is(b"\x1F\x8B\x08\0\0\0\0\0", "application/gzip");
    is(b"\x28\xB5\x2F\xFD\0", "application/zstd");
    is(b"PAR1\x15\0\x15\x10", "application/vnd.apache.parquet");
    is(b"ARROW1\0\0", "application/vnd.apache.arrow.file");
    is(b"SQLite format 3\0\x10", "application/vnd.sqlite3");
    is(b"ID3\x04\0\0", "audio/mpeg");
    is(b"OggS\0\x02", "audio/ogg");
    is(b"fLaC\0\0", "audio/flac");
    is(b"\x1A\x45\xDF\xA3\x9F", "video/webm");
    is(&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "application/x-ole-storage");
    is(b"\0\x01\x02\x03", "application/octet-stream");
    is(b"abc\0\x01\x02\0\0\0\0\xFF", "application/octet-stream");
}

#[test]
fn zip_and_what_is_made_of_it() {
    is(&zip_head(&["samples.jsonl", "attachments/word/x"]), "application/zip");
    is(&zip_head(&["[Content_Types].xml", "word/document.xml"]), signatures::DOCX);
    is(&zip_head(&["[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"]), signatures::XLSX);
    is(&zip_head(&["docProps/app.xml", "_rels/.rels", "ppt/presentation.xml"]), signatures::PPTX);
    is(&zip_head(&["word/samples.jsonl", "word/attachments/a.pdf"]), "application/zip");
    let mut odt = zip_head(&["mimetype"]);
    odt.extend_from_slice(b"application/vnd.oasis.opendocument.textPK");
    is(&odt, "application/vnd.oasis.opendocument.text");
}

#[test]
fn text_in_its_encodings() {
    is(b"", "application/x-empty");
    is(b"hello", "text/plain");
    is("\u{feff}{\"a\": 1}".as_bytes(), "text/plain");
    is(&"ab\u{20ac}".as_bytes()[..4], "text/plain");
    is(b"\xFF\xFEa\0", "text/plain; charset=utf-16");
    is(b"{\0\"\0i\0n\0p\0", "text/plain; charset=utf-16");
    is(b"\0{\0\"\0i\0n\0p", "text/plain; charset=utf-16");
    is(b"\xFF\xFE\0\0a\0\0\0", "text/plain; charset=utf-32");
    is(b"  <!DOCTYPE HTML><p>", "text/html");
    is(b"<svg xmlns=''>", "image/svg+xml");
    is(b"<?xml version='1.0'?><svg>", "image/svg+xml");
    is(b"<?xml version='1.0'?><a/>", "application/xml");
    is(b"BZh is how this text begins", "text/plain");
    is(b"PAR1S is a city", "text/plain");
    is(b"caf\xe9 noir", "application/octet-stream");
}

#[test]
fn contradictions_and_no_false_alarms() {
    let html = sniff(b"<html>");
    let png = sniff(b"\x89PNG\r\n\x1a\n");
    let text = sniff(b"plain");
    let latin1 = sniff(b"caf\xe9 noir");
    let docx = sniff(&zip_head(&["[Content_Types].xml", "word/a"]));
    let zip = sniff(&zip_head(&["a"]));
    for (extension, content) in [
        ("pdf", html),
        ("pdf", latin1),
        ("jpg", png),
        ("docx", text),
        ("md", png),
        ("mp3", png),
        ("xlsx", docx),
    ] {
        assert!(contradicts(extension, &content), "{extension} {content:?}");
    }
    for (extension, content) in [
        ("txt", text),
        ("csv", latin1),
        ("csv", sniff(b"\xFF\xFEa\0")),
        ("html", html),
        ("json", text),
        ("docx", zip),
        ("docx", docx),
        ("zip", docx),
        ("doc", text),
        ("mp3", latin1),
        ("unknown", png),
        ("", png),
        ("pdf", EMPTY),
    ] {
        assert!(!contradicts(extension, &content), "{extension} {content:?}");
    }
}

#[test]
fn extensions() {
    assert_eq!(extension("a.PDF").as_deref(), Some("pdf"));
    assert_eq!(extension("a.tar.gz").as_deref(), Some("gz"));
    assert_eq!(extension(".gitignore"), None);
    assert_eq!(extension("name"), None);
    assert_eq!(extension("name."), None);
}

#[test]
fn foreign_files_are_named_and_datasets_are_not() {
    let log = b"2025-02-10 12:00:00,123 INFO root: start\n2025-02-10 12:00:01,001 WARNING root: timeout\n";
    assert_eq!(describe_foreign(log).map(|foreign| foreign.what), Some("a log"));
    assert!(
        describe_foreign(b"2025-02-10T12:00:00Z INFO {\"a\": 1}\n2025-02-10T12:00:01Z INFO {\"a\": 2}\n")
            .is_none()
    );
    assert!(describe_foreign(b"2025-02-10 12:00:00,a\n2025-02-10 12:00:01,b\n").is_none());
    let described = |head: &[u8]| describe_foreign(head).map(|foreign| foreign.content.description);
    assert_eq!(described(b"%PDF-1.4"), Some("a PDF document"));
    assert_eq!(described(b"\x1F\x8B\x08\0"), Some("a GZIP file"));
    assert_eq!(described(b"\xFF\xFE{\0"), Some("UTF-16 text"));
    assert_eq!(described(&zip_head(&["[Content_Types].xml", "xl/w"])), Some("an Excel workbook (XLSX)"));
    assert_eq!(described(b"<!doctype html>"), Some("an HTML page"));
    assert_eq!(described(&[0, 1, 2, 3, 4, 5, 6, 7]), Some("data of an unknown kind"));
    for dataset in
        [&b""[..], b"{}", b"[1]", b"a,b\n1,2", b"{\"a\":\"\xff\0\0\0\0\"}", b"caf\xe9", &zip_head(&["a"])]
    {
        assert_eq!(described(dataset), None, "{dataset:?}");
    }
}

#[test]
fn text_of_wide_characters_is_converted_from_what_it_is() {
    let heads: [(&[u8], &str, &str); 6] = [
        (b"\xFF\xFE{\0", "UTF-16 text", "-f UTF-16 "),
        (b"\xFE\xFF\0{", "UTF-16 text", "-f UTF-16 "),
        (b"{\0\"\0i\0d\0", "UTF-16 text (little-endian, without a byte order mark)", "-f UTF-16LE "),
        (b"\0{\0\"\0i\0d", "UTF-16 text (big-endian, without a byte order mark)", "-f UTF-16BE "),
        (b"\xFF\xFE\0\0{\0\0\0", "UTF-32 text", "-f UTF-32 "),
        (b"\0\0\xFE\xFF\0\0\0{", "UTF-32 text", "-f UTF-32 "),
    ];
    for (head, what, from) in heads {
        let foreign = describe_foreign(head).unwrap();
        assert_eq!(foreign.what, what);
        assert!(foreign.advice.contains(from), "{what}: {}", foreign.advice);
    }
}

#[test]
fn text_that_is_cut_in_a_character_is_text() {
    let text = "a é 日 \u{1f600}".as_bytes();
    for end in 0..=text.len() {
        assert!(is_utf8(&text[..end]), "the first {end} bytes");
        for bad in [&[0x80][..], &[0xff], &[0xc3, 0x28], &[0xe6, 0x97, 0x20], &[0xed, 0xa0]] {
            let with = [&text[..end], bad].concat();
            let expected = match std::str::from_utf8(&with) {
                Ok(_) => true,
                Err(error) => error.error_len().is_none(),
            };
            assert_eq!(is_utf8(&with), expected, "{bad:x?} behind the first {end} bytes");
        }
    }
}
