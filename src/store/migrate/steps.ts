import { POSTGRES } from './0001-schema/postgres.ts';
import { SQLITE } from './0001-schema/sqlite.ts';

/**
 * A schema step: the statements for each engine, in order. A released step never changes, because users' databases were
 * created with it; a change to the schema is a new step. So a step imports nothing but files of its own and of earlier
 * steps, which never change either.
 */
export type Step = Readonly<{ name: string; sqlite: readonly string[]; postgres: readonly string[] }>;

export const STEPS: readonly Step[] = [{ name: '0001_schema', sqlite: SQLITE, postgres: POSTGRES }];
