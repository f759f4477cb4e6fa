import { findVersionProblems } from '../content/read/problems.ts';
import { formatFieldPath } from '../domain/content/content.ts';
import { Refusal } from '../errors.ts';
import type { ImportedVersion } from './changelog.ts';

const LABEL_CHARACTERS_SHOWN = 200;

export function requireValidDescription(description: string | null, file: string): void {
  const [problem] = findVersionProblems({ version: '0', title: '', description });
  if (problem !== undefined)
    throw new Refusal(`${file}:1: the text above the first version ${problem.message}`);
}

export function requireValidVersion({ content, line }: ImportedVersion, file: string): void {
  const [problem] = findVersionProblems(content);
  if (problem === undefined) return;
  throw new Refusal(
    `${file}:${line}: version ${JSON.stringify(content.version.slice(0, LABEL_CHARACTERS_SHOWN))}: ${formatFieldPath(problem.path)}: ${problem.message}`,
  );
}
