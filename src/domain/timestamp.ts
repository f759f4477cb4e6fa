// One written form for a moment: ISO 8601, UTC, milliseconds, 24 characters, so that text order is time order.

const ISO_8601 = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** The moment that an ISO 8601 date or date-time names, or null if it names none. A date alone is its midnight in UTC. */
export function normaliseTimestamp(text: string): string | null {
  if (isNormal(text)) return text;
  const date = ISO_8601.exec(text)?.[1];
  if (date === undefined || !isCalendarDate(date)) return null;
  const moment = new Date(text.replace(',', '.'));
  if (Number.isNaN(moment.getTime())) return null;
  const normal = moment.toISOString();
  return normal.length === 24 ? normal : null;
}

/** Most are already, and each version of a large document has one. */
function isNormal(text: string): boolean {
  if (text.length !== 24) return false;
  const moment = new Date(text);
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === text;
}

/** `Date` rolls 30 February over into March instead of refusing it. */
function isCalendarDate(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00.000Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}
