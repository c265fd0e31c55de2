//! Files of a schema of the user's own. They are read here and posted as text: they are small, and the worker needs them before a dataset.

use evalcheck_wire::user_schema::MOST_BYTES;
use evalcheck_wire::user_schema::SchemaFile;
use evalcheck_wire::user_schema::detect::{is_schema, may_be_schema, put_main_first};
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

use crate::display::format_number::{bytes, whole};
use crate::state::{Action, SchemaAction};

/// The number of dropped files up to which all that may be schemas are read. Of more, their names decide.
const MOST_READ: usize = 100;

/// Whether a file may be a schema, so that it has to be read.
pub(super) fn may_be(file: &File) -> bool {
    may_be_schema(&file.name(), whole(file.size()))
}

/// Reads a file; `None` if it is no schema.
pub(super) async fn read_if_schema(file: &File) -> Option<SchemaFile> {
    let read = read(file).await?;
    is_schema(&read.name, &read.text).then_some(read)
}

/// Takes the files of a schema out of others with their paths. Those in folders are files like any other.
pub(super) async fn take_schema(files: Vec<(String, File)>) -> (Vec<(String, File)>, Vec<SchemaFile>) {
    let is_candidate = |(path, file): &(String, File)| !path.contains('/') && may_be(file);
    let reads_all = files.iter().filter(|file| is_candidate(file)).count() <= MOST_READ;
    let (mut others, mut schema) = (Vec::with_capacity(files.len()), Vec::new());
    for (path, file) in files {
        let is_named = reads_all || path.to_ascii_lowercase().ends_with(".schema.json");
        let is_read = is_named && !path.contains('/') && may_be(&file);
        match if is_read { read_if_schema(&file).await } else { None } {
            Some(of_schema) => schema.push(of_schema),
            None => others.push((path, file)),
        }
    }
    put_main_first(&mut schema);
    (others, schema)
}

/// Reads the files that the user has chosen as a schema, whatever they contain.
pub(super) async fn read_chosen(files: Vec<File>) -> Action {
    let mut schema = Vec::new();
    for file in files {
        let size = whole(file.size());
        if size > MOST_BYTES {
            let (size, most) = (bytes(size), bytes(MOST_BYTES));
            return Action::OpenFailed(
                format!("{} has {size}. A schema may have {most}.", file.name()).into(),
            );
        }
        let Some(file) = read(&file).await else {
            return Action::OpenFailed(format!("The browser could not read {}.", file.name()).into());
        };
        schema.push(file);
    }
    put_main_first(&mut schema);
    SchemaAction::Use(schema).into()
}

async fn read(file: &File) -> Option<SchemaFile> {
    let text = JsFuture::from(file.text()).await.ok()?.as_string()?;
    Some(SchemaFile { name: file.name(), text })
}
