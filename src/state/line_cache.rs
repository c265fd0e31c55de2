//! A cache of the lines of a file: a few pages around the visible lines.

use std::ops::RangeInclusive;
use std::rc::Rc;

use evalcheck_wire::view::{Line, Lines};
use evalcheck_wire::worker::RequestId;

/// Lines in a page.
pub(crate) const PAGE: u32 = 200;

/// The largest number of pages. A screen needs two, the context of a finding one or two.
const MAX_PAGES: usize = 12;

/// The largest number of open requests. Dragging the scroll bar passes hundreds of pages, and only those where it stops
/// are worth a request.
const MAX_REQUESTS: usize = 2;

/// Pages of lines, and which lines are needed.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct LineCache {
    /// The number of lines, as far as it is known.
    total: u64,
    pages: Vec<Page>,
    /// The lines that the list shows.
    list: Option<RangeInclusive<u64>>,
    /// The lines that the details show.
    context: Option<RangeInclusive<u64>>,
}

/// One page, numbered from 0.
#[derive(Debug, Clone, PartialEq)]
struct Page {
    number: u64,
    state: PageState,
}

#[derive(Debug, Clone, PartialEq)]
enum PageState {
    Requested(RequestId),
    Loaded(Rc<Vec<Line>>),
    /// The worker could not read it; another request would fail as well.
    Failed,
}

/// A range of lines to request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LineRange {
    /// First line, from 1.
    pub(crate) from: u64,
    /// How many.
    pub(crate) count: u32,
}

/// The state of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Lookup<'a> {
    /// It is loaded.
    Loaded(&'a Line),
    /// It is being loaded.
    Loading,
    /// It cannot be loaded.
    Failed,
}

impl LineCache {
    /// An empty cache for a file with this many lines.
    pub(crate) fn new(total: u64) -> Self {
        Self { total, ..Self::default() }
    }

    /// The number of lines.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// A line by its number.
    pub(crate) fn get(&self, number: u64) -> Lookup<'_> {
        let Some(at) = number.checked_sub(1) else { return Lookup::Failed };
        let Some(page) = self.page(at / u64::from(PAGE)) else { return Lookup::Loading };
        match &page.state {
            PageState::Requested(_) => Lookup::Loading,
            PageState::Failed => Lookup::Failed,
            PageState::Loaded(lines) => usize::try_from(at % u64::from(PAGE))
                .ok()
                .and_then(|at| lines.get(at))
                .map_or(Lookup::Failed, Lookup::Loaded),
        }
    }

    /// The list now shows these lines.
    pub(crate) fn show_in_list(&mut self, lines: RangeInclusive<u64>) {
        self.list = Some(lines);
    }

    /// The details now show these lines.
    pub(crate) fn show_in_details(&mut self, lines: RangeInclusive<u64>) {
        self.context = Some(lines);
    }

    /// The next page to request, unless too many requests are open. `request` is the id of the new request.
    pub(crate) fn next_request(&mut self, request: RequestId) -> Option<LineRange> {
        if self.open_requests() >= MAX_REQUESTS {
            return None;
        }
        let number = self.needed_pages().find(|number| self.page(*number).is_none())?;
        self.make_room();
        self.pages.push(Page { number, state: PageState::Requested(request) });
        let from = number * u64::from(PAGE) + 1;
        let count = PAGE;
        Some(LineRange { from, count })
    }

    /// Stores an answer; an answer to no open request is dropped.
    pub(crate) fn store(&mut self, request: RequestId, lines: Lines) {
        let total = lines.total;
        if let Some(page) = self.requested(request) {
            page.state = PageState::Loaded(Rc::new(lines.lines));
            // A report counts rows and elements, and their text may have more lines.
            self.total = self.total.max(total);
        }
    }

    /// A request failed. True when it was one of this cache.
    pub(crate) fn fail(&mut self, request: RequestId) -> bool {
        self.requested(request).map(|page| page.state = PageState::Failed).is_some()
    }

    /// Fails all open requests.
    pub(crate) fn fail_all(&mut self) {
        for page in &mut self.pages {
            if matches!(page.state, PageState::Requested(_)) {
                page.state = PageState::Failed;
            }
        }
    }

    /// The number of requests without an answer.
    pub(crate) fn open_requests(&self) -> usize {
        self.pages.iter().filter(|page| matches!(page.state, PageState::Requested(_))).count()
    }

    fn page(&self, number: u64) -> Option<&Page> {
        self.pages.iter().find(|page| page.number == number)
    }

    fn requested(&mut self, request: RequestId) -> Option<&mut Page> {
        self.pages.iter_mut().find(|page| page.state == PageState::Requested(request))
    }

    fn needed_pages(&self) -> impl Iterator<Item = u64> {
        let total = self.total;
        [self.list.clone(), self.context.clone()].into_iter().flatten().filter(move |_| total > 0).flat_map(
            move |lines| {
                let page = |line: u64| (line.clamp(1, total) - 1) / u64::from(PAGE);
                page(*lines.start())..=page(*lines.end())
            },
        )
    }

    /// Drops the page that is farthest from all needed pages.
    fn make_room(&mut self) {
        if self.pages.len() < MAX_PAGES {
            return;
        }
        let needed: Vec<u64> = self.needed_pages().collect();
        let distance = |page: &Page| needed.iter().map(|at| at.abs_diff(page.number)).min();
        let farthest = self
            .pages
            .iter()
            .enumerate()
            .filter(|(_, page)| !matches!(page.state, PageState::Requested(_)))
            .max_by_key(|(_, page)| distance(page))
            .map(|(at, _)| at);
        if let Some(at) = farthest {
            self.pages.swap_remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u64) -> Line {
        Line {
            number,
            byte_start: 0,
            bytes: 0,
            text: number.to_string(),
            clipped: false,
            severity: None,
            blank: false,
        }
    }

    fn answer(range: LineRange) -> Lines {
        let lines = (range.from..range.from + u64::from(range.count)).map(line).collect();
        Lines { total: 0, lines }
    }

    #[test]
    fn a_page_is_requested_once_and_then_found() {
        let mut cache = LineCache::new(1_000);
        assert_eq!(cache.next_request(1), None, "no line is visible");
        cache.show_in_list(10..=50);
        let range = cache.next_request(1).unwrap();
        assert_eq!(range, LineRange { from: 1, count: 200 });
        assert_eq!(cache.next_request(2), None);
        assert_eq!(cache.get(10), Lookup::Loading);
        cache.store(1, answer(range));
        assert!(matches!(cache.get(10), Lookup::Loaded(line) if line.number == 10));
    }

    #[test]
    fn the_last_page_is_requested_whole_because_text_may_have_more_lines_than_records() {
        let mut cache = LineCache::new(450);
        cache.show_in_list(440..=460);
        assert_eq!(cache.next_request(1), Some(LineRange { from: 401, count: PAGE }));
    }

    #[test]
    fn a_drag_over_a_long_list_requests_only_where_it_stops() {
        let mut cache = LineCache::new(100_000_000);
        let mut requested = 0;
        for at in 0..1_000 {
            cache.show_in_list(at * 100_000 + 1..=at * 100_000 + 40);
            requested += usize::from(cache.next_request(u32::try_from(at).unwrap()).is_some());
        }
        assert_eq!(requested, MAX_REQUESTS);
        cache.store(0, Lines { total: 0, lines: Vec::new() });
        assert_eq!(cache.next_request(5_000).map(|range| range.from), Some(99_900_001));
    }

    #[test]
    fn the_cache_is_bounded_and_keeps_visible_lines() {
        let mut cache = LineCache::new(1_000_000);
        cache.show_in_details(1..=5);
        for at in 0..100_u32 {
            cache.show_in_list(u64::from(at) * 200 + 1..=u64::from(at) * 200 + 40);
            while let Some(range) = cache.next_request(at) {
                cache.store(at, answer(range));
            }
        }
        assert_eq!(cache.pages.len(), MAX_PAGES);
        assert!(matches!(cache.get(3), Lookup::Loaded(_)), "the context stays");
        assert!(matches!(cache.get(99 * 200 + 1), Lookup::Loaded(_)));
    }

    #[test]
    fn an_answer_to_no_request_is_dropped() {
        let mut cache = LineCache::new(10);
        cache.store(7, Lines { total: 10, lines: vec![line(1)] });
        assert_eq!(cache.get(1), Lookup::Loading);
        assert!(!cache.fail(7));
    }

    #[test]
    fn an_empty_file_needs_no_request() {
        let mut cache = LineCache::new(0);
        cache.show_in_list(1..=20);
        assert_eq!(cache.next_request(1), None);
    }
}
