//! Names that some readers read as the same file, and entries that some readers read as a file and others as a folder.

use super::*;

const UTF8: u16 = 1 << 11;
const UNICODE_NAME: u16 = 0x7075;

pub(super) fn local_names(family: &mut Family, target: Target) {
    for local in ["attachments/b.txt", "b.jsonl", "", "../a.txt"] {
        let part = Part { local_name: Some(local.as_bytes().to_vec()), ..target.part() };
        family.parts(target, if local.is_empty() { "empty" } else { local }.replace('/', "_"), [part]);
    }
}

/// The field with a name in Unicode, for the name with this checksum.
fn unicode(version: u8, checksum: u32, name: &str) -> Vec<u8> {
    extra_field(UNICODE_NAME, &[&[version][..], &checksum.to_le_bytes(), name.as_bytes()].concat())
}

pub(super) fn unicode_names(family: &mut Family, target: Target) {
    let part = target.part();
    let sum = crc(&part.name);
    let (other, third) = ("attachments/b.txt", "attachments/c.txt");
    let both = |extra: Vec<u8>| Part { central_extra: extra.clone(), local_extra: extra, ..part.clone() };
    family.parts(target, "other", [both(unicode(1, sum, other))]);
    family.parts(target, "same", [both(unicode(1, sum, target.name()))]);
    family.parts(
        target,
        "central-and-local",
        [Part { central_extra: unicode(1, sum, other), local_extra: unicode(1, sum, third), ..part.clone() }],
    );
    family.parts(target, "only-local", [Part { local_extra: unicode(1, sum, other), ..part.clone() }]);
    family.parts(target, "only-central", [Part { central_extra: unicode(1, sum, other), ..part.clone() }]);
    for version in [0, 2] {
        family.parts(target, format!("version-{version}"), [both(unicode(version, sum, other))]);
    }
    family.parts(target, "wrong-checksum", [both(unicode(1, !sum, other))]);
    let two = |first: Vec<u8>, second: Vec<u8>| both([first, second].concat());
    family.parts(target, "two", [two(unicode(1, sum, other), unicode(1, sum, third))]);
    let chained = two(unicode(1, sum, other), unicode(1, crc(other.as_bytes()), third));
    family.parts(target, "two-chained", [chained]);
    family.parts(target, "second-invalid", [two(unicode(1, sum, other), unicode(2, !sum, third))]);
    family.parts(target, "first-invalid", [two(unicode(2, !sum, other), unicode(1, sum, third))]);
    let flagged = Part { flags: UTF8, ..both(unicode(1, sum, other)) };
    family.parts(target, "with-flag", [flagged]);
    let empty = both(unicode(1, sum, ""));
    family.parts(target, "empty", [empty]);
    // Two entries with equal plain names, because their encoding lacks the characters in which the names differ.
    let plain = target.name().replace('a', "\u{80}");
    let plain: Vec<u8> = plain.chars().map(|c| c as u8).collect();
    let named = |name: &str, which| {
        let extra = unicode(1, crc(&plain), name);
        Part {
            name: plain.clone(),
            central_extra: extra.clone(),
            local_extra: extra,
            ..target.at("a", which)
        }
    };
    family.parts(target, "two-behind-one", [named(target.name(), One), named(other, Two)]);
}

pub(super) fn kinds(family: &mut Family, target: Target) {
    let name = target.name();
    for (what, end) in [("slash", "/"), ("backslash", "\\")] {
        family.parts(target, what, [target.at(&format!("{name}{end}"), One)]);
        family.parts(target, format!("{what}-empty"), [stored(&format!("{name}{end}"), b"")]);
        family.parts(
            target,
            format!("{what}-beside"),
            [target.part(), target.at(&format!("{name}{end}"), Two)],
        );
    }
    // Folder, volume label, hidden, system; and the kinds of Unix: folder, link, pipe, device.
    let dos = [0x10, 0x08, 0x18, 0x02, 0x04].map(|dos| (dos, dos));
    let unix =
        [0o40_755, 0o120_777, 0o10_644, 0o60_644, 0o140_644].map(|mode: u32| (mode, mode << 16 | 0x20));
    for (value, attributes) in dos.into_iter().chain(unix) {
        for host in [0, 3, 10, 19] {
            let part = Part { attributes, made_by: host << 8 | 0x14, ..target.part() };
            family.parts(target, format!("{value:o}-{host}"), [part]);
        }
    }
}

pub(super) fn same_names(family: &mut Family, target: Target) {
    family.parts(target, "two-contents", [target.part(), target.at(target.name(), Two)]);
    family.parts(target, "one-content", [target.part(), target.part()]);
    family.parts(target, "three", [target.part(), target.part(), target.at(target.name(), Two)]);
    family.parts(target, "two-methods", [target.part(), target.deflated()]);
}

/// A byte that is not a letter or digit, alone and beside another byte, in a name of DOS and of Unix.
pub(super) fn bytes(family: &mut Family, target: Target) {
    let name = |byte: u8| {
        let mut name = target.name().as_bytes().to_vec();
        let dot = name.iter().rposition(|byte| *byte == b'.').unwrap();
        name.insert(dot, byte);
        name
    };
    let special = |byte: &u8| !byte.is_ascii_alphanumeric();
    let host: u16 = match target {
        Target::Dataset => 0,
        Target::Attachment => 3,
    };
    for byte in (0..=255).filter(special) {
        let part = Part { name: name(byte), made_by: host << 8 | 0x14, ..target.part() };
        family.parts(target, format!("{byte:02x}-{host}"), [part]);
        if byte >= 128 && byte % 16 == 0 {
            let part = Part { name: name(byte), flags: UTF8, ..target.part() };
            family.parts(target, format!("{byte:02x}-flagged"), [part]);
        }
    }
    for first in (0..=255).step_by(24).filter(special) {
        for second in (7..=255).step_by(24).filter(special) {
            let parts = [(first, One), (second, Two)]
                .map(|(byte, which)| Part { name: name(byte), ..target.at("", which) });
            family.parts(target, format!("{first:02x}-beside-{second:02x}"), parts);
        }
    }
    let local = Part { local_flags: Some(UTF8), ..target.part() };
    family.parts(target, "flag-only-local", [local]);
}

pub(super) fn paths(family: &mut Family, target: Target) {
    let name = target.name();
    let changed = [
        format!("/{name}"),
        format!("./{name}"),
        format!("././{name}"),
        format!(".//{name}"),
        format!("{name}/."),
        format!("../{name}"),
        format!(".../{name}"),
        format!("c/../{name}"),
        format!("C:{name}"),
        format!("C:/{name}"),
        format!("\\{name}"),
        format!(".\\{name}"),
        format!("{name}."),
        format!("{name} "),
        format!("{name}\0"),
        format!("{name}::$DATA"),
        name.to_uppercase(),
        name.replace('/', "//"),
        name.replace('/', "/./"),
        name.replace('/', "\\"),
        name.replace('/', "/.../"),
    ];
    for (n, changed) in changed.iter().enumerate().filter(|(_, changed)| *changed != name) {
        family.parts(target, format!("{n}-alone"), [target.at(changed, One)]);
        family.parts(target, format!("{n}-last"), [target.part(), target.at(changed, Two)]);
        family.parts(target, format!("{n}-first"), [target.at(changed, Two), target.part()]);
        family.parts(target, format!("{n}-equal"), [target.part(), target.at(changed, One)]);
    }
    let composed = [name.replace('a', "é"), name.replace('a', "e\u{301}")];
    family.parts(target, "nfc-and-nfd", [target.at(&composed[0], One), target.at(&composed[1], Two)]);
}

pub(super) fn files_and_folders(family: &mut Family, target: Target) {
    let name = target.name();
    let inside = format!("{name}/b.txt");
    family.parts(target, "file-first", [target.part(), stored(&inside, b"b")]);
    family.parts(target, "file-last", [stored(&inside, b"b"), target.part()]);
    let folder = stored(&format!("{name}/"), b"");
    family.parts(target, "with-folder-entry", [target.part(), folder.clone(), stored(&inside, b"b")]);
    family.parts(target, "empty-folder", [folder, target.part()]);
    family.parts(target, "parent", [stored("attachments", b"a"), target.part()]);
}
