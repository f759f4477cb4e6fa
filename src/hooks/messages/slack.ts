// The message for an incoming webhook of Slack. Formatted text is `rich_text`, where nothing that an author writes is
// syntax: no mention, no formatting by accident.
import { escapeText } from '../../text/html.ts';
import { BULLET, type Line, type Span, ZERO_WIDTH_SPACE } from '../../text/lines.ts';
import { type Announcement, compose, writeTitle } from './announcement.ts';

const HEADER_CHARACTERS_MAX = 150;
/** Slack refuses blocks of about 13,000 characters of JSON (`msg_blocks_too_long`), which it does not document. */
const JSON_BYTES_MAX = 8_000;

export function slackMessage(announcement: Announcement): object {
  const { record, urls } = announcement;
  const title = writeTitle(record, HEADER_CHARACTERS_MAX);
  const { groups, end } = compose(announcement, {
    max: JSON_BYTES_MAX,
    measure: (line) => Buffer.byteLength(JSON.stringify(writeElements([line]))),
  });
  return {
    // Shown in notifications, and by programs that know no blocks.
    text: `<${escapeText(urls.page)}|${withoutMentions(escapeText(title))}>`,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
      ...[...groups, [end]].map((lines) => ({ type: 'rich_text', elements: writeElements(lines) })),
    ],
    unfurl_links: false,
    unfurl_media: false,
  };
}

type Element = { type: string; style?: string; indent?: number; offset?: number; elements: object[] };

const INDENT_MAX = 8;

/** Items that follow each other are one list. */
function writeElements(lines: readonly Line[]): readonly Element[] {
  const elements: Element[] = [];
  for (const { depth, marker, spans } of lines) {
    const section = { type: 'rich_text_section', elements: spans.map(writeSpan) };
    const indent = Math.min(depth - 1, INDENT_MAX);
    const style = marker === BULLET ? 'bullet' : 'ordered';
    const last = elements.at(-1);
    if (depth === 0) elements.push(section);
    else if (last?.style === style && last.indent === indent) last.elements.push(section);
    else {
      const offset = style === 'ordered' ? Math.max(0, Number.parseInt(marker, 10) - 1) : 0;
      const numbered = offset > 0 ? { offset } : {};
      elements.push({ type: 'rich_text_list', style, indent, ...numbered, elements: [section] });
    }
  }
  return elements;
}

/** A link has no code style. */
function writeSpan({ text, marks, url }: Span): object {
  const used = url === null ? marks : marks.filter((mark) => mark !== 'code');
  const style = used.length === 0 ? {} : { style: Object.fromEntries(used.map((mark) => [mark, true])) };
  return url === null ? { type: 'text', text, ...style } : { type: 'link', url, text, ...style };
}

const withoutMentions = (text: string): string => text.replaceAll('@', `@${ZERO_WIDTH_SPACE}`);
