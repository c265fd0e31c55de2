//! A table in one object, as pandas writes a data frame: by columns (the default), or by rows with `orient='index'`.

use evalcheck_report::Applicability::Unsafe;

use super::compare::fits;
use super::repair::{Repair, Repairer};
use super::schema_problem::SchemaProblem;
use super::value::{Kind, Member, Value};
use evalcheck_json::schema::{Object, Schema};

/// A table with the records of a file.
pub(super) enum Table<'v, 'a> {
    /// Each record is under its row number.
    Rows(&'v [Member<'a>]),
    /// Each key of a record holds the values of all records under their row numbers.
    Columns(&'v [Member<'a>], usize),
}

impl<'v, 'a> Table<'v, 'a> {
    /// The value as a table, if it is not a record of this schema.
    pub(super) fn of(value: &'v Value<'a>, schema: &'static Schema) -> Option<Self> {
        let Kind::Object(members) = &value.kind else { return None };
        let is_record = |member: &Member<'_>| fits(&member.value, schema);
        let table = if is_index(members) {
            members.iter().any(is_record).then_some(Self::Rows(members))
        } else {
            let rows = cells(members.first()?)?.len();
            let is_column = |member: &Member<'_>| {
                cells(member).is_some_and(|cells| cells.len() == rows && is_index(cells))
            };
            let names_a_field = |member: &Member<'_>| {
                let mut sets = schema.object.iter().flat_map(Object::sets);
                sets.any(|fields| fields.position(member.key.as_bytes()).is_some())
            };
            // The elements of one list, under their numbers.
            let is_list = |member: &Member<'_>| {
                let mut sets = schema.object.iter().flat_map(Object::sets);
                let field =
                    sets.find_map(|fields| fields.fields.get(fields.position(member.key.as_bytes())?));
                let array = field.and_then(|field| Some((field.schema, field.schema.array.as_ref()?)));
                let is_item = |cell: &Member<'_>| {
                    array.is_some_and(|(schema, array)| {
                        !schema.types().contains(cell.value.types()) && fits(&cell.value, array.items)
                    })
                };
                array.is_some() && cells(member).is_some_and(|cells| cells.iter().all(is_item))
            };
            let is_table = members.iter().all(is_column)
                && members.iter().any(names_a_field)
                && !members.iter().any(is_list);
            is_table.then_some(Self::Columns(members, rows))
        };
        table.filter(|_| !fits(value, schema))
    }

    pub(super) fn problem(&self) -> SchemaProblem {
        let (count, arrangement) = match self {
            Self::Rows(rows) => (rows.len(), "each under its row number"),
            Self::Columns(_, count) => (*count, "by columns, with each value under its row number"),
        };
        SchemaProblem::RecordsInOneObject { count, arrangement }
    }

    /// Puts each record on its own line.
    pub(super) fn repair(&self, value: &Value<'_>, repairer: Repairer<'_>) -> Repair {
        repairer.repair(Some(Unsafe), &String::new, &|fix| {
            let fix = fix.titled("Put each record on its own line, which loses the row numbers");
            let written = |value: &Value<'_>| repairer.text(&value.span).unwrap_or_default();
            let records: Vec<String> = match self {
                Self::Rows(rows) => rows.iter().map(|row| written(&row.value).to_owned()).collect(),
                Self::Columns(columns, count) => (0..*count)
                    .map(|row| {
                        let member = |column: &Member<'_>| {
                            let cell = &cells(column)?[row];
                            let key = repairer.text(&column.key_span)?;
                            Some(format!("{key}: {}", written(&cell.value)))
                        };
                        let members: Vec<String> = columns.iter().filter_map(member).collect();
                        format!("{{{}}}", members.join(", "))
                    })
                    .collect(),
            };
            fix.replace(value.span.clone(), records.join("\n"))
        })
    }
}

/// The members of the value of a member.
fn cells<'v, 'a>(column: &'v Member<'a>) -> Option<&'v [Member<'a>]> {
    if let Kind::Object(cells) = &column.value.kind { Some(cells) } else { None }
}

/// Whether there are at least two members, whose keys count from 0.
fn is_index(members: &[Member<'_>]) -> bool {
    members.len() > 1 && members.iter().enumerate().all(|(index, member)| *member.key == *index.to_string())
}
