// What every format's reader holds its versions to: the limits of a content document, and one version a label.
import { findVersionProblems } from '../content/read/problems.ts';
import { formatFieldPath } from '../domain/content/content.ts';
import { Refusal } from '../errors.ts';
import type { ImportedVersion } from './changelog.ts';
import type { SpooledImports } from './spooled-imports.ts';

const LABEL_CHARACTERS_SHOWN = 200;

export function requireValidVersion({ content, line }: ImportedVersion, file: string): void {
  const [problem] = findVersionProblems(content);
  if (problem === undefined) return;
  throw new Refusal(
    `${file}:${line}: ${formatFieldPath(problem.path)} of the version ${JSON.stringify(content.version.slice(0, LABEL_CHARACTERS_SHOWN))}: ${problem.message}`,
  );
}

export function requireUniqueLabel(
  version: ImportedVersion,
  others: Pick<SpooledImports, 'find'>,
  file: string,
): void {
  const other = others.find(version.content.version);
  if (other === undefined) return;
  throw new Refusal(
    `${file}:${version.line}: the version ${version.content.version} stands here a second time, after line ${other.line}: give one of them another label, or have them put together with --merge-duplicates.`,
  );
}
