// A version that became public, and what a message for people says of it: in the words of the changelog's language, as far
// as the receiver has space for it.
import { sectionsOf } from '../../domain/model.ts';
import { type Change, presentVersion, type Version } from '../../present/changelog.ts';
import { MUST_NOT_MISS } from '../../present/notes/cut.ts';
import { beginning, leadNodes } from '../../present/notes/html.ts';
import { teamOutputs, titleInTeam } from '../../present/outputs/output.ts';
import type { Site } from '../../present/pages/document.ts';
import type { TextHead } from '../../present/texts.ts';
import { localeFor } from '../../present/words/locale.ts';
import type { VersionDetail } from '../../store/read/reads.ts';
import { clean, cutTo, type Line, lineOf, plainSpan, readLines } from '../../text/lines.ts';
import { linkTree } from '../../text/links.ts';
import { parseText } from '../../text/parse.ts';
import type { Render } from '../../text/render.ts';
import { elementOf, type Node } from '../../text/tree.ts';

export type Announcement = Readonly<Awaited<ReturnType<typeof presentAnnouncement>>>;

/** A message on its way to a hook. It keeps its id when it is sent again. */
export type Message = Readonly<{
  id: string;
  /** When it is sent, which may be the second time. */
  sentAt: Date;
}>;

export type AnnouncementPlace = Pick<Site, 'links' | 'outputs' | 'hasTeamPages'>;

/** From what the public API finds. */
export async function presentAnnouncement(
  found: VersionDetail,
  render: Render,
  { links, outputs, hasTeamPages }: AnnouncementPlace,
) {
  const { version, changes } = found;
  /** What its texts depend on; its language is that of the changelog (BCP 47). */
  const head: TextHead = found.head;
  /** The record of the public API. Very long versions have only their first changes; `changeCount` counts all. */
  const record = await presentVersion(found.head, { ...version, changes }, render);
  const urls = links.urlsOf(found.head);
  // By its id, because a label may change.
  const recordUrl = `${urls.file('')}/versions/${version.id}`;
  const feeds = teamOutputs(outputs).map(({ file }) => file);
  const teamFeeds = feeds.flatMap((file) => links.teamFile(found.head.teamSlug, file) ?? []);
  return {
    record,
    head,
    /** All absolute, on the product's own domain if it has one. */
    urls: {
      page: urls.version(version),
      changelog: urls.changelog,
      record: recordUrl,
      notes: `${recordUrl}/notes.md`,
      /** Those of the product, and those of its team if teams have pages. */
      feeds: [...feeds.map(urls.file), ...(hasTeamPages ? teamFeeds : [])],
    },
  };
}

/** The space that a receiver has, in whatever it counts: `measure` includes what separates a line from others. */
export type Space = Readonly<{
  max: number;
  measure: (line: Line) => number;
  descriptionCharactersMax?: number;
  changeCharactersMax?: number;
}>;

/** Such as `Rocket 2.1.0: Faster launches`. `write` is how the receiver counts it. */
export function writeTitle(
  { product, version: label, title }: Version,
  charactersMax: number,
  write: (title: string) => string = (text) => text,
): string {
  const words = clean(titleInTeam(product.name, { label, title })).replaceAll(/\s+/g, ' ').trim() || '…';
  let characters = charactersMax;
  while (write(cutTo(words, characters)).length > charactersMax) characters = Math.floor(characters * 0.9);
  return write(cutTo(words, characters));
}

/** What stands before the text of an item. */
export const itemStart = ({ depth, marker }: Line, indent = '  '): string =>
  depth === 0 ? '' : `${indent.repeat(depth - 1)}${marker} `;

/** The words for few changes may be longer than those for many. */
const PLURALS_DIFFERENCE_MAX = 30;
/** A shorter start of a text says nothing. */
const START_CHARACTERS_MIN = 20;
/** The rest of a description is never shown, so it need not be parsed. */
const DESCRIPTION_PARSED_MAX = 10_000;

/** Breaking changes and security fixes are taken first, then the description, then the other changes. */
export function compose(
  { record, head, urls }: Announcement,
  { max, measure, descriptionCharactersMax = 1_000, changeCharactersMax = 300 }: Space,
) {
  const locale = localeFor(head.language);
  const { types, version: words, widget } = locale.words;
  const endWith = (text: string) => lineOf({ text, marks: [], url: urls.page });
  const endWithMore = (changes: number) => endWith(locale.count(words.moreChanges, changes));
  let left = max - measure(endWithMore(record.changeCount)) - PLURALS_DIFFERENCE_MAX;
  let more = record.changeCount;
  /** What is left out is left out from here on. */
  let isFull = false;

  /** Null if they do not fit. */
  function take(lines: readonly Line[]): readonly Line[] | null {
    const size = lines.reduce((sum, line) => sum + measure(line), 0);
    if (size > left) return null;
    left -= size;
    return lines;
  }

  /** As much of it as fits; null if nothing does. */
  function takeStart(
    nodes: readonly Node[],
    charactersMax: number,
    charactersMin: number,
    before: Line[] = [],
  ) {
    for (let most = charactersMax; most >= charactersMin; most = Math.floor(most / 2)) {
      const lines = readLines(nodes, most);
      const taken = lines.length === 0 ? lines : take([...before, ...lines]);
      if (taken !== null) return taken;
    }
    return null;
  }

  const itemOf = (change: Change): Node[] => [
    elementOf('ul', elementOf('li', ...leadNodes(change, locale), ...read(change.text))),
  ];
  const read = (text: string) => linkTree(parseText(text), head).nodes;

  function takeSection({ kind, changes }: (typeof sections)[number]): readonly Line[] {
    const taken: Line[] = [];
    for (const change of changes) {
      if (isFull) break;
      const heading = taken.length === 0 ? [lineOf(plainSpan(types[kind], 'bold'))] : [];
      // Whole changes look better, but one is better than none.
      const charactersMin = more === record.changeCount ? START_CHARACTERS_MIN : changeCharactersMax;
      const lines = takeStart(itemOf(change), changeCharactersMax, charactersMin, heading);
      isFull = lines === null;
      if (!isFull) more--;
      taken.push(...(lines ?? []));
    }
    return taken;
  }

  const yanked = lineOf(
    plainSpan(beginning(words.yanked, locale), 'bold'),
    plainSpan(` ${words.yankedNote}`),
  );
  const intro = (record.yanked && take([yanked])) || [];
  const sections = sectionsOf(record.changes);
  const first = sections.filter(({ kind }) => MUST_NOT_MISS.includes(kind)).map(takeSection);
  const text = isFull ? '' : (record.description ?? '').slice(0, DESCRIPTION_PARSED_MAX);
  const description = takeStart(read(text), descriptionCharactersMax, START_CHARACTERS_MIN) ?? [];
  const rest = sections.filter(({ kind }) => !MUST_NOT_MISS.includes(kind)).map(takeSection);
  return {
    /** Whether it is yanked, its description, and each section: lines that belong together. */
    groups: [intro, description, ...first, ...rest].filter(({ length }) => length > 0),
    /** Whether changes are left out. */
    isCut: more > 0,
    /** Leads to the page, and says how many are. */
    end: more > 0 ? endWithMore(more) : endWith(widget.more),
  };
}
