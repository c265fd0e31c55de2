//! What an overview counts of the records of a format, as data.

/// What an overview of a dataset counts beside keys and texts.
#[derive(Debug, Clone, Copy)]
pub struct Fact {
    /// Its name, which is unique in the format.
    pub name: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What is counted at the paths.
    pub kind: FactKind,
    /// Where the values are, from the root of a record; `*` is any index. What is at several paths is counted together.
    pub paths: &'static [&'static str],
    /// The path of the one value of a record by which the values are counted too.
    pub by: Option<&'static str>,
}

/// What is counted of the values at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactKind {
    /// Of arrays the number of their elements.
    Elements,
    /// Of strings, numbers and booleans how often each occurs.
    Values,
    /// Numbers, in steps.
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

    /// The same, for each value at another path too.
    #[must_use]
    pub const fn by(self, path: &'static str) -> Self {
        Self { by: Some(path), ..self }
    }
}
