// `/changelog/{team}/{product}.md` and `…/versions/{name}.md`: the pages of a product as Markdown.
import { isDayOf } from '../../domain/timestamp.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import type { Depth, ProductUrls } from '../links.ts';
import { writeNotesMarkdown } from '../notes/markdown.ts';
import { titleOf } from '../outputs/entry-title.ts';
import { escapeInline } from '../outputs/markdown.ts';
import { webAddress } from '../pages/document.ts';
import type { Before, PageFrame, Site } from '../pages/views.ts';
import { ENGLISH, fill } from '../words/locale.ts';
import { linksToOutputs, linkTo, writeEnd } from './links.ts';

const { go, empty, version: words } = ENGLISH.words;

export type ChangelogTwin = Readonly<{
  head: HeadRow;
  /** In Markdown; null if there is none, or if this is not the first page of all versions. */
  description: string | null;
  isFiltered: boolean;
  isContinued: boolean;
  isEmpty: boolean;
  /** The next page; null on the last one. */
  olderUrl: string | null;
  /** The filters of the page, which its feeds take too: `?…` or empty. */
  filters: string;
}>;

export async function frameChangelogTwin(site: Site, view: ChangelogTwin): Promise<PageFrame> {
  const { head, description, isContinued, isEmpty, olderUrl, filters } = view;
  const urls = urlsFrom(site, head, 'changelog');
  return {
    start: `${writeTitle(head)}${await writeText(head, description)}${isEmpty ? noVersions(view) : ''}`,
    end: writeEnd([
      olderUrl !== null && [go.olderVersions, olderUrl],
      isContinued && [go.newestVersions, site.links.markdownOf(urls.changelog) + filters],
      ...linksToOutputs(site.outputs, urls, filters),
    ]),
  };
}

export function noVersions({ isFiltered, isContinued }: Pick<ChangelogTwin, 'isFiltered' | 'isContinued'>) {
  return `\n${isFiltered ? empty.noMatch : isContinued ? empty.noOlder : empty.nothingYet}.\n`;
}

export type VersionTwin = Readonly<{
  head: HeadRow;
  version: FullVersion;
  before: Before | null;
  afterUrl: string | null;
}>;

export async function writeVersionTwin(
  site: Site,
  { head, version, before, afterUrl }: VersionTwin,
): Promise<string> {
  const { changelog } = urlsFrom(site, head, 'version');
  const code = webAddress(version.compareUrl);
  const end = writeEnd([
    [go.allVersions, site.links.markdownOf(changelog)],
    before !== null && [fill(words.compareWith, { version: before.label }), before.url],
    afterUrl !== null && [words.after, afterUrl],
    code !== null && [words.codeChanges, code.href],
  ]);
  return writeTitle(head) + (await writeListedVersion(site, head, version, 'version')) + end;
}

/** Comparisons as Markdown. */
export function markdownComparisons({ links }: Site, head: HeadRow): Pick<ProductUrls, 'changes'> {
  const page = links.urlsOf(head).changes('');
  return { changes: (query) => page && links.markdownOf(page) + query };
}

export async function writeListedVersion(
  site: Site,
  head: HeadRow,
  version: FullVersion,
  depth: Depth = 'changelog',
): Promise<string> {
  const url = urlsFrom(site, head, depth).version(version);
  return writeBelowHeading(titleOf(version), url, version, await writeNotesMarkdown(version, head));
}

/** The notes of a version below its heading, which leads to its page. */
export function writeBelowHeading(
  title: string,
  url: string,
  version: Pick<FullVersion, 'label' | 'publishedAt'>,
  notes: string,
): string {
  const { publishedAt } = version;
  const day = publishedAt === null || isDayOf(version) ? '' : ` (${publishedAt.slice(0, 10)})`;
  return `\n## ${linkTo(title, url)}${day}\n${notes && `\n${notes}`}`;
}

/** Absolute if possible: whoever reads Markdown may not know where it came from. */
function urlsFrom({ links }: Site, head: HeadRow, depth: Depth): ProductUrls {
  return links.isAbsolute ? links.urlsOf(head) : links.fromProduct(depth, head);
}

export const writeTitle = ({ changelogName }: HeadRow) => `# ${escapeInline(changelogName)}\n`;

/** A text of its own, which ends by itself. */
async function writeText(head: HeadRow, description: string | null): Promise<string> {
  const text = await writeNotesMarkdown({ yanked: 0, description, changes: [] }, head);
  return text && `\n${text}`;
}
