// The names that people give to what is not released yet.
const OF_IT = '(?: (?:major|minor|patch))?(?: (?:releases?|versions?|changes|work))?';
/** These names always mean an unreleased version. */
const SAYING = `unreleased${OF_IT}|not (?:yet )?released(?: yet)?|to be (?:released|announced|determined)|unpublished|coming soon|v-?next|forthcoming${OF_IT}|in progress|work in progress|wip|(?:in|under) development|development (?:version|branch)|tbd|tba`;
/** These may also be the name of a section or a product. */
const AMBIGUOUS = `(?:next|upcoming|future|pending)${OF_IT}|(?:latest|current) changes|(?:on )?(?:master|main|trunk|develop|head|tip)(?: branch)?`;
/** Words after the number of an unreleased version. */
const REMARK = `${SAYING}|${AMBIGUOUS}|planned|draft`;

const AT_START = new RegExp(`^(?:${SAYING}|${AMBIGUOUS})(?![\\w'’-])`, 'i');
const SAYING_ALONE = new RegExp(`^(?:${SAYING})$`, 'i');
const SAYING_AT_START = new RegExp(`^(?:${SAYING}|upcoming${OF_IT})[:,]? +(?=v?\\d)`, 'i');
const AMBIGUOUS_ALONE = new RegExp(`^(?:${AMBIGUOUS})$`, 'i');
const REMARK_ALONE = new RegExp(`^(?:${REMARK})$`, 'i');
const SAYING_AND_MORE = new RegExp(`^(?:${SAYING})(?=[,;:.(/–—-])`, 'i');
const FIRST_WORD =
  /^\W*(?:unreleased|not|to|unpublished|coming|v-?next|forthcoming|in|work|wip|under|development|tb[da]|next|upcoming|future|pending|latest|current|on|master|main|trunk|develop|head|tip)\b/i;

/** `Planned for 2030-01-01`, without the date. */
const PLANNED =
  /^(?:planned|expected|scheduled|estimated|targeted|target|due|eta)(?: (?:release|date|for|on|in|by))*:?$/i;

/** A fast check. */
export function mayBeUnreleased(text: string): boolean {
  return FIRST_WORD.test(text);
}

export function unreleasedNameAtStart(text: string): string | null {
  return AT_START.exec(text)?.[0] ?? null;
}

/** `Upcoming 2.0.0` → `2.0.0`; but `Next 2.0.0` may be a version of Next. */
export function withoutUnreleasedName(text: string): string {
  return text.replace(SAYING_AT_START, '');
}

/** `WIP`, but not `Main`. */
export function saysUnreleased(text: string): boolean {
  return SAYING_ALONE.test(text);
}

export function isAmbiguous(label: string): boolean {
  return AMBIGUOUS_ALONE.test(label);
}

/** Whether the text after a label marks the version as unreleased. */
export function isUnreleasedRemark(text: string): boolean {
  return REMARK_ALONE.test(text);
}

export function saysPlanned(text: string): boolean {
  return PLANNED.test(text);
}

/** `TBD, in May` */
export function startsAsUnreleased(text: string): boolean {
  return SAYING_AND_MORE.test(text);
}
