"""DuckDB, `read_json`: `python with_duckdb.py FORMAT FILE`.

The columns are read as what they must be, and what does not fit becomes null; so do the columns of a line that is no JSON. Texts and
numbers are read as JSON, because DuckDB would make one of the other, and so is what may be null. Keys that no column
has are not seen.
"""

import sys

import duckdb

import lines

JURYARENA = """
    SELECT row_number() OVER () AS line, {condition} AS valid
    FROM read_json($path, format = 'newline_delimited', ignore_errors = true, columns = {{
        input: 'STRUCT(messages STRUCT("role" VARCHAR, content JSON)[])',
        json_schema: 'JSON',
        usage_output: 'JSON'
    }})
"""

JURYARENA_IS_VALID = """
    list_filter(input.messages, lambda message: NOT coalesce(
        message.role IN ('system', 'user', 'assistant')
        AND CASE json_type(message.content)
            WHEN 'VARCHAR' THEN true
            WHEN 'ARRAY' THEN list_filter(message.content::JSON[], lambda part: NOT coalesce(
                CASE part->>'type'
                    WHEN 'text' THEN json_type(part, '$.text') = 'VARCHAR'
                    WHEN 'file_ref' THEN json_type(part, '$.path') = 'VARCHAR'
                    WHEN 'image_url' THEN json_type(part, '$.image_url.url') = 'VARCHAR'
                END, false)) = []
        END, false)) = []
    AND coalesce(json_type(json_schema) = 'OBJECT', true)
    AND coalesce(json_type(usage_output) IN ('VARCHAR', 'OBJECT', 'ARRAY', 'NULL'), true)
"""

INSTANCE = """
    SELECT row_number() OVER () AS line, {condition} AS valid
    FROM read_json($path, format = 'newline_delimited', ignore_errors = true, columns = {{
        schema_version: 'JSON', evaluation_id: 'JSON', model_id: 'JSON', evaluation_name: 'JSON',
        evaluation_result_id: 'JSON', sample_id: 'JSON', sample_hash: 'JSON', interaction_type: 'VARCHAR',
        input: 'STRUCT(raw JSON, reference JSON[], formatted JSON, choices JSON)',
        output: 'STRUCT(raw JSON[], reasoning_trace JSON)',
        messages: 'STRUCT(turn_idx JSON, "role" JSON, content JSON, reasoning_trace JSON, tool_calls JSON, tool_call_id JSON)[]',
        answer_attribution: 'STRUCT(turn_idx JSON, source JSON, extracted_value JSON, extraction_method JSON, is_terminal JSON)[]',
        evaluation: 'STRUCT(score JSON, is_correct JSON, num_turns JSON, tool_calls_count JSON)',
        token_usage: 'JSON', performance: 'JSON', error: 'JSON', metadata: 'JSON'
    }})
"""

MACROS = """
    CREATE MACRO is_text(value) AS json_type(value) = 'VARCHAR';
    CREATE MACRO is_number(value) AS json_type(value) IN ('UBIGINT', 'BIGINT', 'DOUBLE');
    CREATE MACRO is_null(value) AS value IS NULL OR json_type(value) = 'NULL';
    CREATE MACRO is_whole(value, least) AS json_type(value) IN ('UBIGINT', 'BIGINT') AND value::BIGINT >= least;
    CREATE MACRO are_texts(value) AS list_filter(json_type(value, '$[*]'), lambda kind: kind <> 'VARCHAR') = [];
    CREATE MACRO are_texts_in(value) AS list_filter(json_type(value, '$.*'), lambda kind: kind <> 'VARCHAR') = [];
    CREATE MACRO is_time(value) AS is_null(value) OR is_number(value) AND value::DOUBLE >= 0;
"""

INSTANCE_IS_VALID = """
    is_text(schema_version) AND is_text(evaluation_id) AND is_text(model_id) AND is_text(evaluation_name)
    AND is_text(sample_id) AND (evaluation_result_id IS NULL OR is_text(evaluation_result_id))
    AND (is_null(sample_hash) OR is_text(sample_hash)) AND (is_null(error) OR is_text(error))
    AND is_text(input.raw) AND list_filter(input.reference, lambda text: NOT coalesce(is_text(text), false)) = []
    AND (is_null(input.formatted) OR is_text(input.formatted))
    AND (is_null(input.choices) OR json_type(input.choices) = 'ARRAY' AND are_texts(input.choices))
    AND CASE interaction_type
        WHEN 'single_turn' THEN output IS NOT NULL AND messages IS NULL
            AND list_filter(output.raw, lambda text: NOT coalesce(is_text(text), false)) = []
            AND (is_null(output.reasoning_trace)
                OR json_type(output.reasoning_trace) = 'ARRAY' AND are_texts(output.reasoning_trace))
        WHEN 'multi_turn' THEN output IS NULL
        WHEN 'agentic' THEN output IS NULL
        END
    AND (interaction_type = 'single_turn' OR list_filter(messages, lambda turn: NOT coalesce(
        is_whole(turn.turn_idx, 0) AND is_text(turn.role)
        AND (is_null(turn.content) OR is_text(turn.content))
        AND (is_null(turn.reasoning_trace) OR is_text(turn.reasoning_trace))
        AND (is_null(turn.tool_call_id) OR json_type(turn.tool_call_id) = 'ARRAY' AND are_texts(turn.tool_call_id))
        AND (is_null(turn.tool_calls) OR json_type(turn.tool_calls) = 'ARRAY'
            AND list_filter(turn.tool_calls::JSON[], lambda call: NOT coalesce(
                is_text(call->'id') AND is_text(call->'name') AND (is_null(call->'arguments')
                    OR json_type(call->'arguments') = 'OBJECT' AND are_texts_in(call->'arguments')), false)) = []),
        false)) = [])
    AND list_filter(answer_attribution, lambda answer: NOT coalesce(
        is_whole(answer.turn_idx, 0) AND is_text(answer.source) AND is_text(answer.extracted_value)
        AND is_text(answer.extraction_method) AND json_type(answer.is_terminal) = 'BOOLEAN', false)) = []
    AND is_number(evaluation.score) AND json_type(evaluation.is_correct) = 'BOOLEAN'
    AND (is_null(evaluation.num_turns) OR is_whole(evaluation.num_turns, 1))
    AND (is_null(evaluation.tool_calls_count) OR is_whole(evaluation.tool_calls_count, 0))
    AND (is_null(token_usage) OR is_whole(token_usage->'input_tokens', 0)
        AND is_whole(token_usage->'output_tokens', 0) AND is_whole(token_usage->'total_tokens', 0)
        AND coalesce(is_whole(token_usage->'input_tokens_cache_read', 0), true)
        AND coalesce(is_whole(token_usage->'input_tokens_cache_write', 0), true)
        AND coalesce(is_whole(token_usage->'reasoning_tokens', 0), true))
    AND (is_null(performance) OR json_type(performance) = 'OBJECT' AND is_time(performance->'latency_ms')
        AND is_time(performance->'time_to_first_token_ms') AND is_time(performance->'generation_time_ms')
        AND (is_null(performance->'additional_details')
            OR json_type(performance->'additional_details') = 'OBJECT' AND are_texts_in(performance->'additional_details')))
    AND (is_null(metadata) OR json_type(metadata) = 'OBJECT' AND are_texts_in(metadata))
"""

FORMATS = {"juryarena": (JURYARENA, JURYARENA_IS_VALID), "eee-instance": (INSTANCE, INSTANCE_IS_VALID)}

format, path = sys.argv[1:3]
select, condition = FORMATS[format]
connection = duckdb.connect(config={"threads": 1})
connection.execute(MACROS)
query = f"""
    SELECT count(*), coalesce(list(line) FILTER (NOT coalesce(valid, false)), [])
    FROM ({select.format(condition=condition)})
"""
lines.report(*connection.execute(query, {"path": path}).fetchone())
