// What there is to read and where, as Markdown for language models (https://llmstxt.org).
import type { ListedProduct } from '../../store/read/lists/listing.ts';
import { describeNewest, linksToOutputs, linkTo, writeLinks } from '../markdown-pages.ts';
import { escapeInline } from '../outputs/markdown.ts';
import type { Frame } from '../outputs/output.ts';
import type { Site } from '../pages/document.ts';
import type { ListView } from '../pages/list-pages.ts';

/** Of one team, or of all. */
export function frameLlms(
  { baseUrl, links, isStatic }: Pick<Site, 'baseUrl' | 'links' | 'isStatic'>,
  team: ListView['team'] = null,
): Frame {
  const start = `# ${team === null ? 'Changelogs' : escapeInline(team.name)}

> What changed in each version of these products. Everything is available as a page, as Markdown, as a feed and as JSON.
`;
  const ofAll =
    team === null
      ? ''
      : `\nAll of them by date, newest first: ${linkTo(team.name, links.markdownOf(links.listUrl(team.slug)))}\n`;
  if (isStatic) return { start: start + FILES_OF_VERSIONS, between: '', end: '' };
  return {
    start: `${start}${ofAll}
Every page is also Markdown: add \`.md\` to its URL, or \`index.md\` if the URL ends with a slash. \`changes.md?from=1.0.0&to=2.0.0\`
below the URL of a changelog compares two versions: what changed after 1.0.0, up to and including 2.0.0, breaking changes
first, then by type. \`versions/latest.md\` has the latest version.

Feeds and CHANGELOG.md take filters: \`type=security\` and \`breaking=true\` leave only such changes, \`from=1.0.0&to=2.0.0\`
only versions in between, and \`prerelease=false\`, \`since\`, \`until\` and \`q\` (words) work as in the API.
`,
    between: '',
    end: `
## API

- [API reference](${baseUrl}/docs): read changelogs as JSON, with search and filters
- [OpenAPI document](${baseUrl}/api/openapi.json): the same for programs
`,
  };
}

const FILES_OF_VERSIONS = `
Next to each CHANGELOG.md, \`changelog.json\` lists all versions, and \`versions/LABEL.md\` has one as Markdown;
\`versions/latest/notes.md\` has the notes of the latest.
`;

/** A product's section: links to its page, then to its formats, those with all versions first. */
export function writeLlmsProduct({ links, outputs }: Site, product: ListedProduct): string {
  const urls = links.fromRoot(product);
  const lines = writeLinks([
    ['Changelog', urls.changelog, describeNewest(product)],
    ['Markdown', links.markdownOf(urls.changelog), 'the newest versions in full'],
    ...linksToOutputs(outputs, urls),
  ]);
  const names = [product.productName, product.teamName].map(escapeInline);
  const title = names[0] === names[1] ? names[0] : `${names[0]} (${names[1]})`;
  return `\n## ${title}\n\n${lines}`;
}
