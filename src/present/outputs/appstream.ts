// The releases of AppStream, which app stores on Linux show (R58).
import { sectionsOf } from '../../domain/model.ts';
import { highestFirst } from '../../domain/version-choice.ts';
import { isPrerelease, versionOrder } from '../../domain/version-order.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import { BULLET, type Line, readLines } from '../../text/lines.ts';
import type { Render } from '../../text/render.ts';
import { elementOf, hasText, type Node } from '../../text/tree.ts';
import { beginning, leadNodes } from '../notes/html.ts';
import { renderNotes, type TextHead, treeFor } from '../texts.ts';
import { localeOf } from '../words/locale.ts';
import type { Output } from './output.ts';
import { element, escapeXml, writeLines, XML_DECLARATION } from './xml.ts';

const RELEASES_MAX = 50;
const CVE = /\bCVE-\d{4}-\d{4,}\b/g;

export const appStream: Output = {
  writeVersion: async ({ urls, texts }, version, render) =>
    writeRelease(version, urls.version(version), toAppStreamMarkup(await notesOf(version, texts, render))),
  isWhole: false,
  name: 'AppStreamReleases',
  summary: 'The newest versions as AppStream releases, for app stores on Linux.',
  description: `The newest ${RELEASES_MAX} versions, highest first, with only the markup that AppStream allows. A version with a security fix is critical. Prereleases are of the type development, and their \`version\` has a tilde (\`2.0.0~rc.1\`), which AppStream sorts before 2.0.0.`,
  mediaType: 'application/xml',
  label: null,
  about: `the newest ${RELEASES_MAX} versions as AppStream releases, for app stores on Linux`,
  versionsMax: RELEASES_MAX,
  arrange: (versions) =>
    // AppStream expects this order, whenever a version was published; others stay newest first.
    versions.some(({ label }) => versionOrder(label) === null) ? versions : highestFirst(versions),
  frame: () => ({ start: `${XML_DECLARATION}\n<releases>\n`, between: '', end: '</releases>\n' }),
};

function writeRelease(
  { label, publishedAt, changes }: FullVersion,
  url: string,
  description: string,
): string {
  const fixes = changes.filter(({ type }) => type === 'security');
  const type = isPrerelease(label) ? 'development' : 'stable';
  const urgency = fixes.length > 0 ? ' urgency="critical"' : '';
  const ids = new Set(fixes.flatMap(({ text }) => text.toUpperCase().match(CVE) ?? []));
  const issues = [...ids].map((id) => element('issue', id, ' type="cve"')).join('\n');
  return writeLines([
    `<release version="${escapeXml(comparable(label))}" type="${type}" date="${(publishedAt as string).slice(0, 10)}"${urgency}>`,
    // AppStream allows no relative ones, which a static site may have.
    URL.canParse(url) ? element('url', url, ' type="details"') : null,
    description && around('description', description),
    issues && around('issues', issues),
    '</release>',
  ]);
}

const around = (tag: string, lines: string): string => `<${tag}>\n${lines}\n</${tag}>`;

/** The description, then the changes by section. */
async function notesOf(version: FullVersion, texts: TextHead, render: Render): Promise<Node[]> {
  const locale = localeOf(texts);
  const { types, version: words } = locale.words;
  const { description, changes } = await renderNotes(version, render, treeFor(texts));
  const yanked = elementOf('strong', beginning(words.yanked, locale));
  return [
    ...(version.yanked ? [elementOf('p', yanked, ` ${words.yankedNote}`)] : []),
    ...(description?.nodes ?? []),
    ...sectionsOf(changes).flatMap((section) => {
      const items = section.changes.map((change) =>
        elementOf('li', ...leadNodes(change, locale), ...change.shown.nodes),
      );
      return [elementOf('h3', types[section.kind]), elementOf('ul', ...items)];
    }),
  ];
}

/**
 * Paragraphs and flat lists, with `em` or `code` inside: items of inner lists are items of the outer one, and rows of
 * tables too. Links and images are their text. Empty if there is no text.
 */
export function toAppStreamMarkup(nodes: readonly Node[]): string {
  const blocks: { tag: string; lines: string[] }[] = [];
  for (const line of readLines(nodes, Number.POSITIVE_INFINITY)) {
    const text = writeLine(line);
    if (!hasText([text])) continue;
    const last = blocks.at(-1);
    if (line.depth === 0) blocks.push({ tag: 'p', lines: [text] });
    else if (last !== undefined && last.tag !== 'p') last.lines.push(`<li>${text}</li>`);
    else blocks.push({ tag: line.marker === BULLET ? 'ul' : 'ol', lines: [`<li>${text}</li>`] });
  }
  return blocks
    .map(({ tag, lines }) => (tag === 'p' ? `<p>${lines.join('')}</p>` : around(tag, lines.join('\n'))))
    .join('\n');
}

/** Validators refuse URLs in texts, but not host names. */
const SCHEME = /(?:https?|ftp):\/\//gi;

/** Neither of `em` and `code` contains the other. */
function writeLine({ spans }: Line): string {
  const parts: { tag: string; text: string }[] = [];
  for (const { text, marks } of spans) {
    const tag = marks.includes('code') ? 'code' : marks.some((mark) => mark !== 'strike') ? 'em' : '';
    const last = parts.at(-1);
    if (last?.tag === tag) last.text += text;
    else parts.push({ tag, text });
  }
  const written = parts.map(({ tag, text }) => {
    const escaped = escapeXml(text.replaceAll(SCHEME, ''));
    return tag === '' || !hasText([escaped]) ? escaped : `<${tag}>${escaped}</${tag}>`;
  });
  return written.join('').replaceAll(/\s+/g, ' ').trim();
}

/** As AppStream compares versions: digits first, and a prerelease before its release. */
function comparable(label: string): string {
  if (versionOrder(label) === null) return label;
  const version = label.replace(/^v/i, '');
  return isPrerelease(label) ? version.replace('-', '~') : version;
}
