// The body of a GitHub release: a version in any of the Markdown formats, usually without its heading.

import { joinTexts } from '../collect-versions.ts';
import { parseBody, type VersionBody } from '../markdown/body.ts';
import { parseVersionHeading, type VersionHeading } from '../markdown/headings.ts';
import { linkOf, References } from '../markdown/references.ts';
import { scan } from '../markdown/scan.ts';
import type { ImportRules } from '../rules.ts';

type ReleaseBody = VersionBody & Readonly<{ title: string; yanked: boolean }>;

export function parseReleaseBody(
  markdown: string,
  { tag, rules }: Readonly<{ tag: string; rules: ImportRules }>,
): ReleaseBody {
  const references = new References();
  const lines: string[] = [];
  let own: VersionHeading | null = null;
  let hasHeading = false;
  for (const { text, heading, definition } of scan(markdown.split('\n'), false)) {
    if (definition) references.add(definition);
    // Some tools put the heading of the version into the body.
    const repeated = heading !== null && !hasHeading ? parseRepeated(heading.text, tag) : null;
    own ??= repeated;
    hasHeading ||= heading !== null;
    if (definition === null && repeated === null) lines.push(text);
    else if (lines.at(-1) !== '') lines.push('');
  }
  const { description, changes } = parseBody(lines, { format: 'github-releases', isOwnFormat: false, rules });
  return {
    title: own?.title ?? '',
    yanked: own?.isYanked ?? false,
    changes: changes.map((change) => ({ ...change, text: references.resolve(change.text) })),
    description: joinTexts(
      description === null ? null : references.resolve(description),
      own === null ? null : linkOf(own, references),
      references.formatUnused() || null,
    ),
  };
}

function parseRepeated(text: string, tag: string): VersionHeading | null {
  const heading = parseVersionHeading(text);
  return heading !== null && withoutV(heading.label) === withoutV(tag) ? heading : null;
}

function withoutV(label: string): string {
  return label.replace(/^v/i, '');
}
