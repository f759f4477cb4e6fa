// Reads an exported CHANGELOG.md with the program's own reader.
import assert from 'node:assert/strict';
import type { VersionContent } from '../../src/domain/content/content.ts';
import { readChangelog as readSource } from '../../src/import/read.ts';

export function readChangelog(text: string): {
  name: string | null;
  description: string | null;
  versions: VersionContent[];
} {
  const { name, description, versions } = readSource(
    { bytes: Buffer.from(text), name: 'CHANGELOG.md' },
    {
      format: 'auto',
    },
  );
  assert.ok([...versions].every(({ isDated }) => isDated));
  return { name, description, versions: [...versions].map(({ content }) => content) };
}
