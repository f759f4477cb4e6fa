// What ids must not say. Bounds are so wide that chance alone would break one in far more than 10^9 runs.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { VersionContent } from '../../../src/domain/content/content.ts';
import { ID_PREFIXES, type IdKind } from '../../../src/domain/model.ts';
import { idsOfNew, newId } from '../../../src/store/write/ids.ts';
import { query } from '../../../support/databases/engine.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { apply, createKey, type Sandbox } from '../../../support/program/command.ts';
import { documentOf } from '../../cli/helpers.ts';
import { assertEven, assertRandom, digitsOf } from '../../support/random.ts';

const SAMPLE = 4_000;
const NOW = '2026-07-01T00:00:00.000Z';
const MAY = '2026-05-04T00:00:00.000Z';
const JUNE = '2026-06-04T00:00:00.000Z';

const published = (publishedAt: string | null = MAY): VersionContent => ({
  version: 'any',
  title: '',
  status: 'published',
  publishedAt,
  description: null,
  yanked: false,
  changes: [],
});
const draft = (publishedAt: string | null = null): VersionContent => ({
  ...published(publishedAt),
  status: 'draft',
});

/** Random digits that are the same in every run. */
function seededDigits(): () => string {
  let drawn = 0;
  return () => createHash('sha256').update(`digits ${drawn++}`).digest('hex').slice(0, 32);
}

function idsOf(versions: readonly VersionContent[], draw?: () => string): string[] {
  return idsOfNew(versions, [], NOW, draw);
}

const isRising = (ids: readonly string[]) =>
  ids.every((id, place) => place === 0 || (ids[place - 1] as string) < id);

describe('a new id (R14)', () => {
  it('a new id has the prefix of its kind and 32 random digits', () => {
    for (const kind of Object.keys(ID_PREFIXES) as IdKind[]) {
      const ids = Array.from({ length: SAMPLE }, () => newId(kind));
      for (const id of ids) assert.match(id, new RegExp(`^${ID_PREFIXES[kind]}_[0-9a-f]{32}$`));
      assertRandom(ids.map(digitsOf));
    }
  });
});

describe('the ids of new versions', () => {
  it('ids of new versions are random if no two versions share a date', () => {
    const minute = (index: number) => new Date(Date.parse(MAY) + index * 60_000).toISOString();
    const versions = Array.from({ length: SAMPLE }, (_, index) => published(minute(index)));
    assertRandom(idsOf(versions).map(digitsOf));
  });

  it('ids of new versions with the same date ascend, and are spread evenly over all ids', () => {
    for (const count of [2, 10, 250, SAMPLE]) {
      for (const date of [MAY, null]) {
        const ids = idsOf(Array.from({ length: count }, () => published(date)));
        assert.ok(isRising(ids), `${count} versions`);
        assertEven(ids.map(digitsOf));
      }
    }
  });

  it('ids of new versions with the same date have random last digits', () => {
    const digits = idsOf(Array.from({ length: SAMPLE }, () => published())).map(digitsOf);
    assertRandom(digits.map((text) => text.slice(16)));
  });

  it('ids of new versions ascend for each date, however the dates alternate', () => {
    const dates = Array.from({ length: 3_000 }, (_, index) => [MAY, JUNE, null][index % 3] ?? null);
    const ids = idsOf(dates.map(published));
    for (const date of [MAY, JUNE, null])
      assert.ok(isRising(ids.filter((_, index) => dates[index] === date)));
  });

  it('ids of new drafts are random, with or without a date', () => {
    assertRandom(idsOf(Array.from({ length: SAMPLE }, () => draft())).map(digitsOf));
    assertRandom(idsOf(Array.from({ length: SAMPLE }, () => draft(MAY))).map(digitsOf));
  });

  it('ids of new versions do not depend on drafts around them (R9)', () => {
    const dates = Array.from({ length: 300 }, (_, index) => [MAY, MAY, JUNE, null][index % 4] ?? null);
    const drafts = [draft(), draft(MAY), draft(JUNE), draft(NOW)];
    const among = dates.flatMap((date, index) => [...drafts.slice(index % 5), published(date)]);
    const idsAmong = idsOf([...among, ...drafts], seededDigits());
    assert.deepEqual(
      idsAmong.filter((_, index) => among[index]?.status === 'published'),
      idsOf(dates.map(published), seededDigits()),
    );
  });
});

describe('content without an id', () => {
  const VERSIONS = 1_200;
  const sandboxWith = async (t: { after: (close: () => unknown) => void }): Promise<Sandbox> => {
    const sandbox = { folder: temporaryFolder(t) };
    const versions = Array.from({ length: VERSIONS }, (_, index) => ({
      version: `1.${index}.0`,
      title: '',
      // Every third one is a draft.
      ...(index % 3 > 0 && {
        status: 'published',
        publishedAt: new Date(Date.parse(MAY) - index * 60_000).toISOString(),
      }),
      changes: [{ type: 'added', text: 'A' }],
    }));
    await apply(sandbox, documentOf(versions));
    return sandbox;
  };

  it('content without an id gets ids that do not reveal its order and share no digits', async (t) => {
    const sandbox = await sandboxWith(t);
    const rows = await query<{ version: string; change: string }>(
      sandbox,
      `select versions.id as version, changes.id as change from versions
        join changes on version_id = versions.id order by created_order`,
    );
    assert.equal(rows.length, VERSIONS);
    assertRandom(rows.map(({ version }) => digitsOf(version)));
    assertRandom(rows.map(({ change }) => digitsOf(change)));

    const changelogs = await query<{ id: string }>(sandbox, 'select id from changelogs');
    const keys = [];
    for (let made = 0; made < 5; made++) keys.push(await createKey(sandbox, 'acme', '--kind', 'FULL'));
    const all = [
      ...rows.flatMap(({ version, change }) => [version, change]),
      ...changelogs.map(({ id }) => id),
    ];
    const starts = [...all, ...keys.map(({ id }) => id)].map((id) => digitsOf(id).slice(0, 16));
    assert.equal(new Set(starts).size, starts.length);
  });
});
