//! Rules of Quest's datasets.

evalcheck_core::rules! {
    /// What a shape cannot say of a Quest dataset.
    Quest {
        FileName { name: String } = "quest/file-name", Error {
            summary: "The file's name does not end in .jsonl.",
            message: "the file name must end in .jsonl, and is {name}",
            hint: "Rename the file.",
            meaning: "Quest finds datasets by their extension: its document says that files must use .jsonl, in lower case. A file with another name is not found.",
            invalid: "a dataset named reviews.json",
            valid: "the same dataset named reviews.jsonl",
        }
        EmptyFirstLine = "quest/empty-first-line", Error {
            summary: "The first line is empty.",
            message: "the first line is empty: Quest takes the whole file for empty",
            hint: "Delete the empty lines before the metadata line.",
            meaning: "Quest reads the metadata from the first line, whatever follows. It ignores empty lines only after that line.",
            invalid: "an empty line before the metadata line",
            valid: "the metadata line as the first line",
        }
        NoMetadataLine { found: &'static str, advice: &'static str } = "quest/no-metadata-line", Error {
            summary: "The file does not begin with a metadata line.",
            message: "the file must begin with the metadata object, and this line is {found}",
            hint: "{advice}",
            meaning: "The first line describes the others: how many samples there are, of which type, and how many are on a line. Without it Quest refuses the file.",
            invalid: r#"[{"id":"a","text":"A text to be labelled."}]"#,
            valid: "{\"total_samples\":1,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[]}\n[{\"id\":\"a\",\"text\":\"A text to be labelled.\"}]",
        }
        SamplesPerLine { found: usize, wanted: u64 } = "quest/samples-per-line", Error {
            summary: "A line has more or fewer samples than the metadata line states.",
            message: "the number of samples on this line is {found}, and the metadata line says \"samples_per_line\": {wanted}",
            hint: "Put exactly {wanted} on each line, or correct samples_per_line.",
            meaning: "Samples on one line are labelled together, and all lines must have the number that the metadata line states. Quest drops a line with another number.",
            invalid: "{\"total_samples\":1,\"sample_type\":\"text\",\"samples_per_line\":2,\"hidden_metadata\":[]}\n[{\"id\":\"a\",\"text\":\"One.\"}]",
            valid: "{\"total_samples\":1,\"sample_type\":\"text\",\"samples_per_line\":2,\"hidden_metadata\":[]}\n[{\"id\":\"a\",\"text\":\"One.\"},{\"id\":\"b\",\"text\":\"Two.\"}]",
        }
        SampleType { found: &'static str, wanted: &'static str } = "quest/sample-type", Error {
            summary: "A sample is not of the type of the dataset.",
            message: "a sample of the type {found} in a dataset of {wanted} samples",
            hint: "Move it to a dataset of its own type; all samples of a dataset have the sample_type of the metadata line.",
            meaning: "Each type is shown to the labeller in its own way, so a dataset contains one type only. Quest drops a line with a sample of another type.",
            invalid: "{\"total_samples\":1,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[]}\n[{\"id\":\"a\",\"prompt\":\"2+2=\",\"completion\":\"4\"}]",
            valid: "{\"total_samples\":1,\"sample_type\":\"text_completion\",\"samples_per_line\":1,\"hidden_metadata\":[]}\n[{\"id\":\"a\",\"prompt\":\"2+2=\",\"completion\":\"4\"}]",
        }
        RepeatedId { id: String, first_line: u64 } = "quest/repeated-id", Error {
            summary: "Two samples have the same id.",
            message: "the id \"{id}\" is already that of a sample on line {first_line}",
            hint: "Give each sample an id that no other one in the file has.",
            meaning: "Results are assigned to samples by their ids, so an id must be unique in the whole dataset.",
            invalid: "{\"total_samples\":2,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[]}\n[{\"id\":\"a\",\"text\":\"One.\"}]\n[{\"id\":\"a\",\"text\":\"Two.\"}]",
            valid: "{\"total_samples\":2,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[]}\n[{\"id\":\"a\",\"text\":\"One.\"}]\n[{\"id\":\"b\",\"text\":\"Two.\"}]",
        }
        TotalSamples { stated: u64, lines: u64, samples: u64 } = "quest/total-samples", Warning {
            summary: "total_samples is neither the number of lines nor the number of samples.",
            message: "total_samples is {stated}, and the file has {lines} lines of samples with {samples} samples on them",
            hint: "Write {samples}, or {lines} if your tools count lines.",
            meaning: "Quest's own tools write the number of lines or the number of samples here. Another number is a sign that the file was cut off, or edited without its metadata line.",
            invalid: "{\"total_samples\":7,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[]}\n[{\"id\":\"a\",\"text\":\"One.\"}]",
            valid: "{\"total_samples\":1,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[]}\n[{\"id\":\"a\",\"text\":\"One.\"}]",
        }
        UnusedHiddenKey { key: String } = "quest/unused-hidden-metadata", Info {
            summary: "A key of hidden_metadata that no sample has.",
            message: "no sample has the metadata key \"{key}\", so there is nothing to hide",
            hint: "Correct the spelling, or take the key out of the list.",
            meaning: "hidden_metadata lists the metadata keys that labellers must not see. A key that no sample has is often misspelled, and the intended key is then shown.",
            invalid: "{\"total_samples\":1,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[\"Model\"]}\n[{\"id\":\"a\",\"metadata\":{\"model\":\"m1\"},\"text\":\"One.\"}]",
            valid: "{\"total_samples\":1,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[\"model\"]}\n[{\"id\":\"a\",\"metadata\":{\"model\":\"m1\"},\"text\":\"One.\"}]",
        }
    }
}
