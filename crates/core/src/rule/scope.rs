//! The formats to which a rule applies.

/// The feature that a format must have so that a rule can apply to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Only formats that list the rule as their own.
    Listed,
    /// Every format.
    Everywhere,
    /// Files that are checked without a format.
    NoFormat,
    /// Files of any format that are held against a schema of the user's own.
    UserSchema,
    /// JSON in any layout.
    Json,
    /// A record of JSON on each line.
    JsonLines,
    /// A record on each line that is an object.
    ObjectLines,
    /// One JSON document.
    Document,
    /// CSV.
    Csv,
    /// CSV in which a format knows columns.
    KnownColumns,
    /// The same, where a column must be present.
    RequiredColumns,
    /// The same, where the cells of a column must not be blank.
    FilledColumns,
    /// CSV that has to be separated by commas.
    Commas,
    /// CSV whose first row may give every row a label.
    RowLabels,
    /// CSV in which a row of white space is a row.
    WhiteSpaceRows,
    /// CSV in which a blank first line is the header.
    BlankHeaders,
    /// CSV in which all rows end as the header does.
    OneLineEnd,
    /// ZIP archives.
    Archive,
    /// A byte order mark that the system skips.
    SkippedMark,
    /// A byte order mark whose treatment the system does not document.
    UndocumentedMark,
    /// A byte order mark that the system refuses.
    RefusedMark,
    /// Lines that also end at a carriage return.
    CarriageReturns,
    /// Lines that may also end at a line separator of Unicode.
    LineSeparators,
    /// Numbers that may be read as 64-bit floating point.
    InexactIntegers,
    /// Storage that cannot hold U+0000.
    NoNul,
    /// JSON in which the last of two equal keys counts.
    RepeatedKeys,
    /// JSON in which two equal keys are an error.
    UniqueKeys,
    /// Lines, where blank lines are doubtful.
    DoubtfulBlankLines,
    /// A minimum number of records.
    LeastRecords,
    /// A maximum size of a file, above which there is another way.
    FileSize,
    /// A maximum size of a file, above which there is no other way.
    RefusedSize,
    /// A default limit of records.
    UsualLimit,
    /// A limit of records that is never raised.
    Limit,
    /// Strings of a given set.
    Values,
    /// Keys that depend on the value of another.
    Conditions,
    /// Objects of several kinds, distinguished by one key.
    Variants,
    /// Objects that need a key.
    RequiredKeys,
    /// Objects whose unknown keys are ignored.
    IgnoredKeys,
    /// Objects whose unknown keys are an error.
    DeniedKeys,
    /// Arrays that are suspicious when they are empty.
    SuspiciousArrays,
    /// Arrays that must not be empty.
    FilledArrays,
    /// Arrays with a maximum number of elements.
    BoundedArrays,
    /// Numbers with a minimum.
    Minimum,
    /// Numbers with a maximum.
    Maximum,
    /// Strings that must not be blank.
    FilledStrings,
    /// Strings that hold JSON.
    JsonStrings,
    /// Strings that name something.
    Names,
}
