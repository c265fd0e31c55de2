//! Rules about archives.

rules! {
    /// What can be wrong with a ZIP.
    Zip {
        NoDataset { found: String } = "zip/no-dataset", Error {
            summary: "The ZIP holds no `.jsonl` at its root.",
            message: "no samples.jsonl in the ZIP; found {found}",
            hint: "Put the dataset at the root of the ZIP as samples.jsonl.",
            meaning: "The system reads its samples from one `.jsonl` at the root of the ZIP (a single top folder is ignored). Without it there is nothing to read.",
            failing: "dataset.zip holding only attachments/a.pdf",
            mended: "dataset.zip holding samples.jsonl and attachments/a.pdf",
        }
    }
}
