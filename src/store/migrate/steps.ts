import { POSTGRES } from './0001-first-schema/postgres.ts';
import { SQLITE } from './0001-first-schema/sqlite.ts';
import type { Step } from './step.ts';

export const STEPS: readonly Step[] = [{ name: '0001_first_schema', sqlite: SQLITE, postgres: POSTGRES }];
