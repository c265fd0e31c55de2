//! What tells a record from all others of its dataset, as data. A comparison of two versions of a dataset matches records by it.

/// The ids of a record: the first of these whose paths all have a value counts, and the values at its paths together are the id.
///
/// A field that every record of a file has in common, or that a new run of the same evaluation changes, is no part of an id.
pub type Identity = &'static [IdPaths];

/// The paths of the values that are an id together, from the root of a record; `*` is any index. At each there is at least one string,
/// number or boolean.
pub type IdPaths = &'static [&'static str];
