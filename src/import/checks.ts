import { findVersionProblems } from '../content/read/problems.ts';
import { formatFieldPath } from '../domain/content/content.ts';
import { Refusal } from '../errors.ts';
import type { ImportedVersion } from './changelog.ts';

const LABEL_CHARACTERS_SHOWN = 200;

export function requireValidDescription(description: string | null, file: string): void {
  const [problem] = findVersionProblems({ version: '0', title: '', description });
  if (problem !== undefined)
    throw new Refusal(`the text above the first version ${problem.message}`, { at: [file, 1] });
}

export function requireValidVersion({ content, line }: ImportedVersion, file: string): void {
  const [problem] = findVersionProblems(content);
  if (problem === undefined) return;
  const label = JSON.stringify(content.version.slice(0, LABEL_CHARACTERS_SHOWN));
  const said = `version ${label}: ${formatFieldPath(problem.path)}: ${problem.message}`;
  throw new Refusal(said, { at: [file, line] });
}
