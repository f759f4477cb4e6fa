// `/changelog/{team}/{product}/changes`: the changes between two versions.
import type { ChangeType } from '../../domain/model.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import { type Html, html } from '../html/template.ts';
import { queryOf, writeForm } from './filters.ts';
import { canonicalOf, describeArticle, frameProduct } from './product-frame.ts';
import { writeRangeItem, writeTypeHeading } from './version-parts.ts';
import type { ChangesView, FilterForm, PageFrame, RangeItem, Site } from './views.ts';

export function frameChanges(site: Site, view: ChangesView): PageFrame {
  const { head, form, isFiltered } = view;
  const urls = canonicalOf(site, head);
  // The comparisons of a static site have no page for all of them.
  const canonical = urls === null || site.isStatic ? null : `${urls.changelog}/changes`;
  const title = titleOf(form);
  const description = `What changed in ${head.productName} between two versions, by type, breaking changes first.`;
  return frameProduct({
    site,
    head,
    depth: 'changes',
    form,
    title: `${title} · ${head.changelogName}`,
    description,
    canonical,
    isIndexed: !isFiltered,
    alternates:
      canonical === null
        ? []
        : [{ url: `${canonical}.md${queryOf(form)}`, type: 'text/markdown', title: `${title} (Markdown)` }],
    data: describeArticle(
      head,
      { headline: title, ...(canonical !== null && { url: canonical }), description },
      {
        ...(canonical !== null && { releaseNotes: canonical }),
        ...(form.values.to && { softwareVersion: form.values.to[0] }),
      },
    ),
    start: writeStart(site, view, title),
    end: writeEnd(site, view),
  });
}

export function startGroup(type: ChangeType, count: number): string {
  return html`<section class="group">
${writeTypeHeading(type, 2, html` <span class="count">${count}</span>`)}
<ul class="changes">
`.html;
}

export function writeRangeChange({ links }: Site, head: HeadRow, item: RangeItem): string {
  const url = links.fromProduct('changes', head).version(item.version);
  const version = html`\n<a class="in" href="${url}" dir="auto">${item.version.label}</a>`;
  return html`${writeRangeItem(item, head, url, version)}\n`.html;
}

export function endGroup(): string {
  return '</ul>\n</section>\n';
}

function titleOf({ values }: FilterForm): string {
  const [from, to] = [values.from?.[0] ?? '', values.to?.[0] ?? ''];
  if (from !== '' && to !== '') return `Changes from ${from} to ${to}`;
  if (from !== '') return `Changes after ${from}`;
  return to === '' ? 'All changes' : `Changes up to ${to}`;
}

function writeStart({ isStatic }: Site, { form, labels }: ChangesView, title: string): Html {
  return html`<div class="hero">
<h1 class="p-name" dir="auto">${title}</h1>
<p class="lede">Merged by type, breaking changes first.</p>
</div>
${!isStatic && writeForm('changes', form, labels)}
`;
}

function writeEnd(site: Site, { head, form, changeCount }: ChangesView): Html {
  const links = site.links.fromProduct('changes', head);
  const all = links.changes('');
  return html`${changeCount === 0 && writeEmpty(all)}
<nav class="more" aria-label="Other views">
<a href="${links.changelog}"><span aria-hidden="true">←</span> All versions</a>
${all !== null && html`<a href="${all}.md${queryOf(form)}" type="text/markdown">These changes as Markdown</a>`}
</nav>`;
}

/** Without a server, nothing can be chosen. */
function writeEmpty(all: string | null): Html {
  const [title, text] =
    all === null
      ? ['No changes', html`None are listed for these versions.`]
      : ['No changes match', html`Choose other versions, or <a href="${all}">see all changes</a>.`];
  return html`<div class="empty">
<h2>${title}</h2>
<p>${text}</p>
</div>`;
}
