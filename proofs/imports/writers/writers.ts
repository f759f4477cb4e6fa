// Changelogs as tools and authors write them in each format, and what the API must return for them. Independent of the
// code that reads them.

import type { ApiVersion } from '../sandbox.ts';
import type { Dice } from './dice.ts';

export type Written = Readonly<{
  text: string;
  /** Of the changelog: the introduction of the file, and other text outside versions. */
  description: string | null;
  versions: readonly ApiVersion[];
  flags: readonly string[];
}>;

export type DatedLabel = Readonly<{ label: string; timestamp: string | null }>;

const DAY_MS = 86_400_000;

const KINDS = ['semantic', 'semantic', 'v', 'short', 'calendar', 'four', 'day'] as const;

/** Labels, newest first: with or without `v`, with prereleases, or calendar versions. */
export function labels(
  dice: Dice,
  count: number,
  kinds: readonly (typeof KINDS)[number][] = KINDS,
): DatedLabel[] {
  const kind = dice.oneOf(kinds);
  const found: DatedLabel[] = [];
  let at = Date.UTC(2024, dice.int(0, 11), dice.int(1, 28));
  for (let number = count; number > 0; number--) {
    const suffix = dice.chance(15)
      ? dice.oneOf(['-rc.1', '-alpha', '-beta.11', '+build.5', '-0', '-next.2.3'])
      : '';
    const day = new Date(at).toISOString().slice(0, 10);
    const label = {
      semantic: `${number}.${dice.int(0, 20)}.${dice.int(0, 3)}${suffix}`,
      v: `v${number}.${dice.int(0, 20)}.0${suffix}`,
      short: `${number}.${dice.int(0, 9)}`,
      calendar: `${day.slice(0, 4)}.${day.slice(5, 7)}.${number}`,
      four: `1.${number}.0.${dice.int(0, 300)}`,
      day,
    }[kind];
    found.push({ label, timestamp: `${day}T00:00:00.000Z` });
    // Old release lines get updates too, so a version below may be newer.
    at -=
      (kind !== 'day' && dice.chance(8) ? -dice.int(1, 9) : dice.int(kind === 'day' ? 1 : 0, 40)) * DAY_MS;
  }
  return found;
}

export function joinedTexts(texts: readonly (string | null)[]): string | null {
  const some = texts.filter((text) => text !== null);
  return some.length === 0 ? null : some.join('\n\n');
}

/** The API lists drafts first, then the others from newest to oldest. */
export function inOrder(versions: readonly ApiVersion[]): ApiVersion[] {
  const momentOf = ({ publishedAt }: ApiVersion) =>
    publishedAt === null ? Infinity : Date.parse(publishedAt);
  return versions.toSorted((a, b) => (momentOf(a) === momentOf(b) ? 0 : momentOf(b) - momentOf(a)));
}

/** With LF or CRLF line ends, and sometimes a byte order mark. */
export function saved(dice: Dice, lines: readonly string[]): string {
  const text = lines.join('\n');
  const end = dice.oneOf(['\n', '\n', '', '\n\n\n']);
  const breaks = dice.oneOf(['\n', '\n', '\n', '\r\n', '\r']);
  return (dice.chance(10) ? '\uFEFF' : '') + (text.trimEnd() + end).replaceAll('\n', breaks);
}
