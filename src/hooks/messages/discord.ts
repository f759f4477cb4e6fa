// The message for a webhook of Discord: one embed, whose title leads to the page.
import { BULLET, type Line, type Mark, type Span, ZERO_WIDTH_SPACE } from '../../text/lines.ts';
import { type Announcement, compose, itemStart, writeTitle } from './announcement.ts';

const TITLE_CHARACTERS_MAX = 256;
const DESCRIPTION_CHARACTERS_MAX = 4_096;

export function discordMessage(announcement: Announcement): object {
  const { record, urls } = announcement;
  const { groups, isCut, end } = compose(announcement, {
    max: DESCRIPTION_CHARACTERS_MAX,
    measure: (line) => writeLine(line).length + 2,
  });
  const description = [...groups, ...(isCut ? [[end]] : [])]
    .map((lines) => lines.map(writeLine).join('\n'))
    .join('\n\n');
  return {
    embeds: [
      {
        title: writeTitle(record, TITLE_CHARACTERS_MAX, escapeSyntax),
        url: urls.page,
        ...(description === '' ? {} : { description }),
        ...(record.publishedAt === null ? {} : { timestamp: record.publishedAt }),
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

const writeLine = (line: Line): string =>
  itemStart(line).replace(BULLET, '-') + escapeStart(line.spans.map(writeSpan).reduce(join, ''));

const SYNTAX = /[\\*_~`|<>@[\]]/g;
const escapeSyntax = (text: string): string => text.replaceAll(SYNTAX, '\\$&');

/** What would start a list or a heading. */
const escapeStart = (text: string): string =>
  text.replace(/^(\s*)([-+#])/, '$1\\$2').replace(/^(\s*\d+)([.)])/, '$1\\$2');

const AROUND: Readonly<Record<Exclude<Mark, 'code'>, string>> = { bold: '**', italic: '*', strike: '~~' };

function writeSpan({ text, marks, url }: Span): string {
  const [, before = '', inner = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  if (inner === '') return text;
  const target = url?.startsWith('http') ? url.replaceAll(/[()\\]/g, percentEncode) : null;
  // Brackets in code would end the text of a link.
  const isCode = marks.includes('code') && (target === null || !/[[\]]/.test(inner));
  let written = isCode ? writeCode(inner) : escapeSyntax(inner);
  if (target !== null) written = inner === url ? `<${target}>` : `[${written}](${target})`;
  for (const mark of marks) if (mark !== 'code') written = AROUND[mark] + written + AROUND[mark];
  return before + written + after;
}

const percentEncode = (sign: string): string => `%${sign.charCodeAt(0).toString(16)}`;

/** Between more backticks than it has in a row. */
function writeCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  const fence = '`'.repeat(longest + 1);
  return fence + pad + text + pad + fence;
}

/** The ends of two formats in a row would be read as another one. */
function join(before: string, next: string): string {
  return /[*~`]$/.test(before) && /^[*~`]/.test(next) ? before + ZERO_WIDTH_SPACE + next : before + next;
}
