// All rules, in the order of the documentation.
import type { Rule } from './rule.ts';
import { futureDate, invalidDate } from './rules/dates.ts';
import {
  duplicateVersion,
  malformedHeading,
  mergeMarker,
  notAVersion,
  unclosedBlock,
  unreadHeading,
} from './rules/headings.ts';
import { droppedHtml } from './rules/html.ts';
import { undefinedLink, versionLink } from './rules/links.ts';
import { dateOrder, versionOrder } from './rules/order.ts';
import { changedRelease, noEarlierFile, removedRelease } from './rules/releases.ts';
import { emptySection, emptyVersion, unknownSection } from './rules/sections.ts';
import { missingVersion, versionWithoutNotes } from './rules/wanted.ts';

/** The file as a whole: found by reading it. */
export const unreadable: Omit<Rule, 'find'> = {
  id: 'unreadable',
  level: 'error',
  summary: 'An import would refuse the file.',
  help: 'The file has no versions, or something in it cannot be read. The message says what, and which option helps.',
};

export const RULES: readonly Rule[] = [
  { ...unreadable, find: () => [] },
  mergeMarker,
  unclosedBlock,
  duplicateVersion,
  versionOrder,
  invalidDate,
  dateOrder,
  futureDate,
  notAVersion,
  unreadHeading,
  malformedHeading,
  undefinedLink,
  versionLink,
  emptyVersion,
  emptySection,
  unknownSection,
  droppedHtml,
  missingVersion,
  versionWithoutNotes,
  changedRelease,
  removedRelease,
  noEarlierFile,
];
