// The one timestamp format: ISO 8601, UTC, milliseconds, 24 characters. As text, timestamps sort by time.

const ISO_8601 = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Null if the text is not a valid ISO 8601 date or date-time. A date without a time is midnight UTC. */
export function normaliseTimestamp(text: string): string | null {
  if (isNormal(text)) return text;
  const date = ISO_8601.exec(text)?.[1];
  if (date === undefined || !isCalendarDate(date)) return null;
  const parsed = new Date(text.replace(',', '.'));
  if (Number.isNaN(parsed.getTime())) return null;
  const normal = parsed.toISOString();
  return normal.length === 24 ? normal : null;
}

/** Null unless the text has a time of day and a time zone, and so names one point in time. */
export function normaliseInstant(text: string): string | null {
  return TIME_IN_ZONE.test(text) ? normaliseTimestamp(text) : null;
}

const TIME_IN_ZONE = /T.*(?:Z|[+-]\d{2}:\d{2})$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?$/;

/** Completes the sentence "TEXT …" for an invalid text. */
export function describeNoInstant(text: string): string {
  const lack = TIME.test(text)
    ? 'has no time zone'
    : normaliseTimestamp(text) === null
      ? 'is not an ISO 8601 timestamp'
      : 'has no time of day';
  return `${lack}; write it like 2026-12-01T09:00+01:00 or 2026-12-01T08:00Z.`;
}

/** Whether a label is the day of publication, in UTC: `2026-11-19` or `v2026.11.19`. A reader needs the date only once. */
export function isDayOf({
  label,
  publishedAt,
}: Readonly<{ label: string; publishedAt: string | null }>): boolean {
  const day = label.replace(/^v(?=\d)/i, '').replaceAll(/[./]/g, '-');
  return day === publishedAt?.slice(0, 'YYYY-MM-DD'.length);
}

export const DAY_MS = 24 * 60 * 60 * 1000;

/** By some milliseconds, which may be negative. */
export function laterThan(timestamp: string, ms: number): string {
  return new Date(Date.parse(timestamp) + ms).toISOString();
}

/** Most timestamps already are, and a large document has many. */
function isNormal(text: string): boolean {
  if (text.length !== 24) return false;
  const parsed = new Date(text);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString() === text;
}

/** `Date` turns 30 February into a day in March instead of rejecting it. */
function isCalendarDate(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00.000Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}
