// `/changelog/{team}/{product}`: the versions of a product, newest first.
import type { HeadRow } from '../../store/read/reads.ts';
import { type Html, html } from '../html/template.ts';
import { authored } from './document.ts';
import { queryOf, writeAppliedFilters, writeForm, writeTypeLinks, writeYearLinks } from './filters.ts';
import { describeArticle, frameProduct, linksFrom, urlsOf, writeLogo } from './product-frame.ts';
import { writeContent, writeName, writeWhen } from './version-parts.ts';
import type { ChangelogView, PageFrame, RenderedVersion, Site } from './views.ts';

export function frameChangelog(site: Site, view: ChangelogView): PageFrame {
  const { head } = view;
  const canonical = urlsOf(site, head).changelog;
  const description = `What is new in ${head.productName}: the versions published by ${head.teamName}, newest first.`;
  return frameProduct({
    site,
    head,
    depth: 'changelog',
    title: `${head.changelogName} · ${head.teamName}`,
    description,
    canonical,
    isIndexed: !view.isFiltered && !view.isContinued,
    data: describeArticle(
      head,
      { headline: head.changelogName, url: canonical, description },
      { releaseNotes: canonical },
    ),
    start: writeStart(view),
    end: writeEnd(view),
  });
}

/** A version in the list. */
export function writeVersionArticle(head: HeadRow, version: RenderedVersion): string {
  const url = linksFrom('changelog', head).version(version);
  return html`<article class="version h-entry${version.yanked && ' yanked'}">
${writeWhen(version, head, null)}
<div class="body">
<h2><a class="u-url p-name" href="${url}">${writeName(version, head)}</a></h2>
<div class="e-content">
${writeContent(version, { head, url, level: 3 })}
</div>
</div>
</article>
`.html;
}

function writeStart(view: ChangelogView): Html {
  const { head, form, years } = view;
  const page = linksFrom('changelog', head).changelog;
  return html`<div class="hero">
${writeLogo(head.logo)}
<h1 class="p-name"${authored(head.language)}>${head.changelogName}</h1>
<p class="lede">Everything new in <span${authored(head.language)}>${head.productName}</span>, newest first.</p>
</div>
${writeForm('changelog', form)}
${writeTypeLinks(page, form)}
${writeYearLinks(page, form, years)}
${view.isFiltered && writeAppliedFilters(page, form)}
`;
}

function writeEnd(view: ChangelogView): Html {
  const { head, range, olderQuery, versionCount } = view;
  const links = linksFrom('changelog', head);
  return html`${versionCount === 0 && writeEmpty(view, links.changelog)}
<nav class="more" aria-label="More versions">
${olderQuery !== null && html`<a rel="next" href="${olderQuery}">Older versions <span aria-hidden="true">→</span></a>`}
${view.isContinued && html`<a href="${queryOf(view.form) || links.changelog}">Newest versions</a>`}
${range === null ? html`<a href="${links.changes}">Compare versions</a>` : html`<a href="${links.changes}?${String(new URLSearchParams(range))}">Compare versions</a>`}
</nav>`;
}

function writeEmpty({ isFiltered, isContinued }: ChangelogView, page: string): Html {
  if (isFiltered)
    return html`<div class="empty">
<h2>No versions match</h2>
<p>Try fewer filters, or <a href="${page}">clear all filters</a>.</p>
</div>`;
  return html`<div class="empty">
<h2>${isContinued ? 'No older versions' : 'Nothing is published yet'}</h2>
<p>${isContinued ? html`<a href="${page}">See the newest versions</a>.` : html`New versions appear here as soon as they are published.`}</p>
</div>`;
}
