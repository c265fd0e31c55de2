//! Counts the paths of a run of records, which was counted by itself, as if its records were read.

use super::{MOST_KEYS, MOST_PATHS, NONE, Node, NodeId, ROOT, Tree};

/// The nodes at which the values of a run are counted, by the nodes of the run; [`NONE`] for paths without room.
#[derive(Debug)]
pub(crate) struct Places(Vec<NodeId>);

impl Tree {
    /// The nodes at which the values of a run are counted. `None` if the records have to be read: keys or paths without room would
    /// be counted together, and a run does not tell how.
    pub(in crate::overview) fn places(&self, run: &Self) -> Option<Places> {
        if run.is_cut || !self.observed.can_add_run(&run.observed) {
            return None;
        }
        let mut places = Places(vec![ROOT]);
        let none = Node::default();
        let mut nodes = self.nodes.len();
        // Keys that are added, by the node of the run.
        let mut keys = vec![0; run.nodes.len()];
        for (node, (parent, is_any)) in run.nodes.iter().zip(run.parents()).skip(1) {
            let into = places.0[parent];
            let known = self.nodes.get(into as usize);
            let place = match known.map(|known| if is_any { known.any } else { self.key(known, &node.key) }) {
                _ if into == NONE => NONE,
                Some(Some(place)) => place,
                _ if !is_any && known.map_or(0, |known| known.children.len()) + keys[parent] == MOST_KEYS => {
                    return None;
                }
                _ if nodes > MOST_PATHS => NONE,
                _ => {
                    nodes += 1;
                    keys[parent] += usize::from(!is_any);
                    NodeId::try_from(nodes - 1).unwrap_or(NONE)
                }
            };
            let has_place = place != NONE;
            let own = self.nodes.get(place as usize).unwrap_or(&none);
            if has_place && !own.can_add_run(node) || !has_place && node.is_observed {
                return None;
            }
            places.0.push(place);
        }
        Some(places)
    }

    /// Counts the values of the run that follows.
    pub(in crate::overview) fn add_run(&mut self, run: &Self, places: &Places) {
        self.record += run.record;
        self.observed.add_run(&run.observed);
        for ((node, (parent, is_any)), &place) in run.nodes.iter().zip(run.parents()).zip(&places.0) {
            if place == NONE {
                self.others += node.types.total();
                continue;
            }
            if place as usize == self.nodes.len() {
                let parent = &mut self.nodes[places.0[parent] as usize];
                if is_any {
                    parent.any = Some(place);
                } else {
                    parent.children.push(place);
                }
                let (key, path, is_observed) = (node.key.clone(), node.path.clone(), node.is_observed);
                self.nodes.push(Node { key, path, is_observed, ..Node::default() });
            }
            self.nodes[place as usize].add_run(node);
        }
    }

    /// The child of a node that has this key.
    fn key(&self, node: &Node, key: &[u8]) -> Option<NodeId> {
        node.children.iter().copied().find(|child| *self.nodes[*child as usize].key == *key)
    }

    /// For each node, its parent, and whether it is the node of elements. The parent of the root is not used.
    fn parents(&self) -> Vec<(usize, bool)> {
        let mut parents = vec![(0, false); self.nodes.len()];
        for (parent, node) in self.nodes.iter().enumerate() {
            for child in &node.children {
                parents[*child as usize] = (parent, false);
            }
            if let Some(any) = node.any {
                parents[any as usize] = (parent, true);
            }
        }
        parents
    }
}

impl Node {
    /// Whether [`Node::add_run`] is exact.
    fn can_add_run(&self, run: &Self) -> bool {
        let mut numbers = [&self.numbers, &run.numbers].into_iter().flatten();
        numbers.all(|numbers| numbers.add_up())
    }

    fn add_run(&mut self, run: &Self) {
        self.records += run.records;
        let (mine, others) = (&mut self.types, &run.types);
        mine.string += others.string;
        mine.number += others.number;
        mine.boolean += others.boolean;
        mine.null += others.null;
        mine.array += others.array;
        mine.object += others.object;
        if let Some(texts) = &run.texts {
            self.texts.get_or_insert_default().merge(texts);
        }
        for (mine, others) in [(&mut self.elements, &run.elements), (&mut self.numbers, &run.numbers)] {
            if let Some(others) = others {
                mine.get_or_insert_default().merge(others);
            }
        }
        self.values.merge(&run.values, |_, _| {});
    }
}
