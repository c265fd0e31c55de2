//! Entries that are visible to readers that scan the file from its start, but not to readers that use the directory.

use super::*;

pub(super) fn unlisted(family: &mut Family, target: Target) {
    let hidden = Part { unlisted: true, ..target.at(target.name(), Two) };
    family.parts(target, "last", [target.part(), hidden.clone()]);
    family.parts(target, "first", [hidden.clone(), target.part()]);
    let other = Part { unlisted: true, ..target.at("attachments/hidden.txt", Two) };
    family.parts(target, "other-name", [target.part(), other]);
    let before = Build { before_directory: hidden.local(), ..Build::default() };
    family.add(target, "before-directory", before.pack(&target.with([target.part()])));
    let after = Build { after_directory: hidden.local(), ..Build::default() };
    family.add(target, "after-directory", after.pack(&target.with([target.part()])));
}

/// A directory and an end in the data of an entry, where readers that scan the file end the list.
pub(super) fn hidden_in_data(family: &mut Family, target: Target) {
    let (part, hidden) = (target.part(), target.at(target.name(), Two));
    let mut fake = part.central(0);
    let size = fake.len() as u64;
    End::new(1, size, part.local().len() as u64).write(&mut fake);
    family.parts(target, "directory-after", [Part { after: fake.clone(), ..part.clone() }]);
    family.parts(target, "directory-as-file", [part.clone(), stored("attachments/b.txt", &fake)]);
    // The directory lists an entry in the data of another entry, with or without that one.
    for overlap in [false, true] {
        let carrier = stored("attachments/carrier.bin", &hidden.local());
        let shift = i64::try_from(carrier.local().len() - hidden.local().len()).unwrap();
        let inner = Part { same_place_as: Some(0), shift, ..hidden.clone() };
        let mut parts = vec![Part { unlisted: !overlap, ..carrier }, inner];
        if overlap {
            parts.push(part.clone());
        }
        let others = match target {
            Target::Dataset => Target::Attachment.part(),
            Target::Attachment => Target::Dataset.part(),
        };
        parts.push(others);
        family.add(target, format!("inside-{overlap}"), pack(&parts));
    }
    // The sizes follow the data, and the data contains their signature.
    for method in [0, 8] {
        let base = if method == 0 { target.part() } else { target.deflated() };
        let mut descriptor = b"PK\x07\x08".to_vec();
        descriptor.extend(base.crc.to_le_bytes());
        descriptor.extend((base.compressed_size as u32).to_le_bytes());
        descriptor.extend((base.size as u32).to_le_bytes());
        let mut early = Part { flags: base.flags | 1 << 3, zero_local: true, ..base.clone() };
        early.after = [&descriptor[..], &hidden.local()].concat();
        family.parts(target, format!("descriptor-then-entry-{method}"), [early]);
        let follow =
            Part { flags: base.flags | 1 << 3, zero_local: true, after: descriptor.clone(), ..base.clone() };
        family.parts(target, format!("descriptor-{method}"), [follow.clone()]);
        let only_local = Part { flags: base.flags, local_flags: Some(base.flags | 1 << 3), ..follow.clone() };
        family.parts(target, format!("descriptor-only-local-{method}"), [only_local]);
        let only_central =
            Part { local_flags: Some(base.flags), zero_local: false, after: Vec::new(), ..follow };
        family.parts(target, format!("descriptor-only-central-{method}"), [only_central]);
        // The data contains bytes that look like its own end, and an entry after them.
        let mut contents = target.contents(One);
        contents.extend(&descriptor);
        contents.extend(hidden.local());
        let long = stored(target.name(), &contents);
        let mut after = b"PK\x07\x08".to_vec();
        after.extend(long.crc.to_le_bytes());
        after.extend([long.compressed_size as u32, long.size as u32].into_iter().flat_map(u32::to_le_bytes));
        let long = Part { flags: 1 << 3, zero_local: true, after, ..long };
        family.parts(target, format!("descriptor-in-data-{method}"), [long]);
    }
}

/// Entries in the comments of a record and of the end, listed or not.
pub(super) fn hidden_in_comments(family: &mut Family, target: Target) {
    let (part, hidden) = (target.part(), target.at(target.name(), Two));
    family.parts(target, "record", [Part { comment: hidden.local(), ..part.clone() }]);
    let comment = Build { comment: hidden.local(), ..Build::default() };
    family.add(target, "end", comment.pack(&target.with([part.clone()])));
    // The directory lists an entry that is in its own comment, or in the comment of the end.
    let first = target.with([part]);
    let mut out: Vec<u8> = first.iter().flat_map(Part::local).collect();
    let start = out.len() as u64;
    let mut at = 0;
    let mut directory = Vec::new();
    for (n, part) in first.iter().enumerate() {
        let last = n + 1 == first.len();
        let comment = if last { hidden.local() } else { Vec::new() };
        directory.extend(Part { comment, ..part.clone() }.central(at));
        at += part.local().len() as u64;
    }
    let inside = start + (directory.len() - hidden.local().len()) as u64;
    let beside = Part { name: b"attachments/b.txt".to_vec(), ..hidden.clone() };
    let listed = [directory.clone(), hidden.central(inside)].concat();
    let mut whole = [out.clone(), listed.clone()].concat();
    End::new(first.len() as u64 + 1, listed.len() as u64, start).write(&mut whole);
    family.add(target, "listed-in-record", whole);
    let listed = [directory, beside.central(start)].concat();
    let end = out.len() as u64 + listed.len() as u64 + 22;
    let listed = [&listed[..listed.len() - beside.central(0).len()], &beside.central(end)[..]].concat();
    out.extend(&listed);
    let end = End { comment: beside.local(), ..End::new(first.len() as u64 + 1, listed.len() as u64, start) };
    end.write(&mut out);
    family.add(target, "listed-in-end", out);
}
