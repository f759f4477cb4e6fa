import { CONTENT_AND_KEYS } from './0001-content-and-keys.ts';
import { REVISIONS } from './0002-revisions.ts';
import { KEY_USAGE } from './0003-key-usage.ts';
import { CHANGE_COUNTS } from './0004-change-counts.ts';
import { VERSION_FACTS } from './0005-version-facts.ts';
import { IMPORT_MARKS } from './0006-import-marks.ts';
import { PUBLIC_ROWS } from './0007-public-rows.ts';
import { FIXED_LETTERS } from './0008-fixed-letters.ts';
import { PAGES } from './0009-pages.ts';
import { UPDATE_TIMES } from './0010-update-times.ts';
import { LISTED_VERSIONS } from './0011-listed-versions.ts';
import { SCHEDULE } from './0012-schedule.ts';
import { KEPT_WORDS } from './0013-kept-words.ts';
import type { Step } from './step.ts';

export const STEPS: readonly Step[] = [
  CONTENT_AND_KEYS,
  REVISIONS,
  KEY_USAGE,
  CHANGE_COUNTS,
  VERSION_FACTS,
  IMPORT_MARKS,
  PUBLIC_ROWS,
  FIXED_LETTERS,
  PAGES,
  UPDATE_TIMES,
  LISTED_VERSIONS,
  SCHEDULE,
  KEPT_WORDS,
];
