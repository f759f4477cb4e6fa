/**
 * One step of the schema: the statements of each engine, in order. A released step never changes, because databases
 * were made with it: a change is a new step. So a step is literal SQL and imports nothing. SQLite keeps the text of what
 * is created; a backslash at the end of a line joins it to the next and keeps that text as it was released.
 */
export type Step = Readonly<{ name: string; sqlite: readonly string[]; postgres: readonly string[] }>;
