import type { Heading } from '../../../../src/import/markdown/scan.ts';
import { Names } from '../../../../src/import/markdown/versions/names.ts';
import { dissectHeading, type HeadingParts } from '../../../../src/import/markdown/versions/parts.ts';

export function partsOf(text: string): HeadingParts {
  const parts = dissectHeading(text);
  if (parts === null) throw new Error(`not a version: ${text}`);
  return parts;
}

/** Of headings such as `## 1.2.0`, on lines that begin with 1; those that are no versions are left out. */
export function namesIn(headings: readonly string[]): Names {
  const names = new Names();
  for (const [index, heading] of headings.entries()) {
    const { level, text } = headingOf(heading);
    const parts = dissectHeading(text);
    if (parts !== null) names.add(parts, level, index + 1, text);
  }
  return names;
}

export function headingOf(heading: string): Heading {
  const [, marks = '', text = ''] = /^(#+) (.*)$/.exec(heading) ?? [];
  return { level: marks.length, text, isUnderlined: false };
}
