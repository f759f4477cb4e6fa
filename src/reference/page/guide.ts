// The page's first section, in Markdown: from a first request to paging, browsers, the client and the pages.
import { PAGES_PATH } from '../../present/page-paths.ts';
import type { OpenApiDocument, Operation, Response } from '../openapi/types.ts';
import { needsPassword, type OperationWithPath, urlOf, writeCurl } from './operations.ts';
import { formatJson } from './texts.ts';

/** The commands work in the demo; the texts explain what to replace. */
export function guideText(document: OpenApiDocument): string {
  const shown = firstOf(document, 'Public');
  const keyed = firstOf(document, 'Authenticated');
  const changelog = urlOf(document, shown.path);
  const curl = (url: string) => writeCurl(shown, url);
  const { content = {} } = shown.responses[200] as Response;
  const [example] = Object.values(content['application/json']?.examples ?? {});
  return `## Quick start

Ask for the changelog of a product. Public content needs no key. \`acme\` and \`rocket\` are in the demo: replace them with your team and product.

${block(curl(changelog))}

The response:

${block(formatJson(example?.value))}

Versions are sorted by date, newest first. From here, ask for the highest stable version with its changes:

${block(curl(`${changelog}/versions/latest`))}

For everything that changed after 1.4.0, by type:

${block(curl(`'${changelog}/changes?from=1.4.0'`))}

For versions with security fixes or removals, with all their changes:

${block(curl(`'${changelog}?type=security&type=removed&include=changes'`))}

Or, with an API key, for drafts too:

${block(writeCurl(keyed, urlOf(document, keyed.path)))}

## Paging

A changelog is one page unless you set \`limit\`, from 1 to 100, or \`include=changes\`, which returns at most 100 versions. If there are more, the \`Link\` header has the URL of the next page:

${block(curl(`-i '${changelog}?limit=2'`))}

${block(`link: ${document.components.headers.Link?.example}`)}

Use the URL as it is, until a response has none. A page begins right after the last version of the previous one: no version is missed or repeated while others are added or removed. A cursor is valid for its path and filters only.

${needsPassword(shown) ? '' : browsers(changelog)}## The client

The package \`changelog-read-client\` is a typed client for browsers, Node.js, Deno, Bun and edge runtimes: one file without dependencies. It follows pages, sends ETags, and retries if you ask it to.

${block(`import { ChangelogClient } from 'changelog-read-client';

const client = new ChangelogClient({ baseUrl: '${document.servers[0]?.url}', team: 'acme', product: 'rocket' });
const latest = await client.latest();
const { groups } = await client.changesBetween('1.4.0', latest.version);
for await (const { version, title } of client.versions({ type: 'security' })) console.log(version, title);`)}

## Pages and feeds

Every public product also has a page for people, \`${PAGES_PATH}/{team}/{product}\`, with pages for a version (\`…/versions/{label}\`) and for what changed between two (\`…/changes?from=…&to=…\`). Feed readers use [Atom, RSS or JSON Feed](#operations-feeds).`;
}

/** The changelog is the first operation of each API. */
function firstOf({ paths }: OpenApiDocument, tag: string): OperationWithPath {
  const [path, { get }] = Object.entries(paths).find(([, each]) => each.get.tags.includes(tag)) as [
    string,
    { get: Operation },
  ];
  return { path, ...get };
}

const block = (text: string) => `\`\`\`\n${text}\n\`\`\``;

function browsers(changelog: string): string {
  return `## Cross-origin requests

Scripts of any site may read public responses, and their \`ETag\`, \`Link\`, \`RateLimit\`, \`RateLimit-Policy\`, \`Retry-After\` and \`X-Request-Id\`:

${block(`const response = await fetch('${changelog}?limit=5');\nconst { data } = await response.json();`)}

The authenticated API sends no CORS headers: other sites cannot read its responses. Never put an API key into a web page, because its visitors can read it.

`;
}
