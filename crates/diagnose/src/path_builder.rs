//! Paths of values in a record.

use evalcheck_core::finding::{Path, Step};

/// A path that a walk through a tree builds. Most paths are never reported, so the keys share one buffer.
#[derive(Debug, Clone, Default)]
pub struct PathBuilder {
    keys: String,
    steps: Vec<BuiltStep>,
    /// Whether it counts from an element of a list, not from a line.
    is_of_element: bool,
}

/// A step of a [`PathBuilder`].
#[derive(Debug, Clone, Copy)]
enum BuiltStep {
    /// The offset in the buffer at which the key begins.
    Key(usize),
    Index(usize),
}

impl From<Vec<Step>> for PathBuilder {
    fn from(steps: Vec<Step>) -> Self {
        let mut path = Self::default();
        for step in steps {
            match step {
                Step::Key(key) => path.key(&key),
                Step::Index(index) => path.index(index),
            }
        }
        path
    }
}

impl PathBuilder {
    /// Enters a member of an object.
    pub fn key(&mut self, key: &str) {
        self.steps.push(BuiltStep::Key(self.keys.len()));
        self.keys.push_str(key);
    }

    /// Enters an element of an array.
    pub fn index(&mut self, index: usize) {
        self.steps.push(BuiltStep::Index(index));
    }

    /// The path of a record that is an element of a list, from which its paths count.
    ///
    /// ```
    /// # use evalcheck_diagnose::PathBuilder;
    /// assert!(PathBuilder::default().is_line());
    /// assert!(!PathBuilder::of_element().is_line());
    /// assert_eq!(PathBuilder::of_element().path(), PathBuilder::default().path());
    /// ```
    pub fn of_element() -> Self {
        Self { is_of_element: true, ..Self::default() }
    }

    /// Whether it is the path of a record that is a line or a row.
    pub fn is_line(&self) -> bool {
        self.steps.is_empty() && !self.is_of_element
    }

    /// Leaves the last member or element.
    pub fn back(&mut self) {
        if let Some(BuiltStep::Key(start)) = self.steps.pop() {
            self.keys.truncate(start);
        }
    }

    /// The path of the current value.
    pub fn path(&self) -> Path {
        let mut end = self.keys.len();
        let mut steps = Vec::with_capacity(self.steps.len());
        for step in self.steps.iter().rev() {
            steps.push(match *step {
                BuiltStep::Key(start) => {
                    let key = &self.keys[start..end];
                    end = start;
                    Step::Key(key.into())
                }
                BuiltStep::Index(index) => Step::Index(index),
            });
        }
        steps.reverse();
        Path(steps)
    }
}
