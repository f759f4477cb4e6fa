// `/changelog/{team}/{product}/versions/{name}`: one version.
import { isDayOf } from '../../domain/timestamp.ts';
import { versionOrder } from '../../domain/version-order.ts';
import { type Html, html } from '../html/template.ts';
import { webImageOf } from '../images.ts';
import type { ProductUrls } from '../links.ts';
import { titleOf } from '../outputs/entry-title.ts';
import { fill, localeOf } from '../words/locale.ts';
import { markdownFile } from './document.ts';
import { canonicalOf, frameProduct, titleWithin } from './product-frame.ts';
import { writeContent, writeName, writeWhen } from './version-parts.ts';
import type { PageFrame, Site, VersionView } from './views.ts';

export function frameVersion(site: Site, view: VersionView): PageFrame {
  const { head, version } = view;
  const { publishedAt, updatedAt } = version;
  const urls = canonicalOf(site, head);
  const canonical = urls?.version(version) ?? null;
  const description = describe(view);
  const image = webImageOf(version.image, version.description?.images[0]);
  const published = publishedAt === null ? {} : { datePublished: publishedAt };
  const title = titleWithin(titleOf(version), head.changelogName, localeOf(head));
  const url = site.links.fromProduct('version', head).version(version);
  return frameProduct({
    site,
    head,
    depth: 'version',
    format: 'h-entry',
    title,
    description,
    canonical,
    isIndexed: true,
    alternates: markdownFile(site, url, title),
    publishedAt,
    image,
    article: {
      headline: titleOf(version),
      ...(canonical !== null && { url: canonical }),
      description,
      ...(image !== null && { image }),
      ...published,
      ...(updatedAt !== publishedAt && { dateModified: updatedAt }),
      isPartOf: {
        '@type': 'CreativeWork',
        name: head.changelogName,
        ...(urls !== null && { url: urls.changelog }),
      },
    },
    application: {
      softwareVersion: version.label,
      ...(canonical !== null && { releaseNotes: canonical }),
      ...published,
    },
    start: writeStart(site, view),
    end: writeEnd(site, view),
  });
}

function describe({ head, version }: VersionView): string {
  const { start = '' } = version.description ?? version.changes[0]?.text ?? {};
  if (start !== '') return start;
  return fill(localeOf(head).words.about.version, { product: head.productName, version: version.label });
}

function writeStart({ links }: Site, { head, version, before }: VersionView): Html {
  const url = links.fromProduct('version', head).version(version);
  const name = writeName(version, head);
  return html`<article class="version single${version.yanked && ' yanked'}">
${writeWhen(version, head, { url, before })}
<div>
<h1 class="p-name">${isDayOf(version) ? html`<a class="u-url" href="${url}">${name}</a>` : name}</h1>
<div class="e-content">
`;
}

export function writeVersionContent({
  head,
  version,
}: Pick<VersionView, 'head' | 'version'>): Generator<string> {
  return writeContent(version, { head, url: '', level: 2 });
}

function writeEnd({ links }: Site, { head, afterUrl }: VersionView): Html {
  const { changelog } = links.fromProduct('version', head);
  const { regions, go, version: words } = localeOf(head).words;
  return html`</div>
</div>
</article>
<nav class="more" aria-label="${regions.otherVersions}">
<a href="${changelog}"><span aria-hidden="true">←</span> ${go.allVersions}</a>
${afterUrl !== null && html`<a href="${afterUrl}" rel="nofollow">${words.after}</a>`}
</nav>`;
}

/** Everything after a version, on a server; null if there is nothing. */
export function afterUrlOf(
  { changes }: Pick<ProductUrls, 'changes'>,
  label: string,
  highest: string | null,
): VersionView['afterUrl'] {
  const order = versionOrder(label);
  if (order === null || order === highest) return null;
  return changes(`?${new URLSearchParams({ from: label })}`);
}
