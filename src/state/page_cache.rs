//! A cache of the lines or records of a file: a few pages around the visible ones.

use std::ops::RangeInclusive;
use std::rc::Rc;

use evalcheck_wire::report::Finding;
use evalcheck_wire::view::{Hit, Line, Row};
use evalcheck_wire::worker::RequestId;

/// The number of items in a page.
pub(crate) const PAGE: u32 = 200;

/// The maximum number of pages. A screen needs two, the context of a finding one or two.
const MAX_PAGES: usize = 12;

/// The maximum number of open requests. Dragging the scroll bar passes hundreds of pages, and only those where it stops are worth a
/// request.
const MAX_REQUESTS: usize = 2;

/// The lines of a file.
pub(crate) type LineCache = PageCache<Line>;

/// The records of a file, as rows of a list.
pub(crate) type RowCache = PageCache<Row>;

/// The findings that match a filter.
pub(crate) type FindingCache = PageCache<Finding>;

/// The records that a search has found.
pub(crate) type HitCache = PageCache<Hit>;

/// Whether each line belongs to a record that a search has found.
pub(crate) type LineMatches = PageCache<bool>;

/// Pages of items, which are numbered from 1, and the ranges of items that are needed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PageCache<T> {
    /// The number of items, as far as known.
    total: u64,
    pages: Vec<Page<T>>,
    /// The items that the list shows.
    list: Option<RangeInclusive<u64>>,
    /// The items that the details show.
    context: Option<RangeInclusive<u64>>,
}

impl<T> Default for PageCache<T> {
    fn default() -> Self {
        Self { total: 0, pages: Vec::new(), list: None, context: None }
    }
}

/// One page, numbered from 0.
#[derive(Debug, Clone, PartialEq)]
struct Page<T> {
    number: u64,
    /// Its first items. An answer may have fewer items than requested, because they are long.
    items: Rc<Vec<T>>,
    state: PageState,
}

#[derive(Debug, Clone, PartialEq)]
enum PageState {
    /// More of it was requested.
    Requested(RequestId),
    /// The last answer contained some of it, and there may be more.
    Partial,
    /// Complete.
    Loaded,
    /// The worker could not read it; another request would fail as well.
    Failed,
}

/// A range of items to request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ItemRange {
    /// First item, from 1.
    pub(crate) from: u64,
    /// The number of items.
    pub(crate) count: u32,
}

/// The state of an item.
#[derive(Debug, PartialEq)]
pub(crate) enum Lookup<'a, T = Line> {
    /// It is loaded.
    Loaded(&'a T),
    /// It is being loaded.
    Loading,
    /// It cannot be loaded.
    Failed,
}

impl<T> Clone for Lookup<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Lookup<'_, T> {}

impl<'a, T> Lookup<'a, T> {
    /// The item, if it is loaded.
    pub(crate) fn loaded(self) -> Option<&'a T> {
        match self {
            Self::Loaded(item) => Some(item),
            Self::Loading | Self::Failed => None,
        }
    }
}

impl<T: Clone> PageCache<T> {
    /// An empty cache for a file with this many items.
    pub(crate) fn new(total: u64) -> Self {
        Self { total, ..Self::default() }
    }

    /// The number of items.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Updates the number of items. The last page may have more items than before.
    pub(crate) fn set_total(&mut self, total: u64) {
        if total > self.total {
            for page in &mut self.pages {
                let is_full = page.items.len() as u64 >= u64::from(PAGE);
                if page.state == PageState::Loaded && !is_full {
                    page.state = PageState::Partial;
                }
            }
        }
        self.total = total;
    }

    /// An item by its number.
    pub(crate) fn get(&self, number: u64) -> Lookup<'_, T> {
        let Some(at) = number.checked_sub(1) else { return Lookup::Failed };
        let Some(page) = self.page(at / u64::from(PAGE)) else { return Lookup::Loading };
        let item = usize::try_from(at % u64::from(PAGE)).ok().and_then(|at| page.items.get(at));
        match (item, &page.state) {
            (Some(item), _) => Lookup::Loaded(item),
            (None, PageState::Requested(_) | PageState::Partial) => Lookup::Loading,
            (None, PageState::Loaded | PageState::Failed) => Lookup::Failed,
        }
    }

    /// The list now shows these items.
    pub(crate) fn show_in_list(&mut self, items: RangeInclusive<u64>) {
        self.list = Some(items);
    }

    /// Copies the number of items and the visible ones from another list.
    pub(crate) fn show_as<U>(&mut self, other: &PageCache<U>) {
        self.total = other.total;
        self.list.clone_from(&other.list);
    }

    /// The details now show these items.
    pub(crate) fn show_in_details(&mut self, items: RangeInclusive<u64>) {
        self.context = Some(items);
    }

    /// The next items to request, unless too many requests are open. `request` is the id of the new request.
    pub(crate) fn next_request(&mut self, request: RequestId) -> Option<ItemRange> {
        if self.open_requests() >= MAX_REQUESTS {
            return None;
        }
        let number = self.needed_pages().find(|number| self.lacks(*number))?;
        let first = number * u64::from(PAGE) + 1;
        if let Some(page) = self.pages.iter_mut().find(|page| page.number == number) {
            page.state = PageState::Requested(request);
            let loaded = u32::try_from(page.items.len()).unwrap_or(PAGE);
            return Some(ItemRange { from: first + u64::from(loaded), count: PAGE - loaded.min(PAGE) });
        }
        self.make_room();
        self.pages.push(Page { number, items: Rc::default(), state: PageState::Requested(request) });
        Some(ItemRange { from: first, count: PAGE })
    }

    /// Stores an answer; an answer to no open request is dropped. `total` is the number of items, as far as known.
    pub(crate) fn store(&mut self, request: RequestId, total: u64, items: Vec<T>) {
        if let Some(page) = self.requested(request) {
            let is_last = items.is_empty();
            Rc::make_mut(&mut page.items).extend(items);
            let first = page.number * u64::from(PAGE);
            let loaded = page.items.len() as u64;
            let is_whole = is_last || loaded >= u64::from(PAGE) || first + loaded >= total;
            page.state = if is_whole { PageState::Loaded } else { PageState::Partial };
            // A report counts rows and elements, and their text may have more lines.
            self.total = self.total.max(total);
        }
    }

    /// Stores the first items, which arrive without a request, if none were requested.
    pub(crate) fn store_first(&mut self, items: Vec<T>) {
        if self.page(0).is_none() && !items.is_empty() {
            self.make_room();
            self.pages.push(Page { number: 0, items: Rc::new(items), state: PageState::Partial });
        }
    }

    /// Returns true for a request without an answer.
    pub(crate) fn is_open(&self, request: RequestId) -> bool {
        self.pages.iter().any(|page| page.state == PageState::Requested(request))
    }

    /// Handles a failed request. Returns true if it belongs to this cache.
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

    fn page(&self, number: u64) -> Option<&Page<T>> {
        self.pages.iter().find(|page| page.number == number)
    }

    fn requested(&mut self, request: RequestId) -> Option<&mut Page<T>> {
        self.pages.iter_mut().find(|page| page.state == PageState::Requested(request))
    }

    fn needed_pages(&self) -> impl Iterator<Item = u64> + use<T> {
        let page = |item: u64| (item - 1) / u64::from(PAGE);
        self.needed_items().flat_map(move |items| page(*items.start())..=page(*items.end()))
    }

    /// The visible items that exist.
    fn needed_items(&self) -> impl Iterator<Item = RangeInclusive<u64>> + use<T> {
        let total = self.total;
        let there = move |items: RangeInclusive<u64>| {
            (*items.start()).clamp(1, total)..=(*items.end()).clamp(1, total)
        };
        [self.list.clone(), self.context.clone()].into_iter().flatten().filter(move |_| total > 0).map(there)
    }

    /// Returns true for a needed page that was not requested, or whose last answer was too short.
    fn lacks(&self, number: u64) -> bool {
        let Some(page) = self.page(number) else { return true };
        let first = number * u64::from(PAGE) + 1;
        let missing = first + page.items.len() as u64..first + u64::from(PAGE);
        let is_missing =
            |items: RangeInclusive<u64>| *items.start() < missing.end && missing.start <= *items.end();
        page.state == PageState::Partial && self.needed_items().any(is_missing)
    }

    /// Drops the page that is farthest from all needed pages.
    fn make_room(&mut self) {
        if self.pages.len() < MAX_PAGES {
            return;
        }
        let needed: Vec<u64> = self.needed_pages().collect();
        let distance = |page: &Page<T>| needed.iter().map(|at| at.abs_diff(page.number)).min();
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
    use evalcheck_wire::view::Excerpt;

    use super::*;

    fn line(number: u64) -> Line {
        Line {
            number,
            byte_start: 0,
            bytes: 0,
            excerpt: Excerpt {
                text: number.to_string(),
                start: 0,
                end: 0,
                clipped_before: false,
                clipped_after: false,
            },
            shared: 0,
            severity: None,
            blank: false,
        }
    }

    fn answer(range: ItemRange) -> Vec<Line> {
        (range.from..range.from + u64::from(range.count)).map(line).collect()
    }

    #[test]
    fn a_page_is_requested_once_and_then_found() {
        let mut cache = LineCache::new(1_000);
        assert_eq!(cache.next_request(1), None, "no line is visible");
        cache.show_in_list(10..=50);
        let range = cache.next_request(1).unwrap();
        assert_eq!(range, ItemRange { from: 1, count: 200 });
        assert_eq!(cache.next_request(2), None);
        assert_eq!(cache.get(10), Lookup::Loading);
        cache.store(1, 0, answer(range));
        assert!(matches!(cache.get(10), Lookup::Loaded(line) if line.number == 10));
    }

    #[test]
    fn what_an_answer_left_out_is_requested_when_it_is_shown() {
        let mut cache = LineCache::new(1_000);
        cache.show_in_list(1..=30);
        let range = cache.next_request(1).unwrap();
        cache.store(1, 1_000, answer(ItemRange { count: 60, ..range }));
        assert_eq!(cache.next_request(2), None);
        cache.show_in_list(30..=60);
        assert_eq!(cache.next_request(2), None);
        cache.show_in_list(31..=61);
        assert_eq!(cache.next_request(2), Some(ItemRange { from: 61, count: 140 }));
        assert_eq!(cache.next_request(3), None);
    }

    #[test]
    fn the_last_page_is_requested_whole_because_text_may_have_more_lines_than_records() {
        let mut cache = LineCache::new(450);
        cache.show_in_list(440..=460);
        assert_eq!(cache.next_request(1), Some(ItemRange { from: 401, count: PAGE }));
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
        cache.store(0, 0, Vec::new());
        assert_eq!(cache.next_request(5_000).map(|range| range.from), Some(99_900_001));
    }

    #[test]
    fn the_cache_is_bounded_and_keeps_visible_lines() {
        let mut cache = LineCache::new(1_000_000);
        cache.show_in_details(1..=5);
        for at in 0..100_u32 {
            cache.show_in_list(u64::from(at) * 200 + 1..=u64::from(at) * 200 + 40);
            while let Some(range) = cache.next_request(at) {
                cache.store(at, 0, answer(range));
            }
        }
        assert_eq!(cache.pages.len(), MAX_PAGES);
        assert!(matches!(cache.get(3), Lookup::Loaded(_)), "the context stays");
        assert!(matches!(cache.get(99 * 200 + 1), Lookup::Loaded(_)));
    }

    #[test]
    fn first_items_that_come_unasked_are_shown_and_the_rest_of_their_page_is_requested() {
        let mut cache = LineCache::new(0);
        cache.set_total(300);
        cache.store_first(vec![line(1), line(2)]);
        assert!(matches!(cache.get(2), Lookup::Loaded(line) if line.number == 2));
        assert_eq!(cache.get(3), Lookup::Loading);
        cache.show_in_list(1..=20);
        assert_eq!(cache.next_request(1), Some(ItemRange { from: 3, count: PAGE - 2 }));
        cache.store_first(vec![line(7)]);
        assert!(matches!(cache.get(1), Lookup::Loaded(line) if line.number == 1), "what was requested stays");
    }

    #[test]
    fn the_rest_of_a_page_is_requested_until_there_is_no_more() {
        let mut cache = LineCache::new(1_000);
        cache.show_in_list(1..=20);
        cache.next_request(1);
        cache.store(1, 1_000, vec![line(1), line(2)]);
        assert_eq!(cache.get(3), Lookup::Loading);
        assert_eq!(cache.next_request(2), Some(ItemRange { from: 3, count: 198 }));
        cache.store(2, 1_000, Vec::new());
        assert_eq!(cache.next_request(3), None);
        assert_eq!(cache.get(3), Lookup::Failed);
        assert!(matches!(cache.get(2), Lookup::Loaded(line) if line.number == 2));
    }

    #[test]
    fn an_answer_to_no_request_is_dropped() {
        let mut cache = LineCache::new(10);
        cache.store(7, 10, vec![line(1)]);
        assert_eq!(cache.get(1), Lookup::Loading);
        assert!(!cache.fail(7));
    }

    #[test]
    fn the_last_page_is_requested_again_when_there_are_more_items() {
        let mut cache = LineCache::new(2);
        cache.show_in_list(1..=20);
        cache.next_request(1);
        cache.store(1, 2, vec![line(1), line(2)]);
        assert_eq!(cache.next_request(2), None);
        cache.set_total(500);
        assert_eq!(cache.next_request(3), Some(ItemRange { from: 3, count: 198 }));
        cache.set_total(0);
        assert_eq!(cache.next_request(4), None);
    }

    #[test]
    fn an_empty_file_needs_no_request() {
        let mut cache = LineCache::new(0);
        cache.show_in_list(1..=20);
        assert_eq!(cache.next_request(1), None);
    }
}
