// The releases of AppStream, which app stores on Linux show (R58).
import { isPrerelease, versionOrder } from '../../domain/version-order.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import { toAppStreamMarkup } from './appstream-markup.ts';
import { type Entry, entriesBy } from './entry.ts';
import type { Output } from './output.ts';
import { element, escapeXml, XML_DECLARATION } from './xml.ts';

const RELEASES_MAX = 50;
const CVE = /\bCVE-\d{4}-\d{4,}\b/gi;

export const appStream: Output = {
  ...entriesBy(writeRelease),
  name: 'AppStreamReleases',
  summary: 'The newest versions as AppStream releases, for app stores on Linux.',
  description: `The newest ${RELEASES_MAX} versions, highest first, with only the markup that AppStream allows. A version with a security fix is critical. Prereleases are of the type development, and their \`version\` has a tilde (\`2.0.0~rc.1\`), which AppStream sorts before 2.0.0.`,
  mediaType: 'application/xml',
  label: null,
  about: `the newest ${RELEASES_MAX} versions as AppStream releases, for app stores on Linux`,
  versionsMax: RELEASES_MAX,
  arrange: highestFirst,
  frame: () => ({ start: `${XML_DECLARATION}\n<releases>\n`, between: '', end: '</releases>\n' }),
};

function writeRelease({ url, publishedAt, html }: Entry, { label, changes }: FullVersion): string {
  const fixes = changes.filter(({ type }) => type === 'security');
  const type = isPrerelease(label) ? 'development' : 'stable';
  const urgency = fixes.length > 0 ? ' urgency="critical"' : '';
  const description = toAppStreamMarkup(html);
  const issues = new Set(fixes.flatMap(({ text }) => text.toUpperCase().match(CVE) ?? []));
  return [
    `<release version="${escapeXml(comparable(label))}" type="${type}" date="${publishedAt.slice(0, 10)}"${urgency}>`,
    // AppStream allows no relative ones, which a static site may have.
    ...(URL.canParse(url) ? [element('url', url, ' type="details"')] : []),
    ...(description === '' ? [] : [`<description>\n${description}\n</description>`]),
    ...(issues.size === 0
      ? []
      : [`<issues>\n${[...issues].map((id) => element('issue', id, ' type="cve"')).join('\n')}\n</issues>`]),
    '</release>\n',
  ].join('\n');
}

/** As AppStream compares versions: digits first, and a prerelease before its release. */
function comparable(label: string): string {
  if (versionOrder(label) === null) return label;
  const version = label.replace(/^v/i, '');
  return isPrerelease(label) ? version.replace('-', '~') : version;
}

/** AppStream expects this order, whenever a version was published; others stay newest first. */
function highestFirst(versions: readonly FullVersion[]): readonly FullVersion[] {
  const orders = new Map(versions.map((version) => [version, versionOrder(version.label)]));
  if ([...orders.values()].includes(null)) return versions;
  const orderOf = (version: FullVersion) => orders.get(version) as string;
  return versions.toSorted((one, other) =>
    orderOf(one) < orderOf(other) ? 1 : orderOf(one) > orderOf(other) ? -1 : 0,
  );
}
