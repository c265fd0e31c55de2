//! Problems of files that Hugging Face datasets loads.

use evalcheck_core::finding::Location;

evalcheck_core::rules! {
    /// Problems of the types of JSON values.
    TypeProblem {
        ChangedType { path: String, found: &'static str, before: &'static str, other: Location, who: &'static str } = "hf-datasets/changed-type", Error {
            summary: "A value of another type than the values before it, which the reader refuses.",
            message: "\"{path}\" is {found} here, and {before} before: {who}",
            hint: "Write one type in all records. Only datasets 4.7 and newer hold values of several types, in JSONL and in arrays at the start of a file.",
            related: "the other type" => other.clone(),
            meaning: "A column has one type. Versions up to 4.6 stop at the first value of another type with `JSON parse error: Column(...) changed from string to array in row N`, where N is no line. From 4.7 on, such a column holds each value as JSON, but not of an array after white space, which pandas reads.",
            other_words: ["ArrowInvalid: JSON parse error: Column(/a) changed from string to array in row 1"],
            invalid: "a text as the answer of a later record, for version 4.6",
            valid: "the same file with numbers only",
        }
        BlankLine { path: String, found: &'static str, before: &'static str, other: Location } = "hf-datasets/blank-line-and-mixed-types", Error {
            summary: "Blank lines in a file with values of several types.",
            message: "\"{path}\" is {found} here, and {before} before; the file also has blank lines, which make such a file fail with \"Expected object or value\"",
            hint: "Delete the blank lines (grep -v '^[[:space:]]*$' FILE > NEW), or write one type in all records.",
            related: "the other type" => other.clone(),
            meaning: "From datasets 4.7 on, a column of several types is read again line by line, and a blank line is no JSON. Without values of several types, blank lines are skipped.",
            other_words: ["ValueError: Expected object or value"],
            invalid: "{\"question\":\"1 + 1?\",\"answer\":2}\n\n{\"question\":\"2 + 2?\",\"answer\":\"four\"}",
            valid: "{\"question\":\"1 + 1?\",\"answer\":2}\n{\"question\":\"2 + 2?\",\"answer\":\"four\"}",
        }
        MergedKeys { path: String } = "hf-datasets/merged-keys", Warning {
            summary: "Objects with different keys, which all get the keys of the others.",
            message: "objects at \"{path}\" have different keys: each gets the keys of all others, with null",
            hint: "Write the same keys in all objects. datasets 4.7 and newer keep the objects of a JSONL file without blank lines as they are.",
            meaning: "Objects at one path become one type, which has all keys. Versions up to 4.6 do so always, later ones only in a file with a blank line and in an array after white space; otherwise they hold such objects as JSON. A key that is absent then cannot be told from one that is null.",
            invalid: "{\"id\":1,\"meta\":{\"source\":\"a\"}}\n\n{\"id\":2,\"meta\":{\"topic\":\"b\"}}",
            valid: "{\"id\":1,\"meta\":{\"source\":\"a\"}}\n{\"id\":2,\"meta\":{\"topic\":\"b\"}}",
        }
        ParsedText { path: String, texts: String, text: String, becomes: String } = "hf-datasets/parsed-text", Warning {
            summary: "Texts that are parsed as JSON, because their column has values of several types.",
            message: "texts at \"{path}\" are parsed as JSON ({texts}), because the column also has values of another type: the text {text} becomes {becomes}",
            hint: "Write every value at this path with one type: all texts, all numbers, or (for chat content) all lists of parts.",
            loss: Value,
            meaning: "From datasets 4.7 on, a column with values of several types holds each value as JSON, and a text that is JSON by itself is parsed on the way: \"42\" becomes the number 42, \"007\" becomes 7, \"true\" a boolean, \"null\" nothing, \"-\" becomes 0.",
            invalid: "{\"answer\":\"42\"}\n{\"answer\":[\"a\",\"b\"]}",
            valid: "{\"answer\":[\"42\"]}\n{\"answer\":[\"a\",\"b\"]}",
        }
        Dates { path: String, texts: String, text: String, becomes: String } = "hf-datasets/dates", Warning {
            summary: "Texts that become times, because all texts of their column are dates.",
            message: "all texts at \"{path}\" are dates, so they become times ({texts}): the text {text} becomes {becomes}",
            hint: "If texts are needed, write the dates in another form, such as July 20, 1969. features= does not bring the texts back.",
            loss: Value,
            meaning: "Where every text of a column is a date, or a date and a time to the second, the column becomes timestamp[s], and a program that expects texts gets datetimes. One other text keeps all of them texts, so that the type can change with the last record.",
            invalid: "{\"question\":\"When?\",\"answer\":\"1969-07-20\"}",
            valid: "{\"question\":\"When?\",\"answer\":\"July 20, 1969\"}",
        }
        DateOutOfRange { path: String } = "hf-datasets/date-out-of-range", Error {
            summary: "A date of a year that Python does not have.",
            message: "the date at \"{path}\" is not in the years 1 to 9999 (in UTC): the file loads, and the row cannot be read",
            hint: "Write a date in the years 1 to 9999, null, or a text in another form.",
            meaning: "Where every text of a column is a date, the column becomes timestamp[s]. Reading a row converts the time to a datetime of Python, which has the years 1 to 9999.",
            other_words: ["OverflowError: date value out of range"],
            invalid: "{\"question\":\"When?\",\"answer\":\"0000-01-01\"}",
            valid: "{\"question\":\"When?\",\"answer\":\"2 BC\"}",
        }
        CutDigits { numbers: String, cause: String } = "hf-datasets/cut-digits", Warning {
            summary: "Numbers that lose digits, because the records are written again.",
            message: "numbers lose digits ({numbers}), because {cause}: ten digits after the point are kept, and ten in all of a number above 1e16",
            hint: "Write the numbers as texts, or the file as JSONL with one type at each path.",
            loss: Value,
            meaning: "From datasets 4.7 on, the elements of an array, and the records of a file with a column of several types, are written again as JSON before they are read. Numbers are then cut to ten digits after the point, and numbers above 1e16 to ten digits in all: 1e-12 becomes 0.",
            invalid: "an array with the number 0.0072973525693",
            valid: "the same records as JSONL",
        }
        BigNumber { path: String } = "hf-datasets/big-number", Warning {
            summary: "A whole number that becomes a float, because it does not fit into 64 bits.",
            message: "the number at \"{path}\" does not fit into a signed integer of 64 bits, so all numbers of the column become floats and lose digits beyond 15",
            hint: "Write all numbers of the column as texts.",
            loss: Value,
            meaning: "Whole numbers are held as int64. A number from 9223372036854775808 on makes the column one of floats of 64 bits, which hold 15 digits exactly.",
            invalid: "{\"id\":18446744073709551616}",
            valid: "{\"id\":\"18446744073709551616\"}",
        }
        HugeNumber { what: String, cause: String } = "hf-datasets/huge-number", Error {
            summary: "A number of more than 64 bits before the point in a file that ujson reads.",
            message: "the number has more than 64 bits, and {what}, because {cause}",
            hint: "Write all numbers of the column as texts.",
            meaning: "From datasets 4.7 on, the elements of an array, and the records of a file with a column of several types, are written again by ujson, which knows whole numbers of 64 bits. It stops with `Value is too big!`, or, where it does not notice, reads another number without a message: 123456789012345678901 as 12776324570088369205. pandas reads arrays in the same way in versions up to 4.6, and after white space.",
            other_words: ["ValueError: Value is too big!"],
            invalid: "an array with the number 18446744073709551616",
            valid: "an array with that number as a text",
        }
        HalfCharacter { what: &'static str } = "hf-datasets/lone-surrogate", Error {
            summary: "Half of a surrogate pair in a text.",
            message: "the text has an escape that is half of a surrogate pair: {what}",
            hint: "Complete the pair (such as \\ud83d\\udc1d), or delete the half.",
            meaning: "Escapes from \\ud800 to \\udfff are characters only in pairs. Texts that were cut in the middle of an emoji end so. In an array, the first half of a pair is deleted without a message.",
            other_words: ["JSON parse error: The surrogate pair in string is invalid.", "UnicodeEncodeError: surrogates not allowed"],
            invalid: "{\"question\":\"Which insect is this: \\ud83d\"}",
            valid: "{\"question\":\"Which insect is this: \\ud83d\\udc1d\"}",
        }
        TooDeep = "hf-datasets/too-deep", Error {
            summary: "Lists and objects on more than 62 levels.",
            message: "the value is below more than 62 levels of lists and objects, which Arrow refuses: \"Recursion level in ArrowSchema struct exceeded\"",
            hint: "Write the value with fewer levels, or as JSON in a text.",
            meaning: "The schema of an Arrow table has at most 62 levels of lists and objects below a column.",
            other_words: ["Recursion level in ArrowSchema struct exceeded"],
            invalid: "a list within 65 other lists",
            valid: "the same list as a text of JSON",
        }
        LateKey { path: String, since: String } = "hf-datasets/late-key", Error {
            summary: "A key that first occurs after the first 10 MiB.",
            message: "the key \"{path}\" first occurs here: {since} do not have it, so datasets refuses the file here",
            hint: "Write the key in the first record too, with its full value: an object with all of its keys. Null is not enough for an object.",
            meaning: "datasets reads a file in pieces of 10 MiB. The first one decides the columns, and the keys of objects in them. A later piece with another key ends in `CastError: Couldn't cast ... because column names don't match`, or `Couldn't cast array of type struct<...>`. The message names no line.",
            other_words: ["CastError: Couldn't cast", "TypeError: Couldn't cast array of type"],
            invalid: "a key that first occurs on line 90,000 of a file of 40 MiB",
            valid: "the same file with the key in line 1",
        }
        LateType { path: String, found: String, column: &'static str, since: String } = "hf-datasets/late-type", Error {
            summary: "A value that does not fit the type of the first 10 MiB.",
            message: "\"{path}\" is {found} here, and cannot be converted to the type of the column, which has {column} in {since}",
            hint: "Write one type in all records.",
            meaning: "datasets reads a file in pieces of 10 MiB, and a CSV in pieces of 10,000 rows. The first one decides the type of each column; a later value that cannot be converted to it ends the load. Whether it can be converted depends on the other values of its piece, because a piece has one type. The message names no line.",
            other_words: ["Failed to parse string", "Couldn't cast array of type string to null", "was truncated converting to int64"],
            invalid: "a number that is a text on line 90,000 of a file of 40 MiB",
            valid: "the same file with numbers only",
        }
        LateConversion { path: String, found: String, to: &'static str, column: &'static str, since: String } = "hf-datasets/late-conversion", Warning {
            summary: "Values that are converted to the type of the first 10 MiB.",
            message: "\"{path}\" is {found} here, and becomes {to}: the column has {column} in {since}",
            hint: "Write one type in all records.",
            loss: Value,
            meaning: "datasets reads a file in pieces of 10 MiB, and a CSV in pieces of 10,000 rows. The first one decides the type of each column. A later piece has a type of its own, which is converted without a message: in a column of texts, the number 5 becomes the text 5, dates become 2024-01-28 00:00:00, and in a CSV 010000 becomes 10000 where all cells of the piece are numbers; in a column of whole numbers, 2.0 becomes 2, the text 17 becomes 17, true becomes 1.",
            invalid: "a number on line 90,000 of a file of 40 MiB, after texts",
            valid: "the same file with texts only",
        }
        LateMixture { path: String, found: &'static str, lines: String, since: String } = "hf-datasets/late-mixture", Error {
            summary: "A value that puts quotes around all texts of its piece of 10 MiB.",
            message: "\"{path}\" is {found} here, and a text in {since}: at this path in {lines}, every text gets quotes and escapes, so that hello becomes \"hello\", and the value here becomes the text of its JSON",
            hint: "Write texts only, or a record with this type into the first 10 MiB.",
            loss: Value,
            meaning: "datasets reads a file in pieces of 10 MiB. If the first one has only texts in a column, and a later one has a value of another type among its texts, all texts of that piece are written as JSON and held so. There is no message, and thousands of records are changed. Numbers of that piece lose digits, as by hf-datasets/cut-digits. With a blank line in that piece, the file is refused. Versions up to 4.6 refuse such a file.",
            invalid: "a list of parts as content on line 90,000 of a file of 40 MiB, after texts",
            valid: "the same file with the content of every message as a list of parts",
        }
        AgentTrace { keys: String } = "hf-datasets/agent-trace", Error {
            summary: "Records that are taken for the trace of an agent.",
            message: "the columns {keys} are those of an agent's trace: all columns are replaced by those of a trace, which needs the package teich",
            hint: "Rename one of the columns, or load the file with parse_agent_traces=False.",
            meaning: "datasets 5 takes a file for the trace of an agent by the names and types of its columns, and converts it. Without the package teich it stops.",
            other_words: ["ImportError: To support decoding agent traces, please install 'teich'."],
            invalid: "{\"type\":\"user\",\"message\":{\"text\":\"Hi\"}}\n{\"type\":\"user\",\"message\":{\"content\":\"Hi\"}}",
            valid: "{\"kind\":\"user\",\"message\":{\"text\":\"Hi\"}}\n{\"kind\":\"user\",\"message\":{\"content\":\"Hi\"}}",
        }
        OneRow { key: String, elements: String } = "hf-datasets/one-row", Warning {
            summary: "A document that becomes a single row.",
            message: "the file becomes one row, whose column \"{key}\" is a list of {elements}: they are not rows",
            hint: "Write the list alone, as an array or as JSONL, or load the file with field=\"{key}\".",
            meaning: "An object is a record. Of a document with the records in a list under a key, datasets makes one record with columns of lists.",
            invalid: "{\"version\":\"1.0\",\"data\":[{\"question\":\"1 + 1?\"},{\"question\":\"2 + 2?\"}]}",
            valid: "the list alone, as an array",
        }
        BeforeArray { what: &'static str } = "hf-datasets/byte-order-mark-before-array", Error {
            summary: "A byte order mark before an array.",
            message: "{what} before the array: the file is refused with \"Column() changed from object to array\"",
            hint: "Save the file as UTF-8 without a byte order mark, or write the records as JSONL.",
            meaning: "Versions up to 4.6 do not find the array after a byte order mark; later ones remove the mark, but not white space after it.",
            other_words: ["ArrowInvalid: JSON parse error: Column() changed from object to array in row 0"],
            invalid: "an array after a byte order mark and a blank line",
            valid: "the same array at the start of the file",
        }
        NullFirst = "hf-datasets/null-first", Error {
            summary: "The first line is null.",
            message: "the first value of the file is null, which ends the process that loads it (a segmentation fault of pyarrow)",
            hint: "Delete the line.",
            meaning: "A later line of null is a row of nulls. As the first value it ends Python itself, without a message.",
            invalid: "a file whose first line is null",
            valid: "the same file without the line",
        }
        NoColumns = "hf-datasets/no-columns", Error {
            summary: "Records without any key.",
            message: "no record has a key, and datasets refuses a table without columns",
            hint: "Give each record at least one key.",
            meaning: "A table without columns has no rows.",
            other_words: ["ValueError: Instruction \"train\" corresponds to no data!"],
            invalid: "{}\n{}",
            valid: "{\"question\":\"1 + 1?\"}\n{\"question\":\"2 + 2?\"}",
        }
    }
}

evalcheck_core::rules! {
    /// Problems of the cells of a CSV.
    CellProblem {
        NullWords { column: String, cells: String, word: String } = "hf-datasets/null-words", Warning {
            summary: "Cells with words that pandas takes for missing values.",
            message: "pandas takes words in the column {column} for missing values ({cells}): {word} becomes null",
            hint: "Write another word, write the data as JSONL, or load the file with keep_default_na=False.",
            loss: Value,
            meaning: "pandas takes NA, N/A, None, null, nan and some other words for missing values, in quotes too. The country code NA of Namibia and an answer None are lost so.",
            invalid: "id,country\n1,NA",
            valid: "id,country\n1,Namibia",
        }
        ChangedNumbers { column: String, cells: String, written: String, held: String } = "hf-datasets/changed-numbers", Warning {
            summary: "Cells that become numbers and lose how they are written.",
            message: "all cells of the column {column} look like numbers, and some are held otherwise than they are written ({cells}): {written} becomes {held}",
            hint: "Write the data as JSONL with texts, or load the file with converters= and str for this column.",
            loss: Value,
            meaning: "If all cells of a column look like numbers, pandas makes numbers of them, in quotes too: 007 becomes 7. One missing cell makes floats of whole numbers: 1 becomes 1.0.",
            invalid: "id,answer\n007,a\n010,b",
            valid: "id,answer\nq007,a\nq010,b",
        }
        HugeCell { column: String } = "hf-datasets/huge-cell", Error {
            summary: "A column of whole numbers with a number of more than 64 bits.",
            message: "the column {column} has whole numbers only, and this one has more than 64 bits: the file is refused with \"Python int too large to convert to C long\"",
            hint: "Write the data as JSONL with texts, or load the file with converters= and str for this column.",
            meaning: "pandas holds such numbers as Python's integers, which Arrow cannot take.",
            other_words: ["OverflowError: Python int too large to convert to C long"],
            invalid: "id,answer\n18446744073709551616,a",
            valid: "id,answer\nq18446744073709551616,a",
        }
    }
}
