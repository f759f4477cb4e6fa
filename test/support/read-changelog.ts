// Reads an exported CHANGELOG.md with the program's own reader.
import assert from 'node:assert/strict';
import { inputFromBytes } from '../../src/content/input/input.ts';
import type { VersionContent } from '../../src/domain/content/content.ts';
import { readChangelog as readSource } from '../../src/import/read.ts';

export function readChangelog(text: string): { name: string | null; versions: VersionContent[] } {
  const { name, versions, close } = readSource(inputFromBytes(Buffer.from(text), 'CHANGELOG.md'), {
    format: 'auto',
  });
  try {
    assert.ok([...versions].every(({ isDated }) => isDated));
    return { name, versions: [...versions].map(({ content }) => content) };
  } finally {
    close();
  }
}
