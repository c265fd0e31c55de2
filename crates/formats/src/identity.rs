//! The id of a record in its dataset, as data. A comparison of two versions of a dataset matches records by it.

/// The ids of a record: the first whose paths all have a value counts, and the values at its paths together are the id.
///
/// A field that all records of a file share, or that a new run of the same evaluation changes, is not part of an id.
pub type Identity = &'static [IdPaths];

/// The paths of the values that together are an id, from the root of a record; `*` is any index. Each has at least one string, number or
/// boolean.
pub type IdPaths = &'static [&'static str];
