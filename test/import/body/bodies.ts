// Reads the body of one version.
import type { ChangeContent, VersionContent } from '../../../src/domain/content/content.ts';
import type { ChangeType } from '../../../src/domain/model.ts';
import { type ReadOptions, readChangelog } from '../../../src/import/read.ts';

type Body = Pick<VersionContent, 'description' | 'changes'>;

export function versionOf(body: string, options: Partial<ReadOptions> = {}): Body {
  const input = { bytes: Buffer.from(`## 1.0.0 - 2026-05-04\n\n${body}\n`), name: 'C.md' };
  const { versions } = readChangelog(input, { format: 'auto', ...options });
  const [version] = versions;
  const { description = null, changes = [] } = version?.content ?? {};
  return { description, changes };
}

export function changesOf(body: string, options: Partial<ReadOptions> = {}): readonly ChangeContent[] {
  return versionOf(body, options).changes;
}

/** With an exclamation mark if it is breaking. */
export function typesOf(body: string): string[] {
  return changesOf(body).map(({ type, breaking }) => `${type}${breaking ? '!' : ''}`);
}

export function change(type: ChangeType, text: string, breaking = false): ChangeContent {
  return { type, text, breaking };
}
