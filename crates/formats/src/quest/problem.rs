//! Problems of Quest's datasets beyond the schema of their lines.

use evalcheck_core::finding::Location;
use evalcheck_core::rule::Cause;

evalcheck_core::rules! {
    /// Problems of the metadata line, and of samples beyond their schema.
    QuestProblem {
        FileName { name: String } = "quest/file-name", Error {
            summary: "The file's name does not end in .jsonl.",
            message: "the file name must end in .jsonl, but it is {name}",
            hint: "Rename the file.",
            meaning: "Quest finds datasets by their extension: its document says that files must use .jsonl, in lower case. A file with another name is not found.",
            invalid: "a dataset named reviews.json",
            valid: "the same dataset named reviews.jsonl",
        }
        EmptyFirstLine = "quest/empty-first-line", Error {
            summary: "The first line is empty.",
            message: "the first line is empty: Quest treats the whole file as empty",
            hint: "Delete the empty lines before the metadata line.",
            fix: Safe,
            meaning: "Quest reads the metadata from the first line, whatever follows. It ignores empty lines only after that line.",
            invalid: "an empty line before the metadata line",
            valid: "the metadata line as the first line",
        }
        NoMetadataLine { found: &'static str, advice: String } = "quest/no-metadata-line", Error {
            summary: "The file does not begin with a metadata line.",
            message: "the file must begin with the metadata object, but this line is {found}",
            hint: "{advice}",
            fix: Either,
            meaning: "The first line describes the others: how many samples there are, of which type, and how many are on a line. Without it Quest refuses the file.",
            invalid: r#"[{"type":"text","id":"a","text":"A text to be labelled."}]"#,
            valid: "{\"total_samples\":1,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[]}\n[{\"type\":\"text\",\"id\":\"a\",\"text\":\"A text to be labelled.\"}]",
        }
        SamplesPerLine { found: usize, wanted: u64, advice: String, stated: Option<Location> } = "quest/samples-per-line", Error {
            summary: "A line has more or fewer samples than the metadata line states.",
            message: "the number of samples on this line is {found}, but the metadata line says \"samples_per_line\": {wanted}",
            hint: "{advice}",
            related: "stated here" => stated.clone(),
            cause: Cause::EveryRecord(found.to_string()),
            loss: Line,
            meaning: "Samples on one line are labelled together, and all lines must have the number that the metadata line states. Quest drops a line with another number.",
            invalid: "{\"total_samples\":1,\"sample_type\":\"text\",\"samples_per_line\":2,\"hidden_metadata\":[]}\n[{\"type\":\"text\",\"id\":\"a\",\"text\":\"One.\"}]",
            valid: "{\"total_samples\":1,\"sample_type\":\"text\",\"samples_per_line\":2,\"hidden_metadata\":[]}\n[{\"type\":\"text\",\"id\":\"a\",\"text\":\"One.\"},{\"type\":\"text\",\"id\":\"b\",\"text\":\"Two.\"}]",
        }
        SampleType { found: &'static str, wanted: &'static str, stated: Option<Location> } = "quest/sample-type", Error {
            summary: "A sample is not of the type of the dataset.",
            message: "a sample of the type {found} in a dataset of {wanted} samples",
            hint: "If every sample is of this type, write \"sample_type\":\"{found}\" in the metadata line; otherwise move this one to a dataset of its own type.",
            related: "stated here" => stated.clone(),
            cause: Cause::EveryRecord((*found).to_owned()),
            loss: Line,
            meaning: "Each type is shown to the labeller in its own way, so a dataset contains one type only. Quest drops a line with a sample of another type.",
            invalid: "{\"total_samples\":1,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[]}\n[{\"type\":\"text_completion\",\"id\":\"a\",\"prompt\":\"2+2=\",\"completion\":\"4\"}]",
            valid: "{\"total_samples\":1,\"sample_type\":\"text_completion\",\"samples_per_line\":1,\"hidden_metadata\":[]}\n[{\"type\":\"text_completion\",\"id\":\"a\",\"prompt\":\"2+2=\",\"completion\":\"4\"}]",
        }
        SecondMetadataLine { advice: &'static str } = "quest/second-metadata-line", Error {
            summary: "A metadata line in the middle of the file.",
            message: "this is a metadata line, where samples are expected: two datasets were joined",
            hint: "{advice}",
            fix: Unsafe,
            loss: Line,
            meaning: "Only the first line of a file is its metadata. Quest drops a later one like any line that is not an array of samples, and reads what follows it by the first.",
            invalid: "{\"total_samples\":1,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[]}\n[{\"type\":\"text\",\"id\":\"a\",\"text\":\"One.\"}]\n{\"total_samples\":1,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[]}\n[{\"type\":\"text\",\"id\":\"b\",\"text\":\"Two.\"}]",
            valid: "{\"total_samples\":2,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[]}\n[{\"type\":\"text\",\"id\":\"a\",\"text\":\"One.\"}]\n[{\"type\":\"text\",\"id\":\"b\",\"text\":\"Two.\"}]",
        }
        RepeatedId { id: String, first_line: u64 } = "quest/repeated-id", Error {
            summary: "Two samples have the same id.",
            message: "id \"{id}\" is already used by the sample on line {first_line}",
            hint: "Give each sample an id that is unique in the file.",
            related: "first used here" => Location::line(*first_line),
            fix: Unsafe,
            meaning: "Results are assigned to samples by their ids, so an id must be unique in the whole dataset.",
            invalid: "{\"total_samples\":2,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[]}\n[{\"type\":\"text\",\"id\":\"a\",\"text\":\"One.\"}]\n[{\"type\":\"text\",\"id\":\"a\",\"text\":\"Two.\"}]",
            valid: "{\"total_samples\":2,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[]}\n[{\"type\":\"text\",\"id\":\"a\",\"text\":\"One.\"}]\n[{\"type\":\"text\",\"id\":\"a-3\",\"text\":\"Two.\"}]",
        }
        TotalSamples { stated: u64, counted: String, advice: String } = "quest/total-samples", Warning {
            summary: "total_samples is neither the number of lines nor the number of samples.",
            message: "the metadata line states {stated}, but the file has {counted}",
            hint: "{advice}",
            fix: Unsafe,
            meaning: "Quest's own tools write the number of lines or the number of samples here. Another number is a sign that the file was cut off, or edited without its metadata line.",
            invalid: "{\"total_samples\":7,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[]}\n[{\"type\":\"text\",\"id\":\"a\",\"text\":\"One.\"}]",
            valid: "{\"total_samples\":1,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[]}\n[{\"type\":\"text\",\"id\":\"a\",\"text\":\"One.\"}]",
        }
        UnusedHiddenKey { key: String, advice: String } = "quest/unused-hidden-metadata", Info {
            summary: "A key of hidden_metadata that no sample has.",
            message: "no sample has the metadata key \"{key}\", so there is nothing to hide",
            hint: "{advice}",
            meaning: "hidden_metadata lists the metadata keys that labellers must not see. A key that no sample has is often misspelled, and the intended key is then shown.",
            invalid: "{\"total_samples\":1,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[\"Model\"]}\n[{\"type\":\"text\",\"id\":\"a\",\"metadata\":{\"model\":\"m1\"},\"text\":\"One.\"}]",
            valid: "{\"total_samples\":1,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[\"model\"]}\n[{\"type\":\"text\",\"id\":\"a\",\"metadata\":{\"model\":\"m1\"},\"text\":\"One.\"}]",
        }
    }
}
