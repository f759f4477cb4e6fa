// The pages as Markdown, at the same paths with `.md`, in English.
import type { ListedProduct } from '../store/read/lists/listing.ts';
import type { TimelineRow } from '../store/read/lists/timeline.ts';
import type { FullVersion, Page } from '../store/read/pages.ts';
import type { HeadRow } from '../store/read/reads.ts';
import { linkShared, type SharedNotes, sharedVersions, type VersionLink } from './changelog.ts';
import type { Depth, ProductUrls } from './links.ts';
import { dayOf } from './notes/form.ts';
import { NAMED_MAX } from './notes/html.ts';
import { escapeInline, writeNotedMarkdown, writeNotesMarkdown } from './outputs/markdown.ts';
import { addFramed, type Out, teamOutputs, titleInTeam, titleOf } from './outputs/output.ts';
import { type Site, webAddress } from './pages/document.ts';
import { queryOf } from './pages/filters.ts';
import { type Listed, type ListView, newestFirst, type TimelinePage } from './pages/list-pages.ts';
import { compare, type FoundVersion } from './pages/product-pages.ts';
import type { VersionListView } from './pages/version-list.ts';
import { ENGLISH, fill } from './words/locale.ts';

const { about, go, empty, version: words } = ENGLISH.words;

/** A text, where it leads, and what follows the link. */
type MarkdownLink = readonly [text: string, url: string, about?: string];

export function writeLinks(links: readonly MarkdownLink[]): string {
  return links.map(([text, url, about]) => `- ${linkTo(text, url)}${about ? `: ${about}` : ''}\n`).join('');
}

/** Where a page leads, if anywhere. */
function writeEnd(links: readonly (MarkdownLink | false)[]): string {
  const shown = links.filter((link) => link !== false);
  return shown.length === 0 ? '' : `\n---\n\n${writeLinks(shown)}`;
}

/** A parenthesis would end the URL. */
export function linkTo(text: string, url: string): string {
  return `[${escapeInline(text)}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

/** The formats of a changelog with these filters, those with all versions first. */
export function linksToOutputs(outputs: Site['outputs'], urls: ProductUrls, filters = ''): MarkdownLink[] {
  return outputs
    .toSorted((one, other) => Number(other.isWhole) - Number(one.isWhole))
    .map(({ file, about }) => [file, urls.file(file) + filters, about]);
}

/** Absolute if possible: whoever reads Markdown may not know where it came from. */
const urlsFrom = ({ links }: Site, head: HeadRow, depth: Depth): ProductUrls =>
  links.isAbsolute ? links.urlsOf(head) : links.fromProduct(depth, head);

const writeTitle = (title: string) => `# ${escapeInline(title)}\n`;

/** `/changelog/{team}.md?products=all` and `/index.md`: the products that have a page. */
export function writeListMarkdown(site: Site, view: ListView): string {
  const { team, isContinued, moreUrl } = view;
  const listed = linksToProducts(site, view, !isContinued && moreUrl === null);
  const nothing = isContinued ? empty.noMoreProducts : empty.nothingYet;
  const list = listed.length === 0 ? `${nothing}.\n` : writeLinks(listed);
  return `${writeTitle(team?.name ?? about.changelogs)}\n${list}${writeEnd([moreUrl !== null && [go.moreProducts, moreUrl]])}`;
}

/** Newest first if these are all, like their cards. */
function linksToProducts({ links }: Site, { team, products }: Listed, isWhole: boolean): MarkdownLink[] {
  const fromList = links.fromList(team === null);
  return (isWhole ? newestFirst(products) : products).map((product) => {
    const name = team === null ? `${product.productName} (${product.teamName})` : product.productName;
    const url = links.isAbsolute ? links.urlsOf(product).changelog : fromList.changelog(product);
    return [name, links.markdownOf(url), describeNewest(product)];
  });
}

export function describeNewest({ newest }: Pick<ListedProduct, 'newest'>): string {
  return newest === null
    ? 'no versions yet'
    : `newest version ${escapeInline(newest.label)}${dayOf(newest, ' of ')}`;
}

type ListedVersions = Omit<VersionListView, 'matches' | 'versions'>;

/** `/changelog/{team}/{product}.md` */
export async function writeChangelogMarkdown(
  out: Pick<Out, 'add'>,
  site: Site,
  { head, versions, ...found }: Pick<Page, 'head' | 'description' | 'versions'>,
  view: ListedVersions,
): Promise<void> {
  const { form, olderUrl, isFiltered, isContinued } = view;
  const urls = urlsFrom(site, head, 'changelog');
  const filters = queryOf(form);
  const description = isFiltered || isContinued ? null : found.description;
  // A text of its own, which ends by itself.
  const text = await writeNotesMarkdown({ yanked: 0, description, changes: [] }, head);
  const start = `${writeTitle(head.changelogName)}${text && `\n${text}`}${noVersions(versions, view)}`;
  const end = writeEnd([
    olderUrl !== null && [go.olderVersions, olderUrl],
    isContinued && [go.newestVersions, site.links.markdownOf(urls.changelog) + filters],
    ...linksToOutputs(site.outputs, urls, filters),
  ]);
  await addFramed(out, { start, between: '', end }, versions, (version) =>
    writeListedVersion(site, head, version),
  );
}

function noVersions(versions: readonly unknown[], { isFiltered, isContinued }: ListedVersions): string {
  if (versions.length > 0) return '';
  return `\n${isFiltered ? empty.noMatch : isContinued ? empty.noOlder : empty.nothingYet}.\n`;
}

/** `…/versions/{name}.md` */
export async function writeVersionMarkdown(site: Site, found: FoundVersion): Promise<string> {
  const { links, isStatic } = site;
  const { head, version } = found;
  const { changes } = links.fromProduct('version', head);
  // A static site has comparisons as HTML only.
  const ofMarkdown = (query: string) => links.markdownOf(links.urlsOf(head).changes('') ?? '') + query;
  const { before, afterUrl } = compare(isStatic ? changes : ofMarkdown, found);
  const code = webAddress(version.compareUrl);
  const end = writeEnd([
    [go.allVersions, links.markdownOf(urlsFrom(site, head, 'version').changelog)],
    before !== null && [fill(words.compareWith, { version: before.label }), before.url],
    afterUrl !== null && [words.after, afterUrl],
    code !== null && [words.codeChanges, code.href],
  ]);
  return writeTitle(head.changelogName) + (await writeListedVersion(site, head, version, 'version')) + end;
}

async function writeListedVersion(
  site: Site,
  head: HeadRow,
  version: FullVersion,
  depth: Depth = 'changelog',
): Promise<string> {
  const url = urlsFrom(site, head, depth).version(version);
  return writeBelowHeading(titleOf(version), url, version, await writeNotesMarkdown(version, head));
}

/** The notes of a version below its heading, which leads to its page. */
function writeBelowHeading(title: string, url: string, version: FullVersion, notes: string): string {
  return `\n## ${linkTo(title, url)}${dayOf(version, ' (', ')')}\n${notes && `\n${notes}`}`;
}

/** `/changelog/{team}.md`: a team's products, then the versions of all of them (R64). */
export async function writeTimelineMarkdown(out: Out, site: Site, page: TimelinePage): Promise<void> {
  const { team, versions, productsUrl, olderUrl, isContinued, form } = page;
  const { links, outputs, isStatic } = site;
  const own = links.markdownOf(links.isAbsolute ? links.listUrl(team.slug) : '');
  const products = linksToProducts(site, page, productsUrl === null);
  if (productsUrl !== null) products.push([go.moreProducts, own + productsUrl]);
  const list = products.length > 0 ? `\n${writeLinks(products)}` : '';
  const end = writeEnd([
    // A static site has the other pages as HTML only.
    olderUrl !== null && [go.olderVersions, isStatic ? olderUrl : own + olderUrl],
    isContinued && [go.newestVersions, own + queryOf(form)],
    ...teamOutputs(outputs).flatMap(({ file, label }): MarkdownLink[] => {
      const url = links.teamFile(team.slug, file);
      return url === null ? [] : [[file, url + queryOf(form), label]];
    }),
  ]);
  const frame = { start: writeTitle(team.name) + list + noVersions(versions, page), between: '', end };
  const urlOf = (version: TimelineRow) => versionUrl(site, version);
  await addFramed(out, frame, sharedVersions(versions), ({ version, ...shared }) =>
    writeTeamVersion(site, version, linkShared(shared, urlOf)),
  );
}

/** From the page of a team. */
function versionUrl({ links }: Site, version: TimelineRow): string {
  const { head } = version;
  return links.isAbsolute
    ? links.urlsOf(head).version(version)
    : links.fromList(false).version(head, version);
}

/** A version of any product, without the changes that another shows. */
async function writeTeamVersion(
  site: Site,
  version: TimelineRow,
  { changes, shownBy }: SharedNotes,
): Promise<string> {
  const { head } = version;
  const others = new Map(changes.map(({ id, alsoIn }) => [id, nameVersions(words.alsoIn, alsoIn)]));
  const notes = await writeNotedMarkdown({ ...version, changes }, head, ({ id }) => others.get(id) ?? '');
  const elsewhere = nameVersions(words.listedUnder, shownBy);
  const parts = [notes, elsewhere && `${elsewhere}\n`].filter((part) => part !== '');
  const title = titleInTeam(head.productName.toWellFormed(), version);
  return writeBelowHeading(title, versionUrl(site, version), version, parts.join('\n'));
}

function nameVersions(text: string, versions: readonly VersionLink[]): string {
  if (versions.length === 0) return '';
  const named = versions.slice(0, NAMED_MAX).map(({ name, url }) => linkTo(name, url));
  const more = versions.length - named.length;
  return fill(text, { versions: [...named, ...(more === 0 ? [] : [`+${more}`])].join(', ') });
}
