// The modification time of a version (R45) from apply to the API and its feeds.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { execute } from '../../../support/databases/engine.ts';
import { startApp } from '../../../support/program/app.ts';
import { apply, runOk, type Sandbox } from '../../../support/program/command.ts';
import { becomes } from '../../support/becomes.ts';
import { documentOf, expectFailure, exported, sandboxOf, type VersionDocument } from '../helpers.ts';

const PUBLIC = '/api/v1/public/teams/acme/products/rocket/changelog';
const PUBLISHED = '2020-05-04T09:00:00.000Z';
const LATER = '2021-05-04T09:00:00.000Z';
const LATEST = '2022-05-04T09:00:00.000Z';
const ONE: VersionDocument = {
  id: 'ver_1',
  version: '1.0.0',
  title: 'One',
  status: 'published',
  publishedAt: PUBLISHED,
  changes: [
    { id: 'chg_1', type: 'added', text: 'A' },
    { id: 'chg_2', type: 'fixed', text: 'B' },
  ],
};
const TWO: VersionDocument = { ...ONE, id: 'ver_2', version: '2.0.0', publishedAt: LATER, changes: [] };
const DRAFT: VersionDocument = { id: 'ver_3', version: '3.0.0', title: 'Three' };

/** Enough versions to be written without triggers. */
const MANY: VersionDocument[] = Array.from({ length: 1_000 }, (_, index) => ({
  version: `0.0.${index}`,
  title: '',
  status: 'published',
  publishedAt: '2019-01-01T00:00:00.000Z',
}));

const isSince = (start: string, time: string | undefined) => time !== undefined && time >= start;
const now = () => new Date().toISOString();

async function timesOf(sandbox: Sandbox): Promise<Record<string, string | undefined>> {
  const versions = (await exported(sandbox)).products[0]?.changelog?.versions ?? [];
  return Object.fromEntries(versions.map(({ version, updatedAt }) => [version, updatedAt ?? undefined]));
}

describe('updatedAt of a content document', () => {
  for (const [how, more] of [
    ['with triggers', []],
    ['in bulk', MANY],
  ] as const)
    it(`a new version has its time, its date or that of the write, ${how}`, async (t) => {
      const sandbox = sandboxOf(t);
      const start = now();
      const FUTURE = {
        ...DRAFT,
        ...{ id: 'ver_4', version: '4.0.0' },
        publishedAt: '2999-01-01T00:00:00.000Z',
      };
      await apply(sandbox, documentOf([FUTURE, DRAFT, { ...TWO, updatedAt: LATEST }, ONE, ...more]));
      const times = await timesOf(sandbox);
      assert.equal(times['1.0.0'], undefined, 'what applying it would give again is left out');
      assert.equal(times['2.0.0'], LATEST);
      for (const label of ['3.0.0', '4.0.0']) assert.ok(isSince(start, times[label]), times[label]);
    });

  it('a version that changes has the time of the apply, unless its document has a later one than the database', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([{ ...TWO, updatedAt: LATEST }, ONE]));
    const start = now();
    await apply(sandbox, documentOf([{ ...TWO, title: 'Edited after the export', updatedAt: LATEST }]));
    const { '2.0.0': edited } = await timesOf(sandbox);
    assert.ok(isSince(start, edited));
    const changes = ONE.changes?.toReversed() ?? [];
    await apply(sandbox, documentOf([{ ...ONE, changes, updatedAt: LATEST }]));
    assert.equal((await timesOf(sandbox))['1.0.0'], LATEST, 'from an instance that moved on');
    const moved = [{ ...ONE, changes, updatedAt: edited ?? '' }];
    assert.match(await apply(sandbox, documentOf(moved)), /1 changed/);
    assert.equal((await timesOf(sandbox))['1.0.0'], edited, 'the time alone counts, too');
    for (const updatedAt of [edited ?? '', LATEST, null])
      assert.match(await apply(sandbox, documentOf([{ ...ONE, changes, updatedAt }])), /^Nothing to do/);
  });

  it('a time in the future is refused with file, line and field', async (t) => {
    const document = JSON.stringify(
      documentOf([TWO, { ...ONE, updatedAt: '2999-01-01T00:00:00.000Z' }]),
      null,
      1,
    );
    const line = document.split('\n').findIndex((text) => text.includes('updatedAt')) + 1;
    assert.match(
      await expectFailure(sandboxOf(t), ['apply', '-'], document),
      new RegExp(
        `standard input:${line}:.* products\\[0\\].changelog.versions\\[1\\].updatedAt: 2999-01-01T00:00:00.000Z is in the future`,
      ),
    );
  });

  it('publishing a draft gives it the same time as its date, and unpublishing the time of the command', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([DRAFT]));
    const show = async (verb: string) =>
      JSON.parse(await runOk(sandbox, ['version', verb, 'acme/rocket', '3.0.0', '--json']));
    const published = await show('publish');
    assert.equal(published.updatedAt, published.publishedAt);
    const unpublished = await show('unpublish');
    assert.ok(unpublished.updatedAt > published.updatedAt);
    assert.equal((await show('unpublish')).updatedAt, unpublished.updatedAt);
  });
});

describe('updatedAt in responses', () => {
  it('the version record, each feed and the sitemap have it, and only a change of the version moves them', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([TWO, ONE, DRAFT]));
    const { app } = await startApp(t, sandbox, { LISTING: 'all' });
    const get = async (url: string) => (await app.inject({ url })).body;
    const listAll = async () => ({
      record: JSON.parse(await get(`${PUBLIC}/versions/1.0.0`)).data.updatedAt,
      full: JSON.parse(await get(`${PUBLIC}?include=changes`)).data.versions[1].updatedAt,
      atom: (await get(`${PUBLIC}/feed.atom`)).match(/(?<=<updated>).*(?=<)/g),
      json: JSON.parse(await get(`${PUBLIC}/feed.json`)).items[1].date_modified,
      rss: /(?<=<lastBuildDate>).*(?=<)/.exec(await get(`${PUBLIC}/feed.rss`))?.[0],
      sitemap: /1\.0\.0<\/loc><lastmod>(.*)<\/lastmod>/.exec(await get('/sitemap.xml'))?.[1],
      page: /"dateModified":"(.*?)"/.exec(await get('/changelog/acme/rocket/versions/1.0.0'))?.[1] ?? null,
    });
    const times = (one: string, last = one) => ({
      ...{ record: one, full: one, atom: [last, LATER, one], json: one },
      ...{ rss: new Date(last).toUTCString(), sitemap: one, page: one === PUBLISHED ? null : one },
    });
    assert.deepEqual(await listAll(), times(PUBLISHED, LATER));
    const { data } = JSON.parse(await get(PUBLIC));
    assert.ok(!('updatedAt' in data.versions[0]), 'a summary has exactly the fields of the specification');

    const etags = async () => {
      const paths = [PUBLIC, `${PUBLIC}/versions/1.0.0`, `${PUBLIC}/feed.atom`];
      return await Promise.all(paths.map(async (url) => (await app.inject({ url })).headers.etag));
    };
    const before = await etags();
    await execute(sandbox, `update versions set title = 'Hidden' where id = 'ver_3'`);
    await execute(sandbox, `update versions set title = title, yanked = yanked`);
    await apply(sandbox, documentOf([TWO, ONE]));
    assert.deepEqual(await etags(), before);

    for (const sql of [
      `update versions set yanked = 1 where id = 'ver_1'`,
      `update versions set title = 'Uno' where id = 'ver_1'`,
      `update changes set text = 'C' where id = 'chg_2'`,
      `delete from changes where id = 'chg_2'`,
    ]) {
      const start = now();
      await execute(sandbox, sql);
      await becomes(async () => isSince(start, (await listAll()).record), true);
      const found = await listAll();
      assert.deepEqual(found, times(found.record), sql);
    }
  });
});
