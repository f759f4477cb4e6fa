// A version as all feeds show it.
import { CHANGE_TYPES } from '../../domain/model.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import type { Render } from '../../text/render.ts';
import { writeNotesHtml, writeShared } from '../notes/html.ts';
import { imageFor, type TextHead } from '../texts.ts';
import { localeOf } from '../words/locale.ts';
import { type EntryInfo, feedUrn, type Output, titleInTeam, titleOf, webImageOf } from './output.ts';

export type Entry = Readonly<ReturnType<typeof presentEntry>>;

/** A feed of the newest versions, each written as an entry. */
export function entriesBy(
  write: (entry: Entry) => string,
): Pick<Output, 'description' | 'isWhole' | 'writeVersion'> {
  return {
    description:
      'The newest versions with their full content, dated by `publishedAt` and `updatedAt`. Entries keep their ids. With `type` or `breaking`, an entry has only the changes that match.',
    isWhole: false,
    writeVersion: async (feed, version, render, shared) => {
      const { texts } = feed;
      const locale = localeOf(texts);
      // Each change names the other versions that have it.
      const others = new Map(
        shared?.changes.map(({ id, alsoIn }) => [id, writeShared(locale, 'alsoIn', alsoIn)]),
      );
      const besides = (id: string) => (others.get(id) ? `\n${others.get(id)}` : '');
      const shown = shared === undefined ? version : { ...version, changes: shared.changes };
      const notes = await writeNotesHtml(shown, texts, render, { besides });
      const elsewhere = writeShared(locale, 'listedUnder', shared?.shownBy ?? []);
      const all = [notes, elsewhere].filter((part) => part !== '').join('\n');
      const html = locale.direction === 'rtl' && all !== '' ? `<div dir="rtl">${all}</div>` : all;
      return write(presentEntry(feed, version, { html, image: await imageOf(version, texts, render) }));
    },
  };
}

export function presentEntry(
  { urls, texts, product }: EntryInfo,
  version: FullVersion,
  { html, image }: Readonly<{ html: string; image: string | null }>,
) {
  const { label, title, yanked, changes } = version;
  return {
    id: feedUrn(version.id),
    /** The version's page. */
    url: urls.version(version),
    title: product === null ? titleOf({ label, title }) : titleInTeam(product.name, { label, title }),
    // Feeds have only published versions.
    publishedAt: version.publishedAt as string,
    updatedAt: version.updatedAt,
    /** The product, in a feed of several; the label, `yanked`, `breaking` and the change types. */
    tags: [
      ...(product === null ? [] : [product.name]),
      label.toWellFormed(),
      ...(yanked ? ['yanked'] : []),
      ...(changes.some(({ breaking }) => breaking) ? ['breaking'] : []),
      ...CHANGE_TYPES.filter((each) => changes.some(({ type }) => type === each)),
    ],
    /** Its https: URL. */
    image,
    /** In a feed of several products: the one it is of, its language, and the base for relative links in its texts. */
    product: product && { ...product, language: texts.language },
    html,
  };
}

/** Its own, or else the first picture of its description. */
async function imageOf({ image, description }: FullVersion, texts: TextHead, render: Render) {
  const own = webImageOf(image);
  if (own !== null || description === null || !MAY_HAVE_PICTURE.test(description)) return own;
  const [first] = await render([description], imageFor(texts));
  return webImageOf(first);
}

const MAY_HAVE_PICTURE = /!\[|<img/i;
