// Versions by an expression that the user gives, with the groups label, date and title.
import { EMPHASIS, parseTail, unescapeInline, type VersionHeading } from './parse.ts';

const LINE_CHARACTERS_MAX = 500;

/** Tries the text of the heading first, then the whole line. */
export function parseByRule(rule: RegExp, line: string, heading: string | null): VersionHeading | null {
  if (line.length > LINE_CHARACTERS_MAX) return null;
  const text = heading !== null && rule.test(heading) ? heading : line;
  const match = rule.exec(text);
  const { label = '', date, title } = match?.groups ?? {};
  if (match === null || label.trim() === '') return null;
  const after = text.slice(match.index + match[0].length).replaceAll(EMPHASIS, '');
  const rest = `${title ?? ''} ${after}`.trim();
  // The title is separated, so that nothing in it makes the line a sentence.
  const parse = (tail: string) => parseTail({ label: label.trim(), link: null, tail: ` - ${tail}` });
  const said = parse(rest);
  const dated = date === undefined ? null : parse(`(${date})`);
  return said && dated ? withDate(said, dated, rest) : said;
}

/** The date in the group wins over one in the title. */
function withDate(said: VersionHeading, dated: VersionHeading, rest: string): VersionHeading {
  const title = said.date === null || said.isDateLabel ? said.title : unescapeInline(rest);
  return {
    ...said,
    date: dated.date,
    isDateLabel: dated.isDateLabel,
    isUnreleased: dated.isUnreleased || (dated.date === null && said.isUnreleased),
    title: [title, dated.title].filter(Boolean).join(' '),
  };
}
