//! Rows of a CSV.

use evalcheck_wire::user_schema::RecordText;

use super::{schema, told_of};

#[test]
fn a_cell_is_a_value_of_the_type_that_the_schema_expects() {
    let schema = schema(
        r##"{"required": ["n"], "properties": {
            "n": {"type": "integer"}, "b": {"type": ["boolean", "null"]}, "l": {"type": "array", "items": {"type": "integer"}},
            "s": {"type": "string"}, "either": {"type": ["string", "number"]}, "e": {"enum": [1, 2]}, "r": {"$ref": "#/$defs/r"},
            "a": {"anyOf": [{"type": "number"}, {"type": "null"}]}},
            "additionalProperties": {"type": "number"}, "$defs": {"r": {"type": "number"}}}"##,
    );
    let row = |row: &str| told_of(&schema, row, RecordText::Row);
    let valid = r#"{"n": "3", "b": "TRUE", "l": "[1, 2]", "s": "1", "either": "1", "e": "1", "r": "1e3", "a": "", "other": "-1.5"}"#;
    assert_eq!(row(valid), [""; 0]);
    assert_eq!(row(r#"{"n": "1", "b": "", "s": "", "either": ""}"#), [""; 0]);
    assert_eq!(row(r#"{"n": ""}"#), ["$.n! Required Required </required>"]);
    assert_eq!(
        row(r#"{"n": "1", "e": "3"}"#),
        ["$.e Enum Invalid enum value. Expected 1 | 2, received 3 </properties/e/enum>"]
    );
    assert_eq!(
        row(r#"{"n": "1", "l": "[1, \"a\"]"}"#),
        ["$.l[1] Type Expected integer, received string </properties/l/items/type>"]
    );
    // What cannot be read as such a value is a string.
    for cell in [
        r#""n": "3 items""#,
        r#""n": "07""#,
        r#""n": "+3""#,
        r#""n": " 3""#,
        r#""n": "1", "b": "yes""#,
        r#""n": "1", "l": "1,2""#,
    ] {
        let told = row(&format!("{{{cell}}}"));
        assert!(
            told.len() == 1 && told[0].ends_with("/type>") && told[0].contains("received string"),
            "{cell}: {told:?}"
        );
    }
}
