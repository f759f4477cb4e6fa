// `/changelog/{team}/{product}`: a product's versions, newest first.
import type { HeadRow } from '../../store/read/reads.ts';
import { type Html, html } from '../html/template.ts';
import { authored } from './document.ts';
import { queryOf, writeAppliedFilters, writeFilterLinks, writeForm } from './filters.ts';
import { describeArticle, frameProduct, linksFrom, urlsOf } from './product-frame.ts';
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
    form: view.form,
    format: 'h-feed',
    title: `${head.changelogName} · ${head.teamName}`,
    description,
    canonical,
    isIndexed: !view.isFiltered && !view.isContinued,
    data: describeArticle(
      head,
      { headline: head.changelogName, url: canonical },
      { releaseNotes: canonical },
    ),
    start: writeStart(view),
    end: writeEnd(view),
  });
}

/** A version in the list, in pieces. */
export function* writeVersionArticle(head: HeadRow, version: RenderedVersion): Generator<string> {
  const url = linksFrom('changelog', head).version(version);
  yield html`<article class="version h-entry${version.yanked && ' yanked'}">
${writeWhen(version, head, null)}
<div>
<h2><a class="u-url p-name" href="${url}">${writeName(version, head)}</a></h2>
<div class="e-content">
`.html;
  yield* writeContent(version, { head, url, level: 3 });
  yield '</div>\n</div>\n</article>\n';
}

function writeStart(view: ChangelogView): Html {
  const { head, description } = view;
  return html`<div class="hero">
<h1 class="p-name"${authored(head.language)}>${head.changelogName}</h1>
<p class="lede">What is new in <span${authored(head.language)}>${head.productName}</span>, newest first.</p>${description !== null && html`\n<div class="lede text"${authored(head.language)}>${{ html: description }}</div>`}
</div>
${hasVersions(view) && writeFilters(view)}
`;
}

/** On this page or on another one. */
const hasVersions = ({ versionCount, isFiltered, isContinued }: ChangelogView): boolean =>
  versionCount > 0 || isFiltered || isContinued;

/** If nothing matches, more filters are useless. */
function writeFilters({ head, form, labels, years, isFiltered, versionCount }: ChangelogView): Html {
  const page = linksFrom('changelog', head).changelog;
  return html`${writeForm('changelog', form, labels)}
${versionCount > 0 && writeFilterLinks(page, form, years)}
${isFiltered && writeAppliedFilters(page, form)}`;
}

function writeEnd(view: ChangelogView): Html {
  const { head, form, range, olderQuery } = view;
  const links = linksFrom('changelog', head);
  if (view.versionCount === 0) return writeEmpty(view, links.changelog);
  const compared = range === null ? '' : `?${new URLSearchParams(range)}`;
  return html`<nav class="more" aria-label="More versions">
${olderQuery !== null && html`<a rel="next" href="${olderQuery}">Older versions <span aria-hidden="true">→</span></a>`}
${view.isContinued && html`<a href="${queryOf(form) || links.changelog}">Newest versions</a>`}
<a href="${links.changes}${compared}">Compare versions</a>
</nav>`;
}

function writeEmpty({ isFiltered, isContinued }: ChangelogView, page: string): Html {
  if (isFiltered)
    return writeNote(
      'No versions match',
      html`Try other filters, or <a href="${page}">clear all filters</a>.`,
    );
  return isContinued
    ? writeNote('No older versions', html`<a href="${page}">See the newest versions</a>.`)
    : writeNote('Nothing is published yet', html`New versions appear here.`);
}

function writeNote(title: string, text: Html): Html {
  return html`<div class="empty">
<h2>${title}</h2>
<p>${text}</p>
</div>`;
}
