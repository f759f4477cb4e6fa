import type { ReadableFormat } from '../../../src/import/changelog.ts';
import { readChangelog } from '../../../src/import/read.ts';

/** What is read of a text: labels with days and changes, and what markup it is. */
export function read(name: string, text: string, format: ReadableFormat | 'auto' = 'auto') {
  const { versions, markup, warnings } = readChangelog(
    { bytes: Buffer.from(text), name: name },
    {
      format,
    },
  );
  const all = [...versions];
  return {
    markup,
    warnings,
    labels: all.map(({ content }) => content.version),
    lines: all.map(({ line }) => line),
    days: all.map(({ content }) => content.publishedAt?.slice(0, 10) ?? content.status),
    descriptions: all.map(({ content }) => content.description),
    changes: all.map(({ content }) => content.changes.map(({ text: change }) => change)),
    types: all.map(({ content }) => content.changes.map(({ type }) => type)),
  };
}
