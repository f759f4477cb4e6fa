// Versions by an expression that the user gives, with the groups label, date and title.
import { parseTail, type VersionHeading } from '../headings.ts';

const LINE_CHARACTERS_MAX = 500;

/** Tries the text of the heading first, then the whole line. */
export function parseByRule(rule: RegExp, line: string, heading: string | null): VersionHeading | null {
  if (line.length > LINE_CHARACTERS_MAX) return null;
  const text = heading !== null && rule.test(heading) ? heading : line;
  const match = rule.exec(text);
  const { label = '', date, title } = match?.groups ?? {};
  if (match === null || label.trim() === '') return null;
  const rest = text.slice(match.index + match[0].length);
  // The title is separated, so that nothing in it makes the line a sentence.
  const tail = ` - ${[title, date === undefined ? undefined : `(${date})`, rest].filter((one) => one !== undefined).join(' ')}`;
  return parseTail({ label: label.trim(), link: null, tail });
}
