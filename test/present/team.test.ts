// The versions that share changes, as pages, feeds and Markdown name them (R64).
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { linkShared } from '../../src/present/changelog.ts';
import type { TimelineRow } from '../../src/store/read/lists/timeline.ts';

it('of several changes that say the same, only the first names the other versions', () => {
  const lander = { label: '1.2.0', head: { productName: 'Lander' } } as TimelineRow;
  const both = [lander];
  const change = { id: 'chg_1', type: 'fixed', text: 'A leak', breaking: 0 } as const;
  const { changes, shownBy } = linkShared(
    {
      changes: [
        { ...change, alsoIn: both },
        { ...change, id: 'chg_2', alsoIn: both },
        { ...change, id: 'chg_3', text: 'A tank', alsoIn: [lander] },
        { ...change, id: 'chg_4', text: 'A hatch', alsoIn: [] },
      ],
      shownBy: [lander],
    },
    ({ label }) => `/versions/${label}`,
  );
  const link = { name: 'Lander 1.2.0', url: '/versions/1.2.0' };
  assert.deepEqual(
    changes.map(({ id, alsoIn }) => [id, alsoIn]),
    [
      ['chg_1', [link]],
      ['chg_2', []],
      ['chg_3', [link]],
      ['chg_4', []],
    ],
  );
  assert.deepEqual(shownBy, [link]);
});
