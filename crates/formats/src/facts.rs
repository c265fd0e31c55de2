//! The facts that an overview counts in the records of a format, as data.

/// A fact that an overview of a dataset counts beside keys and texts.
#[derive(Debug, Clone, Copy)]
pub struct Fact {
    /// Its name, which is unique in the format.
    pub name: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// How values at the paths are counted.
    pub kind: FactKind,
    /// The paths of the values, from the root of a record; `*` is any index. Values at several paths are counted together.
    pub paths: &'static [&'static str],
    /// The path of a single value of the record by which the values are also grouped.
    pub by: Option<&'static str>,
}

/// How the values at a path are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactKind {
    /// The number of elements of arrays.
    Elements,
    /// How often each string, number and boolean occurs.
    Values,
    /// Numbers, in intervals.
    Numbers,
}

impl Fact {
    /// The numbers of elements of the arrays at these paths.
    pub const fn elements(name: &'static str, title: &'static str, paths: &'static [&'static str]) -> Self {
        Self { name, title, kind: FactKind::Elements, paths, by: None }
    }

    /// How often each value at these paths occurs.
    pub const fn values(name: &'static str, title: &'static str, paths: &'static [&'static str]) -> Self {
        Self { name, title, kind: FactKind::Values, paths, by: None }
    }

    /// The numbers at these paths.
    pub const fn numbers(name: &'static str, title: &'static str, paths: &'static [&'static str]) -> Self {
        Self { name, title, kind: FactKind::Numbers, paths, by: None }
    }

    /// Counts also for each value at another path.
    #[must_use]
    pub const fn by(self, path: &'static str) -> Self {
        Self { by: Some(path), ..self }
    }
}
