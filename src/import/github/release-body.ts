// The body of a GitHub release: a version in any of the Markdown formats, usually without its heading.

import { joinTexts } from '../collect-versions.ts';
import { takeComparison } from '../comparisons.ts';
import { parseBody, type VersionBody } from '../markdown/body.ts';
import { outline } from '../markdown/outline.ts';
import { linkOf } from '../markdown/references.ts';
import { parseVersionHeading, type VersionHeading } from '../markdown/versions/parse.ts';
import type { ImportRules } from '../rules.ts';

type ReleaseBody = VersionBody & Readonly<{ title: string; yanked: boolean; compare: string | null }>;

export function parseReleaseBody(
  markdown: string,
  { tag, rules }: Readonly<{ tag: string; rules: ImportRules }>,
): ReleaseBody {
  const { lines, headings, references } = outline(markdown.split('\n'), { isOwnFormat: false, rule: null });
  // Some tools put the heading of the version into the body.
  const first = headings.find(({ mark }) => mark === 'heading');
  const own = first === undefined ? null : parseRepeated(first.text, tag);
  const rest = own === null ? lines : lines.with((first?.line ?? 1) - 1, '');
  const body = parseBody(rest, { format: 'github-releases', isOwnFormat: false, rules });
  const link = own && linkOf(own, references);
  const { description, compare } = takeComparison(
    body.description && references.resolve(body.description),
    link?.compare ?? null,
  );
  return {
    sections: body.sections,
    title: own?.title ?? '',
    yanked: own?.isYanked ?? false,
    compare,
    changes: body.changes.map((change) => ({ ...change, text: references.resolve(change.text) })),
    description: joinTexts(description, link?.text ?? null, references.formatUnused() || null),
  };
}

function parseRepeated(text: string, tag: string): VersionHeading | null {
  const heading = parseVersionHeading(text);
  return heading !== null && withoutV(heading.label) === withoutV(tag) ? heading : null;
}

function withoutV(label: string): string {
  return label.replace(/^v/i, '');
}
