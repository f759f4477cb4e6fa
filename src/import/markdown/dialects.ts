// The names of sections by which a format is recognised.
import { CHANGE_TYPES } from '../../domain/model.ts';

export const OWN_NAMES: Readonly<
  Record<'keep-a-changelog' | 'conventional' | 'changesets', ReadonlySet<string>>
> = {
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
