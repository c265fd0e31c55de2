// Records of JuryArena, some with a mistake that has a fix.

export const record = (content: string, role = "user"): string =>
  JSON.stringify({ input: { messages: [{ role, content }] }, usage_output: null });

export const PYTHON = record("a").replace("null", "None");
export const COMMA = record("b").replace("null}", "null,}");
export const HUMAN = record("c", "human");
export const LINES = [PYTHON, COMMA, HUMAN, PYTHON, record("d")];
