import { findVersionProblems } from '../content/read/problems.ts';
import { formatFieldPath } from '../domain/content/content.ts';
import { Refusal } from '../errors.ts';
import type { ImportedVersion } from './changelog.ts';

const LABEL_CHARACTERS_SHOWN = 200;

export function requireValidVersion({ content, line }: ImportedVersion, file: string): void {
  const [problem] = findVersionProblems(content);
  if (problem === undefined) return;
  throw new Refusal(
    `${file}:${line}: version ${JSON.stringify(content.version.slice(0, LABEL_CHARACTERS_SHOWN))}: ${formatFieldPath(problem.path)}: ${problem.message}`,
  );
}
