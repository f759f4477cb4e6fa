// A changelog in a format that other programs read (R34). To add one, write a file with an `Output` next to this one,
// and add its line to http/routes.ts.
import type { HubsFor } from '../../domain/hook.ts';
import type { Timeline } from '../../store/read/lists/timeline.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import type { Render } from '../../text/render.ts';
import type { SharedNotes } from '../changelog.ts';
import { alternateLink, type Links, type ProductUrls } from '../links.ts';
import type records from '../records.json';
import type { TextHead } from '../texts.ts';
import { fill, localeFor, localeOf } from '../words/locale.ts';

/** The name of a schema in `records.json`, of which `npm run generate` makes the types of records. */
export type RecordName = keyof typeof records;

export type Output = Readonly<{
  /** Names its operation: `AtomFeed` becomes `getPublicAtomFeed`. */
  name: string;
  summary: string;
  description: string;
  /** The schemas of JSON bodies. */
  bodies?: readonly RecordName[];
  mediaType: string;
  /** The text of links on pages; null if only programs read it, which need no link. */
  label: string | null;
  /** Follows its link in `llms.txt`. */
  about: string;
  /** Whether it has all versions, not just the newest. */
  isWhole: boolean;
  /** How many of the newest; by default those of a feed. */
  versionsMax?: number;
  /** By default newest first. */
  arrange?: (versions: readonly FullVersion[]) => readonly FullVersion[];
  frame: (feed: FeedInfo) => Frame;
  /** `shared` in the feed of a team. */
  writeVersion: (
    feed: EntryInfo,
    version: FullVersion,
    render: Render,
    shared?: SharedNotes,
  ) => string | Promise<string>;
}>;

/** `file` is the last segment of its path: `feed.atom`. */
export type NamedOutput = Output & Readonly<{ file: string }>;

/** Those that pages and the other outputs link to. */
export function linkedOutputs(outputs: readonly NamedOutput[]) {
  return outputs.flatMap(({ file, mediaType, label, isWhole }) =>
    label === null ? [] : [{ file, mediaType, label, isWhole }],
  );
}

/** The feeds that a team has too. */
export const teamOutputs = (outputs: readonly NamedOutput[]) =>
  linkedOutputs(outputs).filter(({ isWhole }) => !isWhole);

/** The text around the versions, so that they can be written one by one. */
export type Frame = Readonly<{ start: string; between: string; end: string }>;

/** What a text is written to, piece by piece. */
export type Out = Readonly<{
  /** Await it in long loops so that other work is done in between. */
  add: (text: string) => Promise<unknown> | null;
  /** URLs of images that a page shows: its policy allows them. */
  showImages: (urls: Iterable<string | null | undefined>) => void;
}>;

export async function addFramed<T>(
  out: Pick<Out, 'add'>,
  { start, between, end }: Frame,
  items: Iterable<T> | AsyncIterable<T>,
  format: (item: T) => string | Promise<string>,
): Promise<void> {
  await out.add(start);
  let before = '';
  for await (const item of items) {
    await out.add(before + (await format(item)));
    before = between;
  }
  await out.add(end);
}

export async function writeOutput(
  out: Out,
  output: Output,
  feed: FeedInfo & EntryInfo,
  versions: Iterable<FullVersion> | AsyncIterable<FullVersion>,
  render: Render,
): Promise<void> {
  const arranged = output.arrange?.(await Array.fromAsync(versions)) ?? versions;
  await addFramed(out, output.frame(feed), arranged, (version) => output.writeVersion(feed, version, render));
}

/** What is said of a feed, before its versions. */
export type FeedInfo = Readonly<Omit<ReturnType<typeof describeFeed>, keyof EntryInfo>>;

/** What entries of a product have in common. */
export type EntryInfo = Readonly<{
  /** Of the pages and files of the product. */
  urls: ProductUrls;
  /** What its texts depend on. */
  texts: TextHead;
  /** In a feed of several products, the name of this one and the base for relative links in its texts. */
  product: Readonly<{ name: string; xmlBase: string | null }> | null;
}>;

/** Which versions and changes a feed is restricted to (R53). */
export type FeedFilter = Readonly<{
  /** `?…`, or empty. */
  query: string;
  /** Each restriction in words. */
  texts: readonly string[];
}>;

export const UNFILTERED: FeedFilter = { query: '', texts: [] };

type FeedContext = Readonly<{ links: Links; outputs: readonly NamedOutput[]; hubsFor?: HubsFor }>;
type Named = Readonly<{ file: string; filter: FeedFilter }>;
type Told = Readonly<{ introduction: string | null; updatedAt: string | null }>;

export function describeFeed(head: HeadRow, feed: Named & Told, context: FeedContext) {
  const urls = context.links.urlsOf(head);
  const product = head.productName.toWellFormed();
  const title = head.changelogName.toWellFormed();
  return {
    ...identify(head.changelogId, title, feed, linkedOutputs(context.outputs), urls.file),
    description: withoutIsolates(fill(localeOf(head).words.about.newestFirst, { product })),
    /** The changelog's own description, in Markdown. */
    introduction: feed.introduction,
    author: head.teamName.toWellFormed(),
    /** https: URLs of the product's logo and of its image. */
    logo: webImageOf(head.logo),
    image: webImageOf(head.image),
    /** BCP 47. */
    language: head.language,
    urls,
    texts: head,
    product: null,
    /** The page of the changelog or the team. */
    pageUrl: urls.changelog,
    /** The base for relative links; null if they are already resolved (R43). */
    xmlBase: baseOf(head, urls),
    /** Where to subscribe to it (WebSub). */
    hubs: findHubs(feed, context, head.teamSlug, head.productSlug),
    /** When one of its versions last changed; null without versions. */
    updatedAt: feed.updatedAt,
  };
}

const baseOf = ({ linkBase }: HeadRow, urls: ProductUrls) => (linkBase === null ? urls.changelog : null);

/** The feed of a team (R64), which only a server has. */
export function describeTeamFeed(
  {
    team,
    language,
    updatedAt,
  }: Readonly<{ team: Timeline['team']; language: string; updatedAt: string | null }>,
  named: Named,
  context: FeedContext,
): FeedInfo {
  const { links, outputs } = context;
  const { about } = localeFor(language).words;
  const name = { team: team.name.toWellFormed() };
  const urlOf = (file: string) => links.teamFile(team.slug, file) ?? '';
  return {
    ...identify(`team:${team.slug}`, fill(about.changelogsOf, name), named, teamOutputs(outputs), urlOf),
    description: withoutIsolates(fill(about.ofTeam, name)),
    introduction: null,
    author: name.team,
    logo: null,
    image: null,
    language,
    pageUrl: links.listUrl(team.slug),
    xmlBase: null,
    hubs: findHubs(named, context, team.slug, null),
    updatedAt,
  };
}

/** A reader takes two feeds with one id for the same feed. It is independent of the URL: a moved feed keeps it. */
function identify(
  id: string,
  title: string,
  { file, filter: { query, texts } }: Named,
  formats: ReturnType<typeof linkedOutputs>,
  urlOf: (file: string) => string,
) {
  const others = formats.filter((other) => other.file !== file);
  return {
    id: feedUrn(id) + query.replace(/^\?/, '?='),
    title: filterTitle(title, texts),
    url: urlOf(file) + query,
    alternates: others.map((other) => ({ url: urlOf(other.file) + query, type: other.mediaType })),
  };
}

/** Hubs are told of feeds with all versions, so that others name none. */
function findHubs({ file, filter }: Named, { outputs, hubsFor }: FeedContext, ...owner: Parameters<HubsFor>) {
  const isAnnounced = filter.query === '' && teamOutputs(outputs).some((each) => each.file === file);
  return (isAnnounced && hubsFor?.(...owner)) || [];
}

/** Of the entries of a product in the feed of its team. */
export function entriesInTeam(head: HeadRow, links: Links): EntryInfo {
  const urls = links.urlsOf(head);
  const product = { name: head.productName.toWellFormed(), xmlBase: baseOf(head, urls) };
  return { urls, texts: head, product };
}

/** `Rocket changelog (Security, No prereleases)` */
export function filterTitle(title: string, texts: readonly string[]): string {
  return withoutIsolates(texts.length === 0 ? title : `${title} (${texts.join(', ')})`);
}

/** Feed readers and lists of feeds show U+2068 and its relatives as boxes. */
const withoutIsolates = (text: string): string => text.replaceAll(/[\u2066-\u2069]/g, '');

/** Feed readers expect identifiers to be URIs. */
export const feedUrn = (id: string): string => `urn:changelog:${id}`;

/** The `Link` header: the other formats, and what subscribers of a hub need. */
export function formatLinks({ alternates, hubs, url }: FeedInfo): string {
  return [
    ...alternates.map((other) => alternateLink(other.url, other.type)),
    ...hubs.map((hub) => `<${hub}>; rel="hub"`),
    ...(hubs.length === 0 ? [] : [`<${url}>; rel="self"`]),
  ].join(', ');
}

/** The first image that others can load, too: an embedded one is only for our pages. SQL can write anything. */
export function webImageOf(...urls: readonly (string | null | undefined)[]): string | null {
  for (const text of urls) {
    const url = text?.startsWith('https:') ? URL.parse(text) : null;
    if (url !== null) return url.href;
  }
  return null;
}

/** An entry's title starts with the label unless it already contains it: `2.1.0: Faster launches`. */
export function titleOf(version: Readonly<{ label: string; title: string }>): string {
  const [label, title] = [version.label.toWellFormed(), version.title.toWellFormed()];
  if (title === '') return label;
  return hasWord(title, withoutV(label)) ? title : `${label}: ${title}`;
}

/** Among versions of other products: `Rocket 2.1.0: Faster launches`. */
export function titleInTeam(product: string, version: Readonly<{ label: string; title: string }>): string {
  const title = titleOf(version);
  if (withoutV(title).startsWith(withoutV(version.label.toWellFormed()))) return `${product} ${title}`;
  return hasWord(title, product) ? title : `${product}: ${title}`;
}

/** Many releases have only their label as a title, with or without a `v`. */
export function isOnlyLabel({ label, title }: Readonly<{ label: string; title: string }>): boolean {
  return title === '' || withoutV(title) === withoutV(label);
}

const withoutV = (text: string): string => text.replace(/^v(?=\d)/i, '');

const WORD_STARTS = /(?<![\p{LC}\p{N}]|\p{N}[.+-])v?$/u;
const WORD_CONTINUES = /^[.+-]?[\p{LC}\p{N}]/u;

/**
 * As a separate word, with or without a `v`: `Rocket v2.1.0` has `2.1.0`, unlike `12.1.0`, `1.2.1.0` and `2.1.0-beta`.
 * Only cased letters extend a word: Chinese, for example, has no spaces. Patterns that contain the label would have to be
 * compiled for each entry, which takes longer than writing it.
 */
function hasWord(title: string, word: string): boolean {
  const [text, name] = [title.toLowerCase(), word.toLowerCase()];
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1))
    if (WORD_STARTS.test(text.slice(0, at)) && !WORD_CONTINUES.test(text.slice(at + name.length)))
      return true;
  return false;
}
