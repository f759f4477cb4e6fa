// `/changelog/{team}/{product}`: a product's versions, newest first.
import type { HeadRow } from '../../store/read/reads.ts';
import { type Html, html } from '../html/template.ts';
import { authored } from './document.ts';
import { queryOf, writeAppliedFilters, writeFilterLinks, writeForm } from './filters.ts';
import { canonicalOf, describeArticle, frameProduct, namesTeam } from './product-frame.ts';
import { writeContent, writeName, writeWhen } from './version-parts.ts';
import type { ChangelogView, PageFrame, RenderedVersion, Site } from './views.ts';

export function frameChangelog(site: Site, view: ChangelogView): PageFrame {
  const { head } = view;
  const canonical = canonicalOf(site, head)?.changelog ?? null;
  const hasTeam = namesTeam(site, head);
  const versions = hasTeam ? `the versions published by ${head.teamName}` : 'all versions';
  return frameProduct({
    site,
    head,
    depth: 'changelog',
    form: view.form,
    format: 'h-feed',
    title: hasTeam ? `${head.changelogName} · ${head.teamName}` : head.changelogName,
    description: `What is new in ${head.productName}: ${versions}, newest first.`,
    canonical,
    isIndexed: !view.isFiltered && !view.isContinued,
    data: describeArticle(
      head,
      { headline: head.changelogName, ...(canonical !== null && { url: canonical }) },
      canonical === null ? {} : { releaseNotes: canonical },
    ),
    start: writeStart(site, view),
    end: writeEnd(site, view),
  });
}

/** A version in the list, in pieces. */
export function* writeVersionArticle(
  { links }: Site,
  head: HeadRow,
  version: RenderedVersion,
): Generator<string> {
  const url = links.fromProduct('changelog', head).version(version);
  yield html`<article class="version h-entry${version.yanked && ' yanked'}" id="${version.id}">
${writeWhen(version, head, null)}
<div>
<h2><a class="u-url p-name" href="${url}">${writeName(version, head)}</a></h2>
<div class="e-content">
`.html;
  yield* writeContent(version, { head, url, level: 3 });
  yield '</div>\n</div>\n</article>\n';
}

function writeStart(site: Site, view: ChangelogView): Html {
  const { head, description } = view;
  return html`<div class="hero">
<h1 class="p-name"${authored(head.language)}>${head.changelogName}</h1>
<p class="lede">What is new in <span${authored(head.language)}>${head.productName}</span>, newest first.</p>${description !== null && html`\n<div class="lede text"${authored(head.language)}>${{ html: description }}</div>`}
</div>
${hasVersions(view) && writeFilters(site, view)}
`;
}

/** On this page or on another one. */
const hasVersions = ({ versionCount, isFiltered, isContinued }: ChangelogView): boolean =>
  versionCount > 0 || isFiltered || isContinued;

/** If nothing matches, more filters are useless. */
function writeFilters(site: Site, view: ChangelogView): Html {
  const { head, form, labels, isFiltered, versionCount } = view;
  const links = site.links.fromProduct('changelog', head);
  return html`${!site.isStatic && writeForm('changelog', form, labels)}
${versionCount > 0 && writeFilterLinks({ ...view, links, isStatic: site.isStatic })}
${isFiltered && writeAppliedFilters(links, form)}`;
}

function writeEnd(site: Site, view: ChangelogView): Html {
  const { head, form, range, olderUrl } = view;
  const links = site.links.fromProduct('changelog', head);
  if (view.versionCount === 0) return writeEmpty(view, links.changelog);
  const changes = links.changes(range === null ? '' : `?${new URLSearchParams(range)}`);
  return html`<nav class="more" aria-label="More versions">
${olderUrl !== null && html`<a rel="next" href="${olderUrl}">Older versions <span aria-hidden="true">→</span></a>`}
${view.isContinued && html`<a href="${links.filtered(queryOf(form))}">Newest versions</a>`}
${changes !== null && html`<a href="${changes}">Compare versions</a>`}
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
