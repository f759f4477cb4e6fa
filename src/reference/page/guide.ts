// The page's first section: from a first request to paging, browsers, the client and the pages.
import { html } from '../../present/html/template.ts';
import { PAGES_PATH } from '../../present/page-paths.ts';
import { needsPassword } from '../openapi/security.ts';
import type { OpenApiDocument, Operation, Response } from '../openapi/types.ts';
import { anchorOf, code, formatJson, markdown, type Section } from './html.ts';
import { fillPath, type OperationWithPath, writeCurl } from './operations.ts';

/** The commands work in the demo; the texts explain what to replace. */
export function writeGuide(document: OpenApiDocument): Section {
  const server = document.servers[0]?.url ?? '';
  const shown = firstOf(document, 'Public');
  const keyed = firstOf(document, 'Authenticated');
  const changelog = server + fillPath(document, shown.path);
  const curl = (url: string) => writeCurl(shown, url);
  const withKey = writeCurl(keyed, server + fillPath(document, keyed.path));
  const parts = [
    quickStart(shown, { changelog, curl, withKey }),
    paging(document, curl(`'${changelog}?limit=2'`)),
    ...(needsPassword(shown) ? [] : [browsers(changelog)]),
    client(server),
    pages(),
  ].map((part) => ({ ...part, anchor: anchorOf('guide', part.title) }));
  return {
    title: 'Guide',
    anchor: 'guide',
    links: parts,
    content: html`${parts.map(({ title, anchor, content }) => html`<h3 id="${anchor}">${title}</h3>\n${content}`)}`,
  };
}

/** The changelog is the first operation of each API. */
function firstOf({ paths }: OpenApiDocument, tag: string): OperationWithPath {
  const [path, { get }] = Object.entries(paths).find(([, each]) => each.get.tags.includes(tag)) as [
    string,
    { get: Operation },
  ];
  return { path, ...get };
}

function quickStart(
  { responses }: OperationWithPath,
  {
    changelog,
    curl,
    withKey,
  }: Readonly<{ changelog: string; curl: (url: string) => string; withKey: string }>,
) {
  const { content } = responses[200] as Response;
  const [example] = Object.values(content?.['application/json']?.examples ?? {});
  return {
    title: 'Quick start',
    content: html`${markdown('Ask for the changelog of a product. Public content needs no key. `acme` and `rocket` are in the demo: replace them with your team and product.')}
${code('First request', curl(changelog))}
${code('Response', formatJson(example?.value))}
${markdown('Versions are sorted by date, newest first. From here:')}
${code(
  'Next requests',
  [
    '# the highest stable version, with its changes',
    curl(`${changelog}/versions/latest`),
    '# everything that changed after 1.4.0, by type',
    curl(`'${changelog}/changes?from=1.4.0'`),
    '# versions with security fixes or removals, with all their changes',
    curl(`'${changelog}?type=security&type=removed&include=changes'`),
    '# drafts too, with an API key',
    withKey,
  ].join('\n'),
)}`,
  };
}

function paging({ components }: OpenApiDocument, firstPage: string) {
  return {
    title: 'Paging',
    content: html`${markdown('A changelog is one page unless you set `limit`, from 1 to 100, or `include=changes`, which returns at most 100 versions. If there are more, the `Link` header has the URL of the next page:')}
${code('First page', firstPage.replace('curl', 'curl -i'))}
${code('Response header', `link: ${components.headers.Link?.example}`)}
${markdown('Use the URL as it is, until a response has none. A page begins right after the last version of the previous one: no version is missed or repeated while others are added or removed. A cursor is valid for its path and filters only.')}`,
  };
}

function browsers(changelog: string) {
  return {
    title: 'Cross-origin requests',
    content: html`${markdown('Scripts of any site may read public responses, and their `ETag`, `Link`, `RateLimit`, `RateLimit-Policy`, `Retry-After` and `X-Request-Id`:')}
${code('In a web page', `const response = await fetch('${changelog}?limit=5');\nconst { data } = await response.json();`)}
${markdown('The authenticated API sends no CORS headers: other sites cannot read its responses. Never put an API key into a web page, because its visitors can read it.')}`,
  };
}

function client(server: string) {
  return {
    title: 'The client',
    content: html`${markdown('The package `changelog-read-client` is a typed client for browsers, Node.js, Deno, Bun and edge runtimes: one file without dependencies. It follows pages, sends ETags, and retries if you ask it to.')}
${code(
  'JavaScript',
  `import { ChangelogClient } from 'changelog-read-client';

const client = new ChangelogClient({ baseUrl: '${server}', team: 'acme', product: 'rocket' });
const latest = await client.latest();
const { groups } = await client.changesBetween('1.4.0', latest.version);
for await (const { version, title } of client.versions({ type: 'security' })) console.log(version, title);`,
)}`,
  };
}

function pages() {
  return {
    title: 'Pages and feeds',
    content: markdown(
      `Every public product also has a page for people, \`${PAGES_PATH}/{team}/{product}\`, with pages for a version (\`…/versions/{label}\`) and for what changed between two (\`…/changes?from=…&to=…\`). Feed readers use [Atom, RSS or JSON Feed](#operations-feeds).`,
    ),
  };
}
