// The page's first section, in Markdown: from a first request to paging, browsers, the client and the pages.
import type { OpenApiDocument, Operation, Response } from '../openapi/types.ts';
import guide from './guide.json' with { type: 'json' };
import { needsPassword, type OperationWithPath, urlOf, writeCurl } from './operations.ts';
import { formatJson } from './texts.ts';

/** The commands work in the demo; the texts explain what to replace. */
export function guideText(document: OpenApiDocument): string {
  const shown = firstOf(document, 'Public');
  const keyed = firstOf(document, 'Authenticated');
  const { content = {} } = shown.responses[200] as Response;
  const [example] = Object.values(content['application/json']?.examples ?? {});
  const values: Readonly<Record<string, string>> = {
    server: document.servers[0]?.url ?? '',
    changelog: urlOf(document, shown.path),
    curl: writeCurl(shown, ''),
    withKey: writeCurl(keyed, urlOf(document, keyed.path)),
    response: formatJson(example?.value),
    link: String(document.components.headers.Link?.example),
  };
  return Object.entries(guide)
    .filter(([title]) => title !== 'Cross-origin requests' || !needsPassword(shown))
    .flatMap(([title, texts]) => [`## ${title}`, ...texts])
    .join('\n\n')
    .replaceAll(/<(\w+)>/g, (text, name: string) => values[name] ?? text);
}

/** The changelog is the first operation of each API. */
function firstOf({ paths }: OpenApiDocument, tag: string): OperationWithPath {
  const [path, { get }] = Object.entries(paths).find(([, each]) => each.get.tags.includes(tag)) as [
    string,
    { get: Operation },
  ];
  return { path, ...get };
}
