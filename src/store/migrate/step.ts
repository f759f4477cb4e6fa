/**
 * A schema step: the statements for each engine, in order. A released step never changes, because users' databases were
 * created with it; a change to the schema is a new step. So a step is literal SQL and imports nothing. SQLite stores the
 * text of each statement: a backslash at the end of a line joins it to the next, so that the text stays as released.
 */
export type Step = Readonly<{ name: string; sqlite: readonly string[]; postgres: readonly string[] }>;
