//! The lines that are held for the line list: a few pages round what is looked at.

use std::ops::RangeInclusive;
use std::rc::Rc;

use evalcheck_wire::view::{Line, Lines};
use evalcheck_wire::worker::RequestId;

/// Lines of a page.
pub(crate) const PAGE: u32 = 200;

/// Pages that are held. A screen needs two, the neighbours of a finding one or two.
const HELD: usize = 12;

/// Questions that may be open at once. A drag of the scroll bar passes hundreds of pages; only those where it rests
/// are worth asking for.
const OPEN: usize = 2;

/// Pages of lines, and which are wanted.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct LineCache {
    /// Lines that there are, as far as is known.
    total: u64,
    pages: Vec<Page>,
    /// What the list shows.
    list: Option<RangeInclusive<u64>>,
    /// What the detail shows.
    neighbours: Option<RangeInclusive<u64>>,
}

/// One page, numbered from 0.
#[derive(Debug, Clone, PartialEq)]
struct Page {
    number: u64,
    state: PageState,
}

#[derive(Debug, Clone, PartialEq)]
enum PageState {
    Asked(RequestId),
    Here(Rc<Vec<Line>>),
    /// The worker could not read it; asking again would say the same.
    Failed,
}

/// Lines to be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// First line, from 1.
    pub(crate) from: u64,
    /// How many.
    pub(crate) count: u32,
}

/// What is known of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Lookup<'a> {
    /// It is here.
    Here(&'a Line),
    /// It was asked for, or will be.
    Coming,
    /// It can't be had.
    Failed,
}

impl LineCache {
    /// A cache for a dataset of so many lines.
    pub(crate) fn new(total: u64) -> Self {
        Self { total, ..Self::default() }
    }

    /// How many lines there are.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// A line by its number.
    pub(crate) fn get(&self, number: u64) -> Lookup<'_> {
        let Some(at) = number.checked_sub(1) else { return Lookup::Failed };
        let Some(page) = self.page(at / u64::from(PAGE)) else { return Lookup::Coming };
        match &page.state {
            PageState::Asked(_) => Lookup::Coming,
            PageState::Failed => Lookup::Failed,
            PageState::Here(lines) => usize::try_from(at % u64::from(PAGE))
                .ok()
                .and_then(|at| lines.get(at))
                .map_or(Lookup::Failed, Lookup::Here),
        }
    }

    /// The list shows these lines now.
    pub(crate) fn show_in_list(&mut self, lines: RangeInclusive<u64>) {
        self.list = Some(lines);
    }

    /// The detail shows these lines now.
    pub(crate) fn show_as_neighbours(&mut self, lines: RangeInclusive<u64>) {
        self.neighbours = Some(lines);
    }

    /// The next page to ask for, while not too many questions are open. `request` is the number that the question
    /// will have.
    pub(crate) fn ask(&mut self, request: RequestId) -> Option<Wanted> {
        if self.open() >= OPEN {
            return None;
        }
        let number = self.wanted_pages().find(|number| self.page(*number).is_none())?;
        self.make_room();
        self.pages.push(Page { number, state: PageState::Asked(request) });
        let from = number * u64::from(PAGE) + 1;
        let count = PAGE;
        Some(Wanted { from, count })
    }

    /// Takes an answer; one that was not asked for is dropped.
    pub(crate) fn take(&mut self, request: RequestId, lines: Lines) {
        let total = lines.total;
        if let Some(page) = self.asked(request) {
            page.state = PageState::Here(Rc::new(lines.lines));
            // A report counts rows and elements; the lines of their text may be more.
            self.total = self.total.max(total);
        }
    }

    /// The question could not be answered. True when it was one for lines.
    pub(crate) fn fail(&mut self, request: RequestId) -> bool {
        self.asked(request).map(|page| page.state = PageState::Failed).is_some()
    }

    /// No question will be answered any more; nothing else is asked for.
    pub(crate) fn fail_all(&mut self) {
        for page in &mut self.pages {
            if matches!(page.state, PageState::Asked(_)) {
                page.state = PageState::Failed;
            }
        }
    }

    /// Questions without an answer yet.
    pub(crate) fn open(&self) -> usize {
        self.pages.iter().filter(|page| matches!(page.state, PageState::Asked(_))).count()
    }

    fn page(&self, number: u64) -> Option<&Page> {
        self.pages.iter().find(|page| page.number == number)
    }

    fn asked(&mut self, request: RequestId) -> Option<&mut Page> {
        self.pages.iter_mut().find(|page| page.state == PageState::Asked(request))
    }

    fn wanted_pages(&self) -> impl Iterator<Item = u64> {
        let total = self.total;
        [self.list.clone(), self.neighbours.clone()]
            .into_iter()
            .flatten()
            .filter(move |_| total > 0)
            .flat_map(move |lines| {
                let page = |line: u64| (line.clamp(1, total) - 1) / u64::from(PAGE);
                page(*lines.start())..=page(*lines.end())
            })
    }

    /// Drops the page that is farthest from everything wanted.
    fn make_room(&mut self) {
        if self.pages.len() < HELD {
            return;
        }
        let wanted: Vec<u64> = self.wanted_pages().collect();
        let distance = |page: &Page| wanted.iter().map(|at| at.abs_diff(page.number)).min();
        let farthest = self
            .pages
            .iter()
            .enumerate()
            .filter(|(_, page)| !matches!(page.state, PageState::Asked(_)))
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

    fn answer(wanted: Wanted) -> Lines {
        let lines = (wanted.from..wanted.from + u64::from(wanted.count)).map(line).collect();
        Lines { total: 0, lines }
    }

    #[test]
    fn a_page_is_asked_for_once_and_then_found() {
        let mut cache = LineCache::new(1_000);
        assert_eq!(cache.ask(1), None, "nothing is looked at");
        cache.show_in_list(10..=50);
        let wanted = cache.ask(1).unwrap();
        assert_eq!(wanted, Wanted { from: 1, count: 200 });
        assert_eq!(cache.ask(2), None);
        assert_eq!(cache.get(10), Lookup::Coming);
        cache.take(1, answer(wanted));
        assert!(matches!(cache.get(10), Lookup::Here(line) if line.number == 10));
    }

    #[test]
    fn the_last_page_is_asked_for_whole_because_text_may_have_more_lines_than_records() {
        let mut cache = LineCache::new(450);
        cache.show_in_list(440..=460);
        assert_eq!(cache.ask(1), Some(Wanted { from: 401, count: PAGE }));
    }

    #[test]
    fn a_drag_over_a_long_list_asks_for_where_it_rests() {
        let mut cache = LineCache::new(100_000_000);
        let mut asked = 0;
        for at in 0..1_000 {
            cache.show_in_list(at * 100_000 + 1..=at * 100_000 + 40);
            asked += usize::from(cache.ask(u32::try_from(at).unwrap()).is_some());
        }
        assert_eq!(asked, OPEN);
        cache.take(0, Lines { total: 0, lines: Vec::new() });
        assert_eq!(cache.ask(5_000).map(|wanted| wanted.from), Some(99_900_001));
    }

    #[test]
    fn what_is_held_does_not_grow_and_keeps_what_is_looked_at() {
        let mut cache = LineCache::new(1_000_000);
        cache.show_as_neighbours(1..=5);
        for at in 0..100_u32 {
            cache.show_in_list(u64::from(at) * 200 + 1..=u64::from(at) * 200 + 40);
            while let Some(wanted) = cache.ask(at) {
                cache.take(at, answer(wanted));
            }
        }
        assert_eq!(cache.pages.len(), HELD);
        assert!(matches!(cache.get(3), Lookup::Here(_)), "the neighbours stay");
        assert!(matches!(cache.get(99 * 200 + 1), Lookup::Here(_)));
    }

    #[test]
    fn an_answer_to_no_question_is_dropped() {
        let mut cache = LineCache::new(10);
        cache.take(7, Lines { total: 10, lines: vec![line(1)] });
        assert_eq!(cache.get(1), Lookup::Coming);
        assert!(!cache.fail(7));
    }

    #[test]
    fn an_empty_dataset_has_nothing_to_ask_for() {
        let mut cache = LineCache::new(0);
        cache.show_in_list(1..=20);
        assert_eq!(cache.ask(1), None);
    }
}
