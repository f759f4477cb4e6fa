// Generates changelogs with labels, dates and words of every kind that queries treat differently.
import fc from 'fast-check';
import { CHANGE_TYPES } from '../../src/domain/model.ts';

export const SEPARATORS = [
  ' ',
  '. ',
  ', ',
  '-',
  '\n',
  ' (',
  ') ',
  '/',
  '**',
  ' 🚀 ',
  '⚠️',
  '',
  '"',
  "'",
  ' : ',
  '*',
  '^',
  ' AND ',
];
/** Words of many scripts, with and without capital letters and spaces between words. */
export const VOCABULARY = [
  ...['launch', 'Launches', 'countdown', 'API', 'Node', 'js', 'not', 'or', 'near', 'x', '2', '10', 'v2'],
  ...['naïve', 'Éclair', 'ÜBER', 'обновление', 'Исправлено', 'ΣΊΣΥΦΟΣ', 'ώρα', 'İzmir', 'ştire', 'Ångström'],
  ...[
    '機能',
    '新しい',
    'サーバー',
    'ユーザーID',
    '追加',
    '日本語',
    '업데이트',
    'עדכון',
    'تحديث',
    'हिन्दी',
    'ไทย',
    'საქართველო',
    'API機能',
  ],
];

export type Change = Readonly<{ type: string; text: string; breaking: boolean }>;
export type Version = Readonly<{
  id: string;
  version: string;
  title: string;
  status: 'draft' | 'published';
  publishedAt: string | null;
  description: string | null;
  yanked: boolean;
  changes: readonly Change[];
}>;
/** Newest drafts first, as in a document. */
export type Changelog = readonly Version[];

const text = fc
  .array(fc.tuple(fc.constantFrom(...VOCABULARY), fc.constantFrom(...SEPARATORS)), { maxLength: 5 })
  .map((parts) => parts.flat().join(''));

const number = fc.nat(3);
const label = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(number, number, number).map((parts) => parts.join('.')) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        number,
        number,
        number,
        fc.constantFrom('alpha', 'alpha.1', 'beta', 'beta.2', 'beta.11', 'rc.1', '0', '1.x'),
      )
      .map(([major, minor, patch, prerelease]) => `${major}.${minor}.${patch}-${prerelease}`),
  },
  { weight: 2, arbitrary: fc.tuple(number, number, number).map((parts) => `v${parts.join('.')}`) },
  { weight: 1, arbitrary: fc.tuple(number, number).map((parts) => parts.join('.')) },
  {
    weight: 1,
    arbitrary: fc.tuple(number, number, number, number).map(([a, b, c, d]) => `${a}.${b}.${c}+build.${d}`),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('spring', 'summer', '2026-05-04', '1.2.3.4', 'latest', 'ver_label', '機能'),
  },
);

/** Few timestamps, so that many versions share one. */
const timestamp = fc
  .tuple(
    fc.integer({ min: 1, max: 6 }),
    fc.constantFrom('00:00:00.000', '09:00:00.000', '09:00:00.001', '09:00:00.999', '23:59:59.999'),
  )
  .map(([day, time]) => `2026-05-0${day}T${time}Z`);

const change = fc.record({
  type: fc.constantFrom(...CHANGE_TYPES),
  text: text.map((words) => `${words}.`),
  breaking: fc.boolean(),
});

const state = fc.oneof(
  { weight: 6, arbitrary: timestamp.map((publishedAt) => ({ status: 'published' as const, publishedAt })) },
  { weight: 1, arbitrary: timestamp.map((publishedAt) => ({ status: 'draft' as const, publishedAt })) },
  { weight: 1, arbitrary: fc.constant({ status: 'draft' as const, publishedAt: null }) },
);

export function changelogs(versionsMax: number): fc.Arbitrary<Changelog> {
  const version = fc.record({
    version: label,
    title: text,
    state,
    description: fc.option(text),
    yanked: fc.boolean(),
    changes: fc.array(change, { maxLength: 3 }),
    tie: fc.nat(999),
  });
  return fc
    .uniqueArray(version, {
      maxLength: versionsMax,
      minLength: 1,
      selector: (one) => one.version,
      size: 'max',
    })
    .map((versions) =>
      versions.map(({ state, tie, ...rest }, index) => ({ id: `ver_${tie}_${index}`, ...rest, ...state })),
    );
}
