// The message for a workflow of Microsoft Teams: an Adaptive Card of text runs, which unlike text blocks know neither
// Markdown nor mentions.
import { type Line, type Mark, type Span, textOf } from '../../text/lines.ts';
import { type Announcement, compose, itemStart, writeTitle } from './announcement.ts';

const TITLE_CHARACTERS_MAX = 256;
/** Of the 28 KB that a message may have. Its other parts are shorter than the rest. */
const BODY_BYTES_MAX = 20_000;

export function teamsMessage(announcement: Announcement): object {
  const { record, urls } = announcement;
  const title = writeTitle(record, TITLE_CHARACTERS_MAX);
  const { groups, end } = compose(announcement, {
    max: BODY_BYTES_MAX,
    measure: (line) => Buffer.byteLength(JSON.stringify(writeLine(line, 0))) + 1,
  });
  const heading = {
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text: title, size: 'Large', weight: 'Bolder' }],
  };
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [heading, ...groups.flatMap((lines) => lines.map(writeLine))],
    actions: [{ type: 'Action.OpenUrl', title: textOf(end), url: urls.page }],
    msteams: { width: 'Full' },
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
}

const INDENT = '\u00a0'.repeat(4);

function writeLine(line: Line, index: number): object {
  const start = itemStart(line, INDENT);
  const lead = start === '' ? [] : [{ type: 'TextRun', text: start }];
  return {
    type: 'RichTextBlock',
    spacing: index === 0 ? 'Medium' : 'Small',
    inlines: [...lead, ...line.spans.map(writeSpan)],
  };
}

const STYLES: Readonly<Record<Mark, object>> = {
  bold: { weight: 'Bolder' },
  italic: { italic: true },
  strike: { strikethrough: true },
  code: { fontType: 'Monospace' },
};

function writeSpan({ text, marks, url }: Span): object {
  const style = Object.assign({}, ...marks.map((mark) => STYLES[mark]));
  const action = url === null ? {} : { selectAction: { type: 'Action.OpenUrl', url } };
  return { type: 'TextRun', text, ...style, ...action };
}
