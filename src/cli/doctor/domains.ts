// The domains of products (R60). Whether a certificate exists for one is the business of the proxy.
import { COMMAND } from '../../command-name.ts';
import { type ListedDomain, listAllDomains } from '../../store/catalogue/health.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { NAMED_MAX } from '../report/dates.ts';
import { type Finding, fail, note, pass, when } from './finding.ts';

export async function checkDomains(db: Reader, baseUrl: string): Promise<Finding[]> {
  const domains = await listAllDomains(db);
  const ownHost = URL.parse(baseUrl)?.hostname;
  const own = domains.filter(({ domain }) => domain === ownHost);
  const others = domains.filter(({ domain }) => domain !== ownHost);
  const served = others.filter(({ isPublic }) => isPublic);
  const hidden = others.filter(({ isPublic }) => !isPublic);
  return [
    ...own.map(({ domain, product }) =>
      fail(
        'domains',
        `${domain} is the domain of ${product} and the host of BASE_URL, so it leads to all changelogs and not to ${product}. Choose another: ${COMMAND} product set ${product} --domain NAME`,
      ),
    ),
    ...when(
      [served.length > 0, pass('domains', `In use: ${nameSome(served)}.`)],
      [
        hidden.length > 0,
        note('domains', `Not in use, because the product is not public: ${nameSome(hidden)}.`),
      ],
    ),
  ];
}

function nameSome(domains: readonly ListedDomain[]): string {
  const named = domains.slice(0, NAMED_MAX).map(({ domain, product }) => `${domain} (${product})`);
  const rest = domains.length - named.length;
  return `${named.join(', ')}${rest > 0 ? ` and ${rest.toLocaleString('en')} more` : ''}`;
}
