//! The list of the files of an archive, compared with the report.

use std::collections::BTreeSet;
use std::io::Cursor;

use evalcheck_engine::check::Check;
use evalcheck_report::Report;
use evalcheck_wire::attachments::{
    AttachmentFilter, AttachmentList, AttachmentOrder, AttachmentQuery, AttachmentRow,
};

use super::cases::Case;

const ORDERS: [AttachmentOrder; 5] = [
    AttachmentOrder::Archive,
    AttachmentOrder::Path,
    AttachmentOrder::Type,
    AttachmentOrder::Size,
    AttachmentOrder::Records,
];

/// The codes of references to files that are missing.
const MISSING: [&str; 3] = ["attachment/missing", "attachment/wrong-folder", "attachment/none"];

/// The list agrees with the findings of the report, and is the same in pages, and in whatever pieces the file arrives.
pub(crate) fn assert_list_fits_report(case: &Case, report: &Report) {
    let mut check = case.checked(&case.bytes, 1 << 20);
    let all = list(case, &mut check, &AttachmentQuery::default(), 0, 500);
    assert!(all.rows.len() as u64 == all.total.min(500), "{}: all files", case.name);
    if all.total > 500 {
        return;
    }
    if case.bytes.len() < 1 << 20 {
        let again = list(case, &mut case.checked(&case.bytes, 7), &AttachmentQuery::default(), 0, 500);
        assert_eq!(again, all, "{}: in small pieces", case.name);
    }

    let unreferenced = report.findings.iter().filter(|finding| finding.code == "attachment/unreferenced");
    let unused: Vec<&str> = all.rows.iter().filter(|row| row.is_unused).map(entry).collect();
    let mut reported: Vec<&str> = unreferenced.filter_map(|finding| finding.entry.as_deref()).collect();
    reported.sort_by_key(|name| all.rows.iter().position(|row| row.entry.as_deref() == Some(name)));
    assert_eq!(unused, reported, "{}: unused files", case.name);

    let missing: BTreeSet<u64> =
        all.rows.iter().filter(|row| row.entry.is_none()).flat_map(|row| row.first_records.clone()).collect();
    let with_codes = |is_meant: &dyn Fn(&str) -> bool| -> BTreeSet<u64> {
        let findings = report.findings.iter().filter(|finding| is_meant(&finding.code));
        findings.filter_map(|finding| finding.record).collect()
    };
    let any = with_codes(&|code| code.starts_with("attachment/"));
    let has_causes = report.counts.by_code.contains_key("attachment/wrong-folder");
    assert!(missing.is_subset(&any) || has_causes, "{}: {missing:?} of {any:?}", case.name);
    let certain = with_codes(&|code| MISSING.contains(&code));
    assert!(certain.is_subset(&missing), "{}: {certain:?} of {missing:?}", case.name);

    for filter in filters(&all) {
        for (order, is_descending) in ORDERS.into_iter().flat_map(|order| [(order, false), (order, true)]) {
            let query = AttachmentQuery {
                filter: filter.clone(),
                order,
                is_descending,
                ..AttachmentQuery::default()
            };
            assert_pages_add_up(case, &mut check, &query, &all);
        }
    }
}

/// All filters that keep any file, and their opposites.
fn filters(all: &AttachmentList) -> Vec<AttachmentFilter> {
    let types = all.summary.types.iter().map(|of_type| AttachmentFilter::Type(of_type.media_type.clone()));
    let fixed = [
        AttachmentFilter::All,
        AttachmentFilter::Missing,
        AttachmentFilter::Unused,
        AttachmentFilter::Repeated,
        AttachmentFilter::Type("no/such-type".to_owned()),
    ];
    fixed.into_iter().chain(types).collect()
}

fn assert_pages_add_up(case: &Case, check: &mut Check, query: &AttachmentQuery, all: &AttachmentList) {
    let name = format!("{}: {query:?}", case.name);
    let mut expected: Vec<&AttachmentRow> =
        all.rows.iter().filter(|row| is_kept(row, &query.filter)).collect();
    expected.sort_by(|one, other| {
        let order = match query.order {
            AttachmentOrder::Archive => std::cmp::Ordering::Equal,
            AttachmentOrder::Path => one.path.cmp(&other.path),
            AttachmentOrder::Type => one.media_type.cmp(&other.media_type),
            AttachmentOrder::Size => one.size.cmp(&other.size),
            AttachmentOrder::Records => one.records.cmp(&other.records),
        };
        if query.is_descending { order.reverse() } else { order }
    });
    let mut rows = Vec::new();
    loop {
        let page = list(case, check, query, rows.len() as u64, 2);
        assert_eq!((page.total, &page.summary), (expected.len() as u64, &all.summary), "{name}");
        if page.rows.is_empty() {
            break;
        }
        rows.extend(page.rows);
    }
    assert_eq!(rows.iter().collect::<Vec<_>>(), expected, "{name}");
    let of_summary = match &query.filter {
        AttachmentFilter::All => all.summary.files + all.summary.missing,
        AttachmentFilter::Missing => all.summary.missing,
        AttachmentFilter::Unused => all.summary.unused,
        AttachmentFilter::Repeated => all.summary.repeated,
        AttachmentFilter::Type(name) => {
            all.summary.types.iter().filter(|of_type| of_type.media_type == *name).map(|of| of.files).sum()
        }
    };
    assert_eq!(of_summary, rows.len() as u64, "{name}");
}

fn is_kept(row: &AttachmentRow, filter: &AttachmentFilter) -> bool {
    match filter {
        AttachmentFilter::All => true,
        AttachmentFilter::Missing => row.entry.is_none(),
        AttachmentFilter::Unused => row.is_unused,
        AttachmentFilter::Repeated => row.repeats.is_some(),
        AttachmentFilter::Type(media_type) => row.media_type == *media_type,
    }
}

fn list(case: &Case, check: &mut Check, of: &AttachmentQuery, from: u64, count: u32) -> AttachmentList {
    check.view(&mut Cursor::new(&case.bytes[..])).attachments(of, from, count)
}

fn entry(row: &AttachmentRow) -> &str {
    row.entry.as_deref().unwrap_or_default()
}
