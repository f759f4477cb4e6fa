// `/changelog/{team}/{product}/changes`: the changes between two versions.
import type { SectionKind } from '../../domain/content/sections.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import { type Html, html } from '../html/template.ts';
import { fill, fillHtml, type Locale, localeOf } from '../words/locale.ts';
import { writeVersionArticle } from './changelog-page.ts';
import { writeEmpty, writeHero } from './document.ts';
import { queryOf } from './filters.ts';
import { writeForm } from './forms.ts';
import { canonicalOf, frameProduct, titleWithin } from './product-frame.ts';
import { startSection, writeItem } from './version-parts.ts';
import type { ChangesView, FilterForm, PageFrame, RangeItem, RenderedVersion, Site } from './views.ts';

export function frameChanges(site: Site, view: ChangesView): PageFrame {
  const { head, form, isFiltered } = view;
  const urls = canonicalOf(site, head);
  // The comparisons of a static site have no page for all of them.
  const canonical = urls === null || site.isStatic ? null : urls.changes('');
  const locale = localeOf(head);
  const title = titleOf(form, locale);
  const description = fill(locale.words.about.changes, { product: head.productName });
  return frameProduct({
    site,
    head,
    depth: 'changes',
    form,
    title: titleWithin(title, head.changelogName, locale),
    description,
    canonical,
    isIndexed: !isFiltered,
    alternates:
      canonical === null
        ? []
        : [{ url: `${canonical}.md${queryOf(form)}`, type: 'text/markdown', title: `${title} (Markdown)` }],
    article: { headline: title, ...(canonical !== null && { url: canonical }), description },
    application: {
      ...(canonical !== null && { releaseNotes: canonical }),
      ...(form.values.to && { softwareVersion: form.values.to[0] }),
    },
    start: writeStart(site, view, title),
    end: writeEnd(site, view),
  });
}

export function startGroup(head: HeadRow, kind: SectionKind, count: number): string {
  const locale = localeOf(head);
  return startSection(kind, locale, 2, html` <span class="count">${locale.number(count)}</span>`);
}

export function writeRangeChange({ links }: Site, head: HeadRow, item: RangeItem): string {
  const url = links.fromProduct('changes', head).version(item.version);
  const besides = html`\n<a class="in" href="${url}" dir="auto">${item.version.label}</a>`;
  return writeItem(item, head, { url, classes: 'change range', besides });
}

/** Whether a comparison also has a version as a whole: what was written as prose would be lost otherwise (R33). */
export const isTold = ({
  description,
  changes,
}: Readonly<{ description: unknown; changes: readonly unknown[] }>): boolean =>
  description !== null || changes.length === 0;

/** A version without its changes, which are among those of others. */
export function writeTold(site: Site, head: HeadRow, version: RenderedVersion): string {
  const options = { depth: 'changes', before: null } as const;
  return [...writeVersionArticle(site, head, { ...version, changes: [] }, options)].join('');
}

function titleOf({ values }: FilterForm, { words: { about, go } }: Locale): string {
  const [from, to] = [values.from?.[0] ?? '', values.to?.[0] ?? ''];
  if (from !== '' && to !== '') return fill(about.fromTo, { from, to });
  if (from !== '') return fill(about.after, { from });
  return to === '' ? go.allChanges : fill(about.upTo, { to });
}

function writeStart({ isStatic }: Site, { head, form, menu }: ChangesView, title: string): Html {
  const locale = localeOf(head);
  return html`${writeHero(title, locale.words.about.breakingFirst, html` class="p-name"`)}
${!isStatic && writeForm('changes', form, locale, menu)}
`;
}

function writeEnd(site: Site, { head, form, isEmpty }: ChangesView): Html {
  const links = site.links.fromProduct('changes', head);
  const all = links.changes('');
  const { words } = localeOf(head);
  const query = queryOf(form);
  return html`${isEmpty && writeNone(all, words)}
<nav class="more" aria-label="${words.regions.otherPages}">
<a href="${links.changelog}"><span aria-hidden="true">←</span> ${words.go.allVersions}</a>
${
  all !== null &&
  html`<a href="${all}.md${query}" type="text/markdown">${words.go.asMarkdown}</a>
<a href="${links.file('')}/changes${query}" type="application/json">JSON</a>`
}
</nav>`;
}

/** Without a server, nothing can be chosen. */
function writeNone(all: string | null, { empty }: Locale['words']): Html {
  if (all === null) return writeEmpty(empty.noChanges, html`${empty.noneListed}`);
  const link = html`<a href="${all}">${empty.seeAllChanges}</a>`;
  return writeEmpty(empty.noChangesMatch, fillHtml(empty.chooseOthers, { link }));
}
