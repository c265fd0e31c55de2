//! Fields that occur twice, or that some readers ignore.

use super::*;

/// The flag of entries whose sizes follow the data.
const FOLLOW: u16 = 1 << 3;

pub(super) fn methods(family: &mut Family, target: Target) {
    let whole = target.deflated();
    let plain = u32::try_from(whole.data.len()).unwrap();
    let as_stored = [plain, plain];
    let local =
        Part { local_method: Some(0), local_sizes: Some([plain, whole.size as u32]), ..whole.clone() };
    family.parts(target, "stored-by-header", [local]);
    let central = Part { method: 0, local_method: Some(8), ..whole.clone() };
    family.parts(target, "stored-by-directory", [central]);
    // This header is consistent by itself: its contents are the compressed bytes.
    let raw = Part { method: 0, crc: crc(&whole.data), size: whole.data.len() as u64, ..whole.clone() };
    let raw = Part { local_method: Some(8), local_sizes: Some(as_stored), ..raw };
    family.parts(target, "stored-by-directory-with-sums", [raw]);
    for method in [1, 9, 12, 14, 93, 95, 99, 4711] {
        family.parts(target, method, [Part { method, ..whole.clone() }]);
    }
}

/// Each of the four sizes as 0, in the fields or in 64-bit fields, with and without sizes after the data.
pub(super) fn sizes(family: &mut Family, target: Target) {
    for wrong in 0..16u8 {
        for follow in 0..5u8 {
            for wide in [0, 3u8] {
                for part in [target.part(), target.deflated()] {
                    let what = format!("{wrong:04b}-{follow}-{wide:02b}-{}", part.method);
                    family.parts(target, what, [sized(part, wrong, follow, wide)]);
                }
            }
        }
    }
}

fn sized(mut part: Part, wrong: u8, follow: u8, wide: u8) -> Part {
    let bit = |bits: u8, at: u8| bits >> at & 1 == 1;
    let true_sizes = [part.compressed_size, part.size];
    let given = |at: u8| [0, 1].map(|n| if bit(wrong, at + n) { 0 } else { true_sizes[usize::from(n)] });
    let (local, central) = (given(0), given(2));
    let narrow = |sizes: [u64; 2]| Some(sizes.map(|size| size as u32));
    if bit(wide, 0) {
        part.local_extra = zip64_field(&[local[1], local[0]]);
    } else {
        part.local_sizes = narrow(local);
    }
    if bit(wide, 1) {
        part.central_extra = zip64_field(&[central[1], central[0]]);
    } else {
        part.sizes = narrow(central);
    }
    if follow > 0 {
        part.flags |= FOLLOW;
        part.after = b"PK\x07\x08".to_vec();
        part.after.extend(part.crc.to_le_bytes());
        for size in true_sizes {
            match follow {
                1 => part.after.extend((size as u32).to_le_bytes()),
                2 => part.after.extend(size.to_le_bytes()),
                3 => part.after.extend([0; 4]),
                _ => part.after.extend([0; 8]),
            }
        }
    }
    part
}

pub(super) fn two_64_bit_fields(family: &mut Family, target: Target) {
    let part = target.part();
    let right = zip64_sizes(&part);
    let zeros = zip64_field(&[0, 0]);
    for (what, first, second) in [("wrong-last", &right, &zeros), ("wrong-first", &zeros, &right)] {
        let both = [&first[..], second].concat();
        family.parts(
            target,
            format!("{what}-in-both"),
            [Part { central_extra: both.clone(), local_extra: both.clone(), ..part.clone() }],
        );
        family.parts(target, format!("{what}-in-directory"), [Part { central_extra: both, ..part.clone() }]);
    }
    // A field that is not needed, and one that is longer than its values.
    let unneeded = Part { sizes: Some([part.size as u32; 2]), central_extra: zeros, ..part.clone() };
    family.parts(target, "not-needed", [unneeded]);
    let long = zip64_field(&[part.size, part.compressed_size, 0]);
    family.parts(target, "too-long", [Part { central_extra: long, ..part }]);
}

pub(super) fn encryption(family: &mut Family, target: Target) {
    let part = target.part();
    let flagged = |central: u16, local: u16| Part {
        flags: part.flags | central,
        local_flags: Some(part.flags | local),
        ..part.clone()
    };
    // Bit 0 is encryption, bit 6 strong encryption, bit 13 a masked local header.
    for (central, local) in [
        (1, 1),
        (0, 1),
        (1, 0),
        (1 << 6, 0),
        (0, 1 << 6),
        (1 << 6, 1 << 6),
        (1 << 13, 0),
        (1 << 13, 1 << 13),
        (1 << 5, 1 << 5),
        (0, 1 << 5),
        (1 << 5, 0),
    ] {
        family.parts(target, format!("{central}-{local}"), [flagged(central, local)]);
    }
}

pub(super) fn versions(family: &mut Family, target: Target) {
    for (central, local) in [(99, 99), (99, 20), (20, 99), (64, 64), (63, 63), (10, 20), (20, 10), (0, 0)] {
        let part = Part { needs: central, local_needs: Some(local), ..target.part() };
        family.parts(target, format!("{central}-{local}"), [part]);
    }
}

pub(super) fn checksums(family: &mut Family, target: Target) {
    for part in [target.part(), target.deflated()] {
        let method = part.method;
        let wrong = Part { crc: 1, ..part.clone() };
        family.parts(target, format!("wrong-{method}"), [wrong]);
        family.parts(target, format!("zero-{method}"), [Part { crc: 0, ..part.clone() }]);
        let mut longer = part.clone();
        longer.data.extend(b"junk");
        longer.compressed_size += 4;
        family.parts(target, format!("longer-{method}"), [longer]);
        let shorter = Part { compressed_size: part.compressed_size - 1, ..part.clone() };
        family.parts(target, format!("shorter-{method}"), [shorter]);
    }
}
