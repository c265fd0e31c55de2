//! Rules about archives.

use std::fmt;

/// A number of bytes, shown with its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&evalcheck_wire::text::count(self.0, "byte"))
    }
}

evalcheck_core::rules! {
    /// What can be wrong with a ZIP.
    Zip {
        // The archive as a whole

        NotAZip = "zip/not-a-zip", Error {
            summary: "The file is not a ZIP.",
            message: "this is not a ZIP archive: it has no end-of-directory record",
            hint: "Check that the right file was chosen, and pack it again with an ordinary ZIP program if it was.",
            meaning: "A ZIP ends with a record that states where its directory of entries is. Without it no program can list the entries.",
            invalid: "dataset.zip that is a renamed text file",
            valid: "dataset.zip made by a ZIP program",
        }
        Truncated = "zip/truncated", Error {
            summary: "The ZIP is cut off.",
            message: "the ZIP is cut off: it begins as a ZIP and its directory is missing or incomplete",
            hint: "Copy or download the file again, then compare its size with the original's.",
            meaning: "The directory of a ZIP is at its end, so an interrupted copy or download loses the directory and with it every entry.",
            invalid: "the first half of dataset.zip",
            valid: "the whole dataset.zip",
        }
        ReadFailed { why: String } = "zip/read-failed", Error {
            summary: "The ZIP could not be read.",
            message: "the ZIP could not be read: {why}",
            hint: "Check that the file still exists and did not change, and choose it again.",
            meaning: "A read of the file failed, or returned fewer bytes than the file has. The part that was not read has no verdict.",
            invalid: "dataset.zip on a drive that was removed",
            valid: "dataset.zip on a disk that can be read",
        }
        Damaged { why: String } = "zip/damaged", Error {
            summary: "The directory of the ZIP is damaged.",
            message: "the directory of the ZIP is damaged: {why}",
            hint: "Pack the files again, and copy the new ZIP in binary mode.",
            meaning: "The directory states where each entry is. When it contradicts itself or the file, programs refuse the archive or read something else than was packed.",
            invalid: "dataset.zip with a directory that begins beyond the end of the file",
            valid: "dataset.zip packed again",
        }
        Empty = "zip/empty", Error {
            summary: "The ZIP has no entries.",
            message: "the ZIP is empty",
            hint: "Pack samples.jsonl and the folder attachments into it.",
            meaning: "The archive contains nothing that could be read as a dataset.",
            invalid: "dataset.zip without entries",
            valid: "dataset.zip with a dataset",
        }
        MultiDisk = "zip/multi-disk", Error {
            summary: "The ZIP is one part of a split archive.",
            message: "this is one part of a ZIP that was split over several files",
            hint: "Join the parts, or pack the files again without splitting.",
            meaning: "Entries are in files that are not part of this one, so they cannot be read.",
            invalid: "dataset.z01 and dataset.zip made with a split size",
            valid: "one dataset.zip",
        }
        SeveralEnds { count: usize } = "zip/several-ends", Error {
            summary: "The ZIP has several end-of-directory records.",
            message: "the ZIP has {count} end-of-directory records, so programs disagree about what it holds",
            hint: "Pack the files again into one new ZIP.",
            meaning: "Some programs use the first such record, some the last. They see different entries, so the system may read something else than is checked here.",
            invalid: "two ZIPs joined into one file",
            valid: "one ZIP with the entries of both",
        }
        Ambiguous { what: String } = "zip/ambiguous", Error {
            summary: "The ZIP can be read in two ways.",
            message: "the ZIP can be read in two ways: {what}; its entries were not checked",
            hint: "Pack the files again into one new ZIP.",
            meaning: "When two parts of the archive contradict each other, programs choose differently, and the system may read something else than is checked here.",
            invalid: "a ZIP whose 64-bit end record points to another directory than its 32-bit one",
            valid: "the same files packed again",
        }
        DataAfterEnd { bytes: Bytes } = "zip/data-after-end", Error {
            summary: "Bytes follow the end of the ZIP.",
            message: "the ZIP ends {bytes} before the end of the file",
            hint: "Pack the files again; a ZIP has to end with its directory.",
            meaning: "Many programs look for the directory at the very end of the file and refuse an archive with data after it.",
            invalid: "dataset.zip to which a log line was appended",
            valid: "dataset.zip as the ZIP program wrote it",
        }
        DataBeforeStart { bytes: Bytes } = "zip/data-before-start", Warning {
            summary: "Bytes before the first entry of the ZIP.",
            message: "the first entry comes after {bytes} that belong to no entry",
            hint: "Pack the files as a plain ZIP, not as a self-extracting program.",
            meaning: "A self-extracting archive begins with a program. Most readers skip it; some refuse the file.",
            invalid: "a self-extracting dataset.exe renamed to dataset.zip",
            valid: "dataset.zip made as a plain ZIP",
        }
        HiddenData { bytes: Bytes, offset: u64 } = "zip/hidden-data", Warning {
            summary: "Bytes between the entries belong to no entry.",
            message: "the ZIP holds {bytes} at byte {offset} that belong to no entry",
            hint: "Pack the files again; the new ZIP holds only what it lists.",
            meaning: "Such bytes are left over from removed entries, or were added so that some programs read them and others do not.",
            invalid: "a ZIP from which an entry was deleted without packing it again",
            valid: "the same files packed again",
        }
        UnlistedEntry { offset: u64 } = "zip/unlisted-entry", Error {
            summary: "An entry of the ZIP is not in its directory.",
            message: "an entry at byte {offset} of the ZIP is missing in its directory",
            hint: "Pack the files again; the new ZIP lists all that it holds.",
            meaning: "A program that reads the ZIP from its start sees this entry; one that uses the directory does not. The two load different datasets.",
            invalid: "a ZIP with a second dataset between two listed entries",
            valid: "a ZIP that lists all of its entries",
        }
        EntryCount { declared: u64, found: u64 } = "zip/entry-count", Error {
            summary: "The stated number of entries is wrong.",
            message: "the ZIP says that it has {declared} entries, and its directory lists {found}; its entries were not checked",
            hint: "Pack the files again.",
            meaning: "A program that uses the number sees other entries than one that reads the directory to its end.",
            invalid: "a directory of three entries with an end record that says two",
            valid: "the same files packed again",
        }
        TooManyEntries { found: u64, limit: u64 } = "zip/too-many-entries", Error {
            summary: "The ZIP has more entries than evalcheck reads.",
            message: "the ZIP has {found} entries; at most {limit} are checked",
            hint: "Split the dataset into several ZIPs.",
            meaning: "An archive can list millions of entries in little space to exhaust the reader, so the number is limited. No real dataset comes close to it.",
            invalid: "a ZIP of a million empty files",
            valid: "a ZIP with only the files that the records reference",
        }
        DirectoryTooLarge { bytes: Bytes, limit: Bytes } = "zip/directory-too-large", Error {
            summary: "The directory of the ZIP is larger than evalcheck reads.",
            message: "the directory of the ZIP takes {bytes}; at most {limit} are read",
            hint: "Split the dataset into several ZIPs, or shorten names and comments.",
            meaning: "The directory is the one part of an archive that must be held in memory, so its size is limited.",
            invalid: "a ZIP with a comment of 64 KiB at each of its entries",
            valid: "the same files packed without comments",
        }
        NestedArchive = "zip/nested-archive", Warning {
            summary: "The ZIP contains another ZIP.",
            message: "a ZIP inside the ZIP is not opened",
            hint: "Unpack it, and pack its files into the outer ZIP.",
            meaning: "Files in an inner archive are not found, neither by references nor by this check.",
            invalid: "dataset.zip with attachments/documents.zip",
            valid: "dataset.zip with the documents under attachments/",
        }

        // One entry

        Overlap { other: String } = "zip/overlap", Error {
            summary: "Two entries share bytes of the ZIP.",
            message: "this entry shares bytes of the ZIP with \"{other}\" and was not read",
            hint: "Pack the files again.",
            meaning: "No ZIP program writes such an archive. It is a way to make a small file inflate to petabytes.",
            invalid: "a ZIP whose directory lists the same data a thousand times under different names",
            valid: "the same files packed again",
        }
        OutOfFile = "zip/out-of-file", Error {
            summary: "An entry is outside of the ZIP.",
            message: "the directory places this entry where the ZIP holds no entry, so it cannot be read",
            hint: "The ZIP is incomplete or damaged: copy it again, or pack the files again.",
            meaning: "The directory states where each entry is. There is no entry at this place, or its data would overlap the directory.",
            invalid: "a ZIP that lost its middle part",
            valid: "the whole ZIP",
        }
        HeaderMismatch { what: String } = "zip/header-mismatch", Error {
            summary: "The directory and the entry's own header disagree.",
            message: "the directory and the entry's own header disagree about its {what}",
            hint: "Pack the files again.",
            meaning: "A ZIP describes each entry twice. Programs use one description or the other, so they read different things.",
            invalid: "an entry listed as samples.jsonl with a header that says notes.txt",
            valid: "the same files packed again",
        }
        DuplicateName = "zip/duplicate-name", Warning {
            summary: "Two entries of the ZIP have the same name.",
            message: "several entries have this name; the last one is taken",
            hint: "Remove or rename all but one, and pack again.",
            meaning: "A name can identify only one file. Some programs use the first of the entries, some the last.",
            invalid: "a ZIP with two entries named attachments/a.pdf",
            valid: "a ZIP with attachments/a.pdf and attachments/b.pdf",
        }
        NameCollision { other: String, how: &'static str } = "zip/name-collision", Warning {
            summary: "Two names in the ZIP differ only in case or in Unicode form.",
            message: "this name and \"{other}\" differ only in {how}",
            hint: "Rename one of the two.",
            meaning: "On Windows or macOS, unpacking replaces one file by the other; and names that differ only in Unicode form are the same to the system.",
            invalid: "attachments/Report.pdf and attachments/report.pdf",
            valid: "attachments/report-1.pdf and attachments/report-2.pdf",
        }
        NameNotUtf8 = "zip/name-not-utf8", Warning {
            summary: "A name in the ZIP is not UTF-8.",
            message: "the name is not UTF-8 and was read as code page 437",
            hint: "Rename the file with plain letters, or pack with a program that writes UTF-8 names.",
            meaning: "The ZIP does not state the encoding of the name, so a reference that looks the same may not match.",
            invalid: "an entry whose name holds the single byte 0x82 for an e with acute",
            valid: "the same entry with the name in UTF-8",
        }
        NameInvisible { characters: String } = "zip/name-invisible-characters", Warning {
            summary: "A name in the ZIP contains invisible characters.",
            message: "the name holds characters that are not seen: {characters}",
            hint: "Rename the file without them.",
            meaning: "Control characters, zero-width characters and bidirectional controls make two different names look the same, or a name look like another.",
            invalid: "an entry with U+200B between two letters of its name",
            valid: "the same entry without that character",
        }
        UnsafeName { why: &'static str } = "zip/unsafe-name", Error {
            summary: "A name in the ZIP points outside of the archive or is not portable.",
            message: "the name {why}",
            hint: "Rename the file to a path below the root of the ZIP, with \"/\" between folders, and pack again.",
            meaning: "An unpacking program without checks writes such an entry outside of the target folder, or under another name on another system. Readers refuse it.",
            invalid: "an entry named ../../etc/passwd",
            valid: "an entry named attachments/passwd",
        }
        Symlink = "zip/symlink", Error {
            summary: "An entry of the ZIP is a symbolic link.",
            message: "this entry is a symbolic link, not a file",
            hint: "Pack the file that the link points to.",
            meaning: "A link contains a path and no data. Its target is not in the archive.",
            invalid: "attachments/latest.pdf packed as a link",
            valid: "attachments/latest.pdf packed as a file",
        }
        Encrypted = "zip/encrypted", Error {
            summary: "An entry of the ZIP is encrypted.",
            message: "this entry is encrypted and cannot be read",
            hint: "Pack the files again without a password.",
            meaning: "The system cannot ask for a password, so it cannot read the entry.",
            invalid: "dataset.zip packed with a password",
            valid: "dataset.zip packed without one",
        }
        UnsupportedMethod { method: String } = "zip/unsupported-method", Error {
            summary: "An entry is compressed by an unsupported method.",
            message: "this entry is compressed by {method}; only deflate and stored entries can be read",
            hint: "Pack the files again with the method Deflate (the default of most programs).",
            meaning: "ZIP allows many methods, and loaders support two of them: deflate and stored.",
            invalid: "a ZIP made with the method LZMA",
            valid: "the same files packed with Deflate",
        }
        CrcMismatch { declared: u32, found: u32 } = "zip/crc-mismatch", Error {
            summary: "The checksum of an entry does not match.",
            message: "the data is damaged: its CRC-32 is {found:08x}, the ZIP says {declared:08x}",
            hint: "Copy or download the ZIP again, or pack the file again from its original.",
            meaning: "Each entry has a checksum of its contents. When it does not match, the bytes are not the ones that were packed.",
            invalid: "an entry with one changed byte",
            valid: "the entry packed again",
        }
        SizeMismatch { declared: Bytes, found: String } = "zip/size-mismatch", Error {
            summary: "The size of an entry differs from the stated one.",
            message: "the entry holds {found}, the ZIP says {declared}",
            hint: "Pack the file again.",
            meaning: "Programs reserve memory by the stated size. When it is wrong, they stop or truncate the file.",
            invalid: "an entry of 100 bytes that is listed with 10",
            valid: "the entry packed again",
        }
        BrokenData { why: String } = "zip/broken-data", Error {
            summary: "The compressed data of an entry is damaged.",
            message: "the compressed data is damaged: {why}",
            hint: "Copy or download the ZIP again, or pack the file again from its original.",
            meaning: "The data cannot be inflated to its end, so the file is lost or incomplete.",
            invalid: "an entry with truncated compressed data",
            valid: "the entry packed again",
        }
        Bomb { limit: String } = "zip/bomb", Error {
            summary: "Decompression bomb.",
            message: "inflating stopped: {limit}",
            hint: "If the data is honest, split the dataset into several ZIPs or drop the bare .jsonl.",
            meaning: "A few kilobytes can inflate to terabytes and exhaust the reader. The limits count the bytes that were inflated, not the sizes that the ZIP states.",
            invalid: "10 MB of compressed zeros that inflate to 10 GB",
            valid: "a dataset whose compressed size is in proportion to its content",
        }

        // The dataset in it

        NoDataset { found: String } = "zip/no-dataset", Error {
            summary: "The ZIP holds no `.jsonl` at its root.",
            message: "no samples.jsonl in the ZIP; found {found}",
            hint: "Put the dataset at the root of the ZIP as samples.jsonl.",
            meaning: "The system reads its samples from one `.jsonl` at the root of the ZIP (a single top folder is ignored). Without it there is nothing to read.",
            invalid: "dataset.zip with only attachments/a.pdf",
            valid: "dataset.zip with samples.jsonl and attachments/a.pdf",
        }
        DatasetName = "zip/dataset-name", Warning {
            summary: "The dataset in the ZIP is not named samples.jsonl.",
            message: "the dataset should be named samples.jsonl; under this name it still loads",
            hint: "Rename it to samples.jsonl.",
            meaning: "The document asks for samples.jsonl. The loader accepts any one `.jsonl` at the root.",
            invalid: "dataset.zip with data.jsonl",
            valid: "dataset.zip with samples.jsonl",
        }
        SeveralDatasets { taken: String, others: String } = "zip/several-datasets", Warning {
            summary: "The ZIP contains several `.jsonl` at its root.",
            message: "several .jsonl files at the root of the ZIP: \"{taken}\" is taken, {others} ignored",
            hint: "Keep one dataset in the ZIP, named samples.jsonl.",
            meaning: "One dataset is read from an archive. The records in the other files are not loaded.",
            invalid: "dataset.zip with samples.jsonl and more.jsonl",
            valid: "dataset.zip with one samples.jsonl that has the lines of both",
        }
    }
}
