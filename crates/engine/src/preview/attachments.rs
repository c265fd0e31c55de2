//! The files of an archive as a list: existing ones, and missing ones that records refer to.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use evalcheck_core::order::Order;
use evalcheck_wire::attachments::{
    AttachmentFilter, AttachmentList, AttachmentOrder, AttachmentQuery, AttachmentRow, AttachmentSummary,
    AttachmentType,
};

use super::{Packing, View};
use crate::archive::{Archive, Attachments, Entry, FileContents, MissingFile, References};
use crate::content::Content;
use crate::diagnose::clip;

/// The maximum number of files returned at once.
const MOST: u32 = 500;

/// The maximum number of bytes of the path of a missing file.
const PATH: usize = 2048;

/// A file that may be listed.
#[derive(Clone, Copy)]
struct File<'a> {
    kind: Kind<'a>,
    path: &'a str,
    references: References,
    contents: Option<FileContents>,
    is_unused: bool,
}

#[derive(Clone, Copy)]
enum Kind<'a> {
    /// An entry of the archive.
    There(&'a Entry),
    /// A missing file.
    Missing(&'a MissingFile),
}

impl<'a> File<'a> {
    fn missing(path: &'a str, file: &'a MissingFile) -> Self {
        Self {
            kind: Kind::Missing(file),
            path,
            references: file.references,
            contents: None,
            is_unused: false,
        }
    }

    fn entry(&self) -> Option<&'a Entry> {
        match self.kind {
            Kind::There(entry) => Some(entry),
            Kind::Missing(_) => None,
        }
    }

    fn media_type(&self) -> &'static str {
        self.contents.map_or("", |contents| contents.content.media_type)
    }

    fn size(&self) -> u64 {
        self.entry().map_or(0, |entry| entry.size)
    }

    /// The key of files of the same content: the checksum and the size in the directory. The check compares both with the contents,
    /// and only a file that was read to its end has a type.
    fn sum(&self) -> Option<(u32, u64)> {
        let entry = self.entry().filter(|entry| self.contents.is_some() && entry.size > 0)?;
        Some((entry.crc32, entry.size))
    }

    fn compare(&self, other: &Self, order: AttachmentOrder) -> Ordering {
        match order {
            AttachmentOrder::Archive => Ordering::Equal,
            AttachmentOrder::Path => self.path.cmp(other.path),
            AttachmentOrder::Type => self.media_type().cmp(other.media_type()),
            AttachmentOrder::Size => self.size().cmp(&other.size()),
            AttachmentOrder::Records => self.references.records.cmp(&other.references.records),
        }
    }
}

/// Files of one checksum and size: their number, and the paths of the first two.
struct Twins<'a> {
    files: u64,
    first: &'a str,
    second: Option<&'a str>,
}

type Sums<'a> = BTreeMap<(u32, u64), Twins<'a>>;

impl<R> View<'_, R> {
    /// Files `from..from + count` (from 0, at most 500) of those that a filter keeps. Empty if the format has no attachments.
    pub fn attachments(&self, of: &AttachmentQuery, from: u64, count: u32) -> AttachmentList {
        let state = self.reader.visitor();
        let (Some(archive), Some(attachments)) = (self.archive, &state.dataset.attachments) else {
            return AttachmentList::default();
        };
        let unused: BTreeSet<usize> =
            attachments.unreferenced().filter(|_| attachments.is_complete()).collect();
        let is_dataset =
            |entry: &Entry| matches!(self.packing, Packing::Entry(of) if std::ptr::eq(of, entry));
        let there = archive.entries().iter().enumerate();
        let there =
            there.filter(|(_, entry)| entry.is_file() && !is_dataset(entry)).map(|(index, entry)| File {
                kind: Kind::There(entry),
                path: entry.path(),
                references: attachments.references(index),
                contents: attachments.contents(index),
                is_unused: unused.contains(&index),
            });
        let missing_files = attachments.missing();
        let missing = missing_files.iter().map(|(path, file)| File::missing(path, file));
        let files: Vec<File<'_>> = there.chain(missing).collect();
        let sums = sums(&files);
        let mut summary = summary(&files, &sums);
        summary.unlisted = missing_files.beyond();
        summary.is_complete = attachments.is_complete() && !state.not_checked;

        let name = of.name.to_lowercase();
        let is_named = |file: &File<'_>| name.is_empty() || file.path.to_lowercase().contains(&name);
        let kept = files.iter().enumerate().filter(|(_, file)| is_kept(file, &of.filter, &sums));
        let mut kept: Vec<(usize, &File<'_>)> = kept.filter(|(_, file)| is_named(file)).collect();
        let total = kept.len() as u64;
        let (from, count) = (usize::try_from(from).unwrap_or(usize::MAX), count.min(MOST) as usize);
        let page = page(&mut kept, from, count, |one, other| {
            let order = one.1.compare(other.1, of.order);
            let order = if of.is_descending { order.reverse() } else { order };
            order.then(one.0.cmp(&other.0))
        });
        let rows = page.iter().map(|(_, file)| row(file, &sums, archive, attachments)).collect();
        AttachmentList { total, rows, summary }
    }
}

/// The elements `from..from + count` in sorted order. Only these are sorted.
fn page<T>(
    all: &mut [T],
    from: usize,
    count: usize,
    compare: impl Fn(&T, &T) -> Ordering + Copy,
) -> &mut [T] {
    let rest = if from == 0 {
        all
    } else if from < all.len() {
        all.select_nth_unstable_by(from, compare);
        &mut all[from..]
    } else {
        return &mut [];
    };
    let page = if count < rest.len() {
        rest.select_nth_unstable_by(count, compare);
        &mut rest[..count]
    } else {
        rest
    };
    page.order_by(compare);
    page
}

fn sums<'a>(files: &[File<'a>]) -> Sums<'a> {
    let mut sums = Sums::new();
    for file in files {
        let Some(sum) = file.sum() else { continue };
        sums.entry(sum)
            .and_modify(|twins| {
                twins.files += 1;
                twins.second.get_or_insert(file.path);
            })
            .or_insert(Twins { files: 1, first: file.path, second: None });
    }
    sums
}

/// The number of other files with the checksum of a file, and the path of the first one.
fn repeats<'a>(file: &File<'a>, sums: &Sums<'a>) -> Option<(u64, &'a str)> {
    let twins = sums.get(&file.sum()?).filter(|twins| twins.files > 1)?;
    let other = if twins.first == file.path { twins.second? } else { twins.first };
    Some((twins.files - 1, other))
}

fn is_kept(file: &File<'_>, filter: &AttachmentFilter, sums: &Sums<'_>) -> bool {
    match filter {
        AttachmentFilter::All => true,
        AttachmentFilter::Missing => file.entry().is_none(),
        AttachmentFilter::Unused => file.is_unused,
        AttachmentFilter::Repeated => repeats(file, sums).is_some(),
        AttachmentFilter::Type(media_type) => !media_type.is_empty() && file.media_type() == media_type,
    }
}

fn summary(files: &[File<'_>], sums: &Sums<'_>) -> AttachmentSummary {
    let mut summary = AttachmentSummary::default();
    let mut types: BTreeMap<&str, (Content, u64)> = BTreeMap::new();
    for file in files {
        let is_there = file.entry().is_some();
        summary.files += u64::from(is_there);
        summary.missing += u64::from(!is_there);
        summary.unused += u64::from(file.is_unused);
        summary.repeated += u64::from(repeats(file, sums).is_some());
        if let Some(FileContents { content, .. }) = file.contents {
            types.entry(content.media_type).or_insert((content, 0)).1 += 1;
        }
    }
    summary.types = types
        .into_values()
        .map(|(content, files)| AttachmentType {
            media_type: content.media_type.to_owned(),
            description: content.description.to_owned(),
            files,
        })
        .collect();
    summary.types.order_by_key(|of_type| std::cmp::Reverse(of_type.files));
    summary
}

fn row(file: &File<'_>, sums: &Sums<'_>, archive: &Archive, attachments: &Attachments) -> AttachmentRow {
    let missing = match file.kind {
        Kind::Missing(missing) => Some(missing),
        Kind::There(_) => None,
    };
    let nearest = missing.and_then(|missing| attachments.path(missing.nearest?));
    let added = missing.filter(|missing| missing.is_usable && archive.is_rewritable());
    let content = file.contents.map(|contents| contents.content);
    AttachmentRow {
        entry: file.entry().map(|entry| entry.name.to_string()),
        path: clip(file.path, PATH),
        size: file.size(),
        media_type: file.media_type().to_owned(),
        description: content.map_or_else(String::new, |content| content.description.to_owned()),
        pixels: file.contents.and_then(|contents| contents.pixels),
        milliseconds: file.contents.and_then(|contents| contents.milliseconds),
        records: file.references.records,
        wrong: file.references.wrong,
        first_records: file.references.first().to_vec(),
        is_unused: file.is_unused,
        repeats: repeats(file, sums).map(|(others, path)| (others, path.to_owned())),
        nearest: nearest.map(str::to_owned),
        added_as: added.and_then(|_| attachments.added(file.path)),
    }
}
