//! The text of `--help` beside the options, in lines of at most 80 columns.

pub(super) const EXAMPLES: &str = "\
Examples:
  evalcheck samples.jsonl              check a file, its format by its content
  evalcheck fix --in-place data/       apply the safe fixes in a folder
  evalcheck explain shape/missing-key  what a rule means, with an example";

pub(super) const CHECK_HELP: &str = "\
Text output has for each finding
  FILE:LINE:COLUMN: SEVERITY[RULE]: PATH: MESSAGE
then the line of the dataset with the place marked (of the first 200 findings of
a file), other places that belong to it (`note:`), and what to do (`help:`).
`[fixable]` says that `evalcheck fix` does it. After the findings of a file
comes its verdict, and after all files their sum. In a ZIP, the name of the
entry follows that of the file.

Short output is the same without the indented lines.

JSON output is the report of one file (report v1). It lists the first 10,000
findings of each rule, unless --max-findings or --all says otherwise, and then
says `truncated`. For several files use JSONL.

JSONL output has a line {\"file\": ..., \"finding\": ...} for each finding, as
they come, and for each file a last line {\"file\": ..., \"report\": ...} whose
list of findings is empty.

Outputs for other tools (sarif, github, gitlab, junit, rdjson, csv, markdown) are
about all files. They are written at the end, and list at most 5,000 findings:
some of every rule, then errors before warnings. --output-file writes further
outputs: `--output text --output-file sarif=report.sarif`.

All outputs but JSON need the same memory however many findings there are.
Beyond 10,000 of them they are listed as they come: those that are made at the
end of the dataset come last, whatever their line.

Some findings follow from one mistake outside of the records: the header states
another number of samples than every line has, or a ZIP has its attachments in
another folder than every record says. Of these the first is listed; correcting
that mistake corrects all of them. The others are counted, and --all lists them
too.

A file whose content fits several systems alike has no verdict: a line says what
each of them does with it, and --format NAME decides. --for A,B or --for all
writes such a line for each of these formats, then the findings of each. A check
for a format that evidently is not meant ends after some hundred records.

--where QUERY lists only findings that match a query; `evalcheck find --help` has
the language. Terms with rule:, severity:, path:, line:, record: and is:fixable
are about each finding, all others about its record: `--where 'rule:shape
role:user \"I cannot\"'` lists the shape findings of records that have such a
message. Where a term is about records, findings that are in no record are not
listed. Findings that follow from the same mistake as another are. All outputs
say how many records and findings match (JSON: `filter`).

--select, --ignore, --where and --baseline decide which findings are listed and which fail the check.
The verdict on a file is always that on all of it: it says what the system does.

--baseline FILE lists only findings that FILE does not have, --write-baseline
makes it. A finding is known by its rule, its path and the content of its
record, wherever that is. Of a rule with more than 10,000 findings in a file
only the number counts.

Options that belong to a project stand in evalcheck.toml, or in [tool.evalcheck]
of pyproject.toml: the nearest in the folder of each file or above it.
`evalcheck schema config` describes it.

Exit status:
  0  no errors
  1  at least one error, or with --strict a warning, or with --fail-on loss
     something that the system loses when it loads the dataset; a broken archive
     or an empty file is an error
  2  the arguments are wrong, or an output cannot be written; the reason is on
     standard error
  3  a file cannot be read, or could not be checked to its end; it is of no known
     system, or fits several alike, and no format was named; no dataset is in a
     folder";

pub(super) const FIX_HELP: &str = "\
A fix changes the few bytes that a finding is about; the rest of the file stays
as it is, byte for byte. A fix is safe where the bytes can be read in one way
only, and nothing is invented, moved or lost. Others guess or lose something:
they are applied with --unsafe, and `check --output json` says of each what it
does.

The fixed dataset goes to standard output or to --output. On a terminal, what
would change is shown as a diff in its place. With --in-place the file is
replaced at once, when the new one is complete; a link that leads out of its
folder is not followed. --output replaces another dataset only with --overwrite.
Several files or a folder need --in-place or --diff. `--select none` applies no
fix, for --drop-invalid alone.

What could not be fixed is listed on standard error as `check` lists it, with
its verdict.

Exit status:
  0  the fixed datasets have no errors
  1  errors are left; with --drop-invalid only such as are no single record's
  2  the arguments are wrong, or a file cannot be written
  3  a file cannot be read";

pub(super) const FIND_HELP: &str = "\
A query is a list of terms; a record has to match all of them:
  paris \"New York\"        a text in any value; case matters with a capital letter
  /colou?r/i              a regular expression; i ignores case
  is:invalid              or valid; lost: the system loses something of it;
                          fixable: a finding has a safe fix;
                          duplicate: an earlier record has the same bytes
  rule:shape severity:warning path:input.messages.*.role
                          a finding of the record
  line:10..20 record:>5 size:>=1000 turns:1
                          its line, number, bytes, messages
  role:user               a value by a short name of the format (`evalcheck formats`)
  input.messages.*.role:user .id:7
                          a value by its path; one key begins with a dot
  score:>0.5 .messages:2  a number; a list with so many elements
  type:=text              the whole value
  has:.id                 a value that is there and not null
  role:(user OR system)   one of several
  -is:valid               not
  sort:score -sort:.id    all, the least or the greatest value first
A text beside a value of a list has to be in the same element of the list:
  role:assistant \"I cannot\"

Each record is a line FILE:LINE: with the value around the match. JSONL output
has the number of the record (from 0), the path of the value, and the bytes of
the match in the text of the excerpt.

Exit status:
  0  a record matches
  1  no record matches
  2  the query or the arguments are wrong
  3  a file cannot be read, or could not be searched to its end";

pub(super) const STATS_HELP: &str = "\
All records are counted, exactly: those without errors and those with errors, as
far as they can be read. Tokens are an estimate: a character of Han, Kana or
Hangul (from U+3000 on) counts as one, four others together as one.

A value is listed by itself where its path is a category: it has at most 10
different values, of which one occurs again, or fewer than 1,000 and one for
every five values. Other strings are texts. Lengths and numbers are counted in
steps of a sixteenth: a quartile is exact, or a range \"12 to 15\" that it is in;
the smallest and the largest are exact.

JSON output is the report of one file, as of `check`, with `overview`.

Exit status: as of `check`.";

pub(super) const DIFF_HELP: &str = "\
Records are matched by their ids where the format has some, whatever their
order. Records without an id, and those whose id several records have, are
matched by their bytes, then by their values. Values are compared as
JSON: the order of keys, white space, escapes and the notation of numbers do not
count, and of a CSV only the text of the cells. A record that differs in these
alone is unchanged, written differently. An element of a list is compared with
the one at the same place after the equal ones at the beginning and the end.

Only records are compared, and whether the header line of JSONL is the same: no
attachments of a ZIP, and nothing in a JSON document beside its lists.

Both files must be of one format and stay as they are: they are read twice. At
most 8,388,608 records of both together are compared. Where records cannot be
read or compared, the output says `not compared to the end`, and why.

To see what fixes would change in one file, use `evalcheck fix --diff`.

Exit status, as that of diff:
  0  the same records, perhaps in another order or written differently
  1  records were added, removed or changed, or the header line was
  2  the arguments are wrong
  3  a file cannot be read, or could not be compared to its end";

pub(super) const LOADED_HELP: &str = "\
Each record is a line of JSON:
  {\"file\": ..., \"line\": ..., \"state\": ..., \"record\": ..., \"changes\": [...]}
The state is `held`; `dropped` where the system loads the dataset without the
record; or `refused` where the record has errors, or the header has one because
of which the system refuses the dataset. Of what is held, `changes` says what
was added, changed or removed, where and why. The verdict is on standard error.

Exit status: as of `check`.";

pub(super) const SCHEMA_HELP: &str = "\
The schema describes one record, or the whole file for a format that is one JSON
document. It covers the types and required keys of records. It does not cover
text, archives and rules about several records: use `check` for these.

--infer writes the schema (2020-12) of the records of a dataset, as a contract
to keep and to edit:
  evalcheck schema --infer samples.jsonl > samples.schema.json
It accepts every record that could be read, whatever their order. It has the
types; the keys that all objects at a path have, as required; up to 10 strings,
where there are 20 or more and each occurs 5 times on average, as an enum; dates,
times, UUIDs and addresses of HTTP, where all strings are such, as a format; and
lengths and numbers as comments, which bind nobody. Other keys are not allowed.

Keys that are data are not listed, their values have one schema: of 20 keys or
more, when most are in less than a tenth of the objects; of more than 100, when
most are not in all objects. Keys that all objects have are listed nevertheless.

Where evalcheck does not count all paths (500, of at most 1,000 bytes), or deeper
than 50 levels, the schema allows anything and a comment says so. Records that
could not be read are not described; their number is in the schema and on
standard error. A column of a CSV is of numbers if all its cells are: of at most
15 digits, without an exponent; empty cells are null then. Other cells are
strings.

Exit status of --infer:
  0  the schema is written, whatever errors the dataset has
  2  the arguments are wrong
  3  the file cannot be read to its end, or has no record that can be read";

pub(super) const PLAN_HELP: &str = "\
The plan is JSON. It says what lines are compared with, and has the ranges, each
of which `evalcheck part` checks by itself, on any machine that can read the
file. `evalcheck merge` puts the parts together: its report is that of
`evalcheck check`, byte for byte.

  evalcheck plan big.jsonl -o plan.json |
    xargs -P 8 -I {} evalcheck part big.jsonl --plan plan.json --range {}
  evalcheck merge *.part

What is not JSONL is one range, which is read when the parts are merged.";

pub(super) const PART_HELP: &str = "\
A line belongs to the range in which it begins. A part holds which lines of the
range are clean, what counts of the findings in others, and of the records what
rules about several records need, such as ids. It fails where the file has
another size or time of change than the plan says.";

pub(super) const MERGE_HELP: &str = "\
The ranges of the parts have to be the whole file. The lines that the report
shows are read from the file again, which has to be there: the file that was
planned, or --file.

--into merges adjacent parts into one, in any order and any groups.";
