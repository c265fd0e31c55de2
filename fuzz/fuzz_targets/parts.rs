//! A file of any format whose check is cut into parts: the report of the whole file. The first byte chooses the format, the next two
//! where the file is cut.
#![no_main]

use evalcheck_engine::ahead::AheadOfCheck;
use evalcheck_engine::formats::FORMATS;
use evalcheck_engine::parts::{Part, PartScanner, plan};
use evalcheck_fuzz::{check, choose, open};
use libfuzzer_sys::fuzz_target;

const NAME: &str = "data.jsonl";

fuzz_target!(|data: &[u8]| {
    let Some((format, [first, second, bytes @ ..])) = choose(FORMATS, data) else { return };
    let size = bytes.len() as u64;
    let mut cuts = [0, u64::from(*first), u64::from(*second) * 8, size].map(|cut| cut.min(size));
    cuts.sort_unstable();
    let mut cut = open(bytes, NAME, Some(format.id));
    let dataset = plan(&cut, NAME, None, &Default::default(), 1).dataset;
    let parts = cuts.windows(2).map(|cut| {
        let mut scanner = PartScanner::new(&dataset, (cut[0], cut[1]), 1).expect("the range is in the file");
        let mut source = bytes;
        while scanner.read_piece(&mut source, 100).expect("bytes can be read") {}
        Part::from_bytes(&scanner.finish().to_bytes()).expect("it was written so")
    });
    let whole = Part::whole(parts.collect()).expect("the parts are the file");
    whole.check_plan(&cut).expect("it is the same file");
    let mut ahead = AheadOfCheck::new(whole.into_found(), 1);
    let mut source = bytes;
    while ahead.read_piece(&mut cut, &mut source, 64) {}
    assert_eq!(cut.report(), check(bytes, NAME, Some(format.id), usize::MAX).report());
});
