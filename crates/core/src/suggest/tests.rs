//! Tests of the nearest names.

use super::*;

fn names(names: &[&str]) -> Names {
    Names::new(names.iter().map(|name| Rc::from(*name)).enumerate())
}

#[track_caller]
fn expect(all: &[&str], wanted: &str, expected: Option<(usize, Reason)>) {
    let found = names(all).nearest(wanted).map(|found| (found.index, found.reason));
    assert_eq!(found, expected, "{wanted}");
}

#[test]
fn differences_that_have_a_name() {
    expect(&["attachments/Doc1.PDF"], "attachments/doc1.pdf", Some((0, Reason::Case)));
    expect(&["attachments/ﬁle.pdf"], "attachments/file.pdf", Some((0, Reason::UnicodeForm)));
    expect(&["attachments/a b.pdf"], "attachments/a\u{a0}b.pdf", Some((0, Reason::UnicodeForm)));
    expect(&["attachments/a b.pdf"], "attachments/a%20b.pdf", Some((0, Reason::PercentEncoding)));
    expect(&["attachments/a.pdf"], "./attachments//a.pdf", Some((0, Reason::Separators)));
    expect(&["attachments/a.pdf"], "attachments/a.pdf ", Some((0, Reason::WhiteSpace)));
    expect(&["attachments/a.pdf "], "attachments/a.pdf", Some((0, Reason::WhiteSpace)));
    expect(&["attachments/a.pdf"], "attachments/a.pdf?download=1", Some((0, Reason::Address)));
    expect(&["attachments/report.pdf"], "attachments/rеport.pdf", Some((0, Reason::LookAlike)));
    expect(&["attachments/a-b.pdf"], "attachments/a–b.pdf", Some((0, Reason::LookAlike)));
    expect(&["attachments/a.pdf"], "attachments/a\u{200b}.pdf", Some((0, Reason::LookAlike)));
    expect(&["attachments/x/doc.pdf"], "attachments/doc.pdf", Some((0, Reason::Folder)));
    expect(&["attachments/doc.pdf"], "attachments/doc.docx", Some((0, Reason::Extension)));
}

#[test]
fn spelling() {
    expect(&["a/x.pdf", "a/report.pdf"], "a/rpeort.pdf", Some((1, Reason::Spelling)));
    expect(&["a/report-2023.pdf", "a/reports.pdf"], "a/report.pdf", Some((1, Reason::Spelling)));
    expect(&["a/doc01.pdf"], "a/doc1.pdf", Some((0, Reason::Spelling)));
    expect(&["a/invoice.pdf"], "a/contract.pdf", None);
    expect(&["a/doc12.pdf"], "a/doc13.pdf", None);
    expect(&["a/a.pdf"], "a/b.pdf", None);
    expect(&[], "a/b.pdf", None);
}

#[test]
fn nearest_of_several_by_spelling_is_the_one_with_fewest_changes() {
    expect(&["a/intrductoin.md", "a/introductin.md"], "a/introduction.md", Some((1, Reason::Spelling)));
}

#[test]
fn hostile_names_cost_little() {
    let long = "ab".repeat(600);
    let all: Vec<String> =
        (0..2000).map(|n| format!("{}{n:04}x", "ab".repeat(500).replacen('a', "b", n % 7))).collect();
    let all = Names::new(all.iter().map(|name| Rc::from(name.as_str())).enumerate());
    assert_eq!(all.nearest(&long), None);
    all.budget.set(1_000_000);
    for n in 0..100 {
        all.nearest(&format!("{}{n:04}y", "ba".repeat(500)));
    }
    assert_eq!(all.budget.get(), 0, "the budget is what ends the work");
    assert_eq!(all.nearest(&format!("x/{}0001X", "ab".repeat(500))).map(|s| s.reason), None);
}
