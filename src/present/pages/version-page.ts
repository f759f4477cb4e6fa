// `/changelog/{team}/{product}/versions/{name}`: one version.
import { versionOrder } from '../../domain/version-order.ts';
import { type Html, html } from '../html/template.ts';
import { titleOf } from '../outputs/entry-title.ts';
import { plainText } from './document.ts';
import { describeArticle, frameProduct, linksFrom, urlsOf } from './product-frame.ts';
import { writeContent, writeName, writeWhen } from './version-parts.ts';
import type { PageFrame, Site, VersionView } from './views.ts';

export function frameVersion(site: Site, view: VersionView): PageFrame {
  const { head, version } = view;
  const { publishedAt, updatedAt } = version;
  const urls = urlsOf(site, head);
  const canonical = urls.version(version);
  const description = describe(view);
  const published = publishedAt === null ? {} : { datePublished: publishedAt };
  const modified = updatedAt === publishedAt ? {} : { dateModified: updatedAt };
  return frameProduct({
    site,
    head,
    depth: 'version',
    format: 'h-entry',
    title: `${titleOf(version)} · ${head.changelogName}`,
    description,
    canonical,
    isIndexed: true,
    publishedAt,
    data: describeArticle(
      head,
      {
        headline: titleOf(version),
        url: canonical,
        description,
        ...published,
        ...modified,
        isPartOf: { '@type': 'CreativeWork', name: head.changelogName, url: urls.changelog },
      },
      { softwareVersion: version.label, releaseNotes: canonical, ...published },
    ),
    start: writeStart(view),
    end: writeEnd(view),
  });
}

function describe({ head, version }: VersionView): string {
  const text = plainText(version.description ?? version.changes[0]?.html ?? '');
  return text === '' ? `What is new in ${head.productName} ${version.label}.` : text;
}

function writeStart({ head, version }: VersionView): Html {
  const url = linksFrom('version', head).version(version);
  return html`<article class="version single${version.yanked && ' yanked'}">
${writeWhen(version, head, url)}
<div>
<h1 class="p-name">${writeName(version, head)}</h1>
<div class="e-content">
`;
}

export function writeVersionContent({ head, version }: VersionView): Generator<string> {
  return writeContent(version, { head, url: '', level: 2 });
}

function writeEnd({ head, version }: VersionView): Html {
  const links = linksFrom('version', head);
  const isComparable = versionOrder(version.label) !== null;
  return html`</div>
</div>
</article>
<nav class="more" aria-label="Other versions">
<a href="${links.changelog}"><span aria-hidden="true">←</span> All versions</a>
${isComparable && html`<a href="${links.changes}?${String(new URLSearchParams({ from: version.label }))}">What changed after this version</a>`}
</nav>`;
}
