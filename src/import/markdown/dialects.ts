// Recognises the format of a changelog by the names of its sections.
import { CHANGE_TYPES } from '../../domain/model.ts';
import { isLineOfChangesets } from '../body/changesets.ts';
import { plainName } from '../body/names.ts';
import type { Outline } from './outline.ts';
import type { Candidate } from './versions/candidate.ts';

export type MarkdownFormat = keyof typeof OWN_NAMES;

const OWN_NAMES: Readonly<Record<'keep-a-changelog' | 'conventional' | 'changesets', ReadonlySet<string>>> = {
  'keep-a-changelog': new Set(CHANGE_TYPES),
  conventional: new Set([
    ...[
      'features',
      'bug fixes',
      'breaking changes',
      'feature',
      'new features',
      'bug fix',
      'bugfixes',
      'fixes',
    ],
    ...['breaking change', 'deprecations', 'performance improvements', 'code refactoring', 'reverts'],
  ]),
  changesets: new Set(['major changes', 'minor changes', 'patch changes']),
};

export function recognise({ headings, lines }: Outline, versions: readonly Candidate[]): MarkdownFormat {
  const names = headings
    .filter(({ level, mark }) => mark === 'heading' && level >= 2 && level <= 4)
    .map(({ text }) => plainName(text));
  const count = (format: MarkdownFormat) => names.filter((name) => OWN_NAMES[format].has(name)).length;
  const [keep, conventional, changesets] = [
    count('keep-a-changelog'),
    count('conventional'),
    count('changesets'),
  ];
  if (changesets > Math.max(conventional, keep) && lines.some(isLineOfChangesets)) return 'changesets';
  if (conventional > keep) return 'conventional';
  const isLinked = ({ version }: Candidate) =>
    version?.date && version.link !== null && 'url' in version.link;
  return keep === 0 && versions.some(isLinked) ? 'conventional' : 'keep-a-changelog';
}
