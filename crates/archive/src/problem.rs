//! Rules about a ZIP as a whole, its directory, and the records of the directory.

use crate::byte_count::ByteCount;

evalcheck_core::rules! {
    /// Problems of the end of a ZIP.
    EndProblem for Archive {
        NotAZip = "zip/not-a-zip", Error {
            summary: "The file is not a ZIP.",
            message: "this is not a ZIP archive: it has no end-of-directory record",
            hint: "Check that the right file was chosen, and pack it again with an ordinary ZIP program if it was.",
            meaning: "A ZIP ends with a record that states where its directory of entries is. Without it no program can list the entries.",
            other_words: ["File is not a zip file", "End of central directory record signature not found"],
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
        Empty = "zip/empty", Error {
            summary: "The ZIP has no entries.",
            message: "the ZIP is empty",
            hint: "Pack the dataset and its attachments into it.",
            meaning: "The archive contains nothing that could be read as a dataset.",
            invalid: "dataset.zip without entries",
            valid: "dataset.zip with a dataset",
        }
        SeveralEnds { count: usize } = "zip/several-ends", Error {
            summary: "The ZIP has several end-of-directory records.",
            message: "the ZIP has {count} end-of-directory records, so programs disagree about what it holds",
            hint: "Pack the files again into one new ZIP.",
            meaning: "Some programs use the first such record, some the last. They see different entries, so the system may read something else than is checked here.",
            invalid: "two ZIPs joined into one file",
            valid: "one ZIP with the entries of both",
        }
        DataAfterEnd { bytes: ByteCount } = "zip/data-after-end", Error {
            summary: "Bytes follow the end of the ZIP.",
            message: "the ZIP ends {bytes} before the end of the file",
            hint: "Pack the files again; a ZIP has to end with its directory.",
            fix: Unsafe,
            meaning: "Many programs look for the directory at the very end of the file and refuse an archive with data after it.",
            invalid: "dataset.zip to which a log line was appended",
            valid: "dataset.zip as the ZIP program wrote it",
        }
        ZerosAfterEnd { bytes: ByteCount } = "zip/zeros-after-end", Warning {
            summary: "Zeros follow the end of the ZIP.",
            message: "{bytes} of zeros follow the end of the ZIP; yauzl and some other readers refuse it",
            hint: "Write the ZIP to a file instead of a pipe, or cut the zeros off.",
            fix: Safe,
            meaning: "bsdtar fills its last block with zeros when it writes to a pipe.",
            invalid: "dataset.zip written by bsdtar to a pipe",
            valid: "dataset.zip written by bsdtar to a file",
        }
        Refused { what: String, readers: &'static str } = "zip/refused-by-readers", Error {
            summary: "Some readers refuse the ZIP or an entry of it.",
            message: "{what}; {readers} refuse it",
            hint: "Pack the files again with an ordinary ZIP program.",
            fix: Safe,
            meaning: "Readers differ in which features of ZIP they know and in what they verify.",
            invalid: "an entry that requires version 9.9 of the ZIP format",
            valid: "the same entry packed with Deflate, which requires version 2.0",
        }
        UnneededEnd64 { at: u64 } = "zip/unneeded-64-bit-end", Warning {
            summary: "The ZIP has a 64-bit end record that it does not need.",
            message: "the ZIP has a 64-bit end record at byte {at} that it does not need; jszip and some other readers refuse it",
            hint: "Pack the files again with an ordinary ZIP program, or with bsdtar and without zip:zip64.",
            fix: Safe,
            meaning: "A 64-bit end record is needed where a number is too large for the ordinary end record. bsdtar writes one on request although the ordinary record has all numbers. Both name the same directory, so whoever reads the ZIP reads the same files.",
            invalid: "dataset.zip written by bsdtar --options zip:zip64",
            valid: "dataset.zip written by bsdtar without this option",
        }
        DirectoryTooLarge { bytes: ByteCount, limit: ByteCount } = "zip/directory-too-large", Error {
            summary: "The directory of the ZIP is larger than evalcheck reads.",
            message: "the directory of the ZIP takes {bytes}; at most {limit} are read",
            hint: "Split the dataset into several ZIPs, or shorten names and comments.",
            meaning: "The directory is the one part of an archive that must be held in memory, so its size is limited.",
            invalid: "a ZIP with a comment of 64 KiB at each of its entries",
            valid: "the same files packed without comments",
        }
    }
}

evalcheck_core::rules! {
    /// Problems of the directory as a whole.
    DirectoryProblem for Archive {
        Damaged { why: String } = "zip/damaged", Error {
            summary: "The directory of the ZIP is damaged.",
            message: "the directory of the ZIP is damaged: {why}",
            hint: "Pack the files again, and copy the new ZIP in binary mode.",
            meaning: "The directory states where each entry is. When it contradicts itself or the file, programs refuse the archive or read something else than was packed.",
            invalid: "dataset.zip with a directory that begins beyond the end of the file",
            valid: "dataset.zip packed again",
        }
        MultiDisk = "zip/multi-disk", Error {
            summary: "The ZIP is one part of a split archive.",
            message: "this is one part of a ZIP that was split over several files",
            hint: "Join the parts, or pack the files again without splitting.",
            meaning: "Entries are in files that are not part of this one, so they cannot be read.",
            invalid: "dataset.z01 and dataset.zip made with a split size",
            valid: "one dataset.zip",
        }
        Ambiguous { what: String } = "zip/ambiguous", Error {
            summary: "The ZIP can be read in two ways.",
            message: "the ZIP can be read in two ways: {what}; its entries were not checked",
            hint: "Pack the files again into one new ZIP.",
            meaning: "When two parts of the archive contradict each other, programs choose differently, and the system may read something else than is checked here.",
            invalid: "a ZIP whose 64-bit end record points to another directory than its 32-bit one",
            valid: "the same files packed again",
        }
        EntryCount { declared: u64, found: u64 } = "zip/entry-count", Error {
            summary: "The stated number of entries is wrong.",
            message: "the ZIP states an entry count of {declared}, but its directory lists {found}; its entries were not checked",
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
    }
}

evalcheck_core::rules! {
    /// Problems of an entry, as the directory describes it.
    EntryProblem for Archive {
        Symlink = "zip/symlink", Error {
            summary: "An entry of the ZIP is a symbolic link.",
            message: "this entry is a symbolic link, not a file",
            hint: "Pack the file that the link points to.",
            meaning: "A link contains a path and no data. Its target is not in the archive.",
            invalid: "attachments/latest.pdf packed as a link",
            valid: "attachments/latest.pdf packed as a file",
        }
        Encrypted { others: String } = "zip/encrypted", Error {
            summary: "An entry of the ZIP is encrypted.",
            message: "this entry is encrypted and cannot be read{others}",
            hint: "Pack the files again without a password.",
            meaning: "The system cannot ask for a password, so it cannot read the entry.",
            other_words: ["is encrypted, password required for extraction", "Encrypted zip are not supported"],
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
        SizeMismatch { declared: ByteCount, found: String } = "zip/size-mismatch", Error {
            summary: "The size of an entry differs from the stated one.",
            message: "the entry holds {found}, but the ZIP states {declared}",
            hint: "Pack the file again.",
            meaning: "Programs reserve memory by the stated size. When it is wrong, they stop or truncate the file.",
            invalid: "an entry of 100 bytes that is listed with 10",
            valid: "the entry packed again",
        }
        NotAFile { what: &'static str, offset: u64 } = "zip/not-a-file", Error {
            summary: "An entry with the name of a file is marked as something else.",
            message: "the ZIP marks this entry at byte {offset} as {what}; some readers leave it out",
            hint: "Pack the file again.",
            meaning: "jszip goes by the attribute of a folder and unzip by that of a disk's label; other readers go by the name.",
            invalid: "attachments/a.pdf with the attribute of a folder",
            valid: "attachments/a.pdf with the attributes of a file",
        }
        NestedArchive = "zip/nested-archive", Warning {
            summary: "The ZIP contains another ZIP.",
            message: "a ZIP inside the ZIP is not opened",
            hint: "Unpack it, pack its files into the outer ZIP, and write their paths in the records that reference them.",
            meaning: "Files in an inner archive are not found, neither by references nor by this check.",
            invalid: "dataset.zip with attachments/documents.zip",
            valid: "dataset.zip with the documents under attachments/",
        }
    }
}
