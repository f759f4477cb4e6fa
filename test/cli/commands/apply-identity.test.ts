// How a document identifies versions and changes: by id, by label, and by what stays the same.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apply, type Sandbox } from '../../../support/program/command.ts';
import {
  type ChangeDocument,
  documentOf,
  expectFailure,
  exported,
  runJson,
  sandboxOf,
  type TeamDocument,
  type VersionDocument,
  versionsByLabel,
} from '../helpers.ts';

const ONE: VersionDocument = { version: '1.0.0', title: 'One' };
const TWO: VersionDocument = { version: '2.0.0', title: 'Two' };

async function idsByLabel(sandbox: Sandbox): Promise<Record<string, string | undefined>> {
  return Object.fromEntries([...(await versionsByLabel(sandbox))].map(([label, { id }]) => [label, id]));
}

const fails = (sandbox: Sandbox, document: TeamDocument, ...flags: string[]) =>
  expectFailure(sandbox, ['apply', '-', ...flags], JSON.stringify(document, null, 2));

/** The line of a text in the document that `fails` writes. */
const lineOf = (document: TeamDocument, text: string, occurrence = 1) => {
  const lines = JSON.stringify(document, null, 2).split('\n');
  return lines.flatMap((line, index) => (line.includes(text) ? [index + 1] : []))[occurrence - 1];
};

describe('ids', () => {
  it('an id that is not given is generated with the prefix of its kind (R14)', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([{ ...ONE, changes: [{ type: 'added', text: 'A' }] }]));
    const changelog = (await exported(sandbox)).products[0]?.changelog;
    assert.match(changelog?.id ?? '', /^cl_[0-9a-f]{32}$/);
    assert.match(changelog?.versions?.[0]?.id ?? '', /^ver_[0-9a-f]{32}$/);
    assert.match(changelog?.versions?.[0]?.changes?.[0]?.id ?? '', /^chg_[0-9a-f]{32}$/);
  });

  it('ids put the later one first among versions with the same timestamp (R12)', async (t) => {
    const day = { title: '', status: 'published', publishedAt: '2026-05-04' };
    const versions = (...labels: string[]) => labels.map((version) => ({ version, ...day }));
    const sandbox = sandboxOf(t);
    const applyOn = (now: string, ...labels: string[]) =>
      apply({ ...sandbox, now }, documentOf(versions(...labels)));
    await applyOn('2026-05-04T09:00:00.000Z', '1.1.1', '1.1.0', '1.0.0');
    await applyOn('2026-05-04T09:00:00.010Z', '1.1.3', '1.1.2', '1.1.1', '1.1.0', '1.0.0');
    const listed = await runJson<{ version: string }[]>(sandbox, ['version', 'list', 'acme/rocket']);
    assert.deepEqual(
      listed.map(({ version }) => version),
      ['1.1.3', '1.1.2', '1.1.1', '1.1.0', '1.0.0'],
    );
  });

  it('ids that are given are kept', async (t) => {
    const sandbox = sandboxOf(t);
    const changes = [{ id: 'chg_my-own', type: 'added', text: 'A' }];
    const versions = [{ ...ONE, id: 'ver_my-own', changes }];
    await apply(sandbox, documentOf(versions, { changelog: { id: 'cl_my-own', versions } }));
    const changelog = (await exported(sandbox)).products[0]?.changelog;
    assert.equal(changelog?.id, 'cl_my-own');
    assert.equal(changelog.versions?.[0]?.id, 'ver_my-own');
    assert.equal(changelog.versions[0].changes?.[0]?.id, 'chg_my-own');
  });

  it('ids stay when later documents leave them out', async (t) => {
    const sandbox = sandboxOf(t);
    const versions = [{ ...ONE, id: 'ver_1' }];
    await apply(sandbox, documentOf(versions, { changelog: { id: 'cl_1', versions } }));
    await apply(sandbox, documentOf([{ ...ONE, title: 'Uno' }]));
    const changelog = (await exported(sandbox)).products[0]?.changelog;
    assert.equal(changelog?.id, 'cl_1');
    assert.deepEqual(changelog.versions?.[0], { ...changelog.versions?.[0], id: 'ver_1', title: 'Uno' });
  });

  it('an id can be given later, and everything below follows it', async (t) => {
    const sandbox = sandboxOf(t);
    const changes = [{ type: 'added', text: 'A' }];
    await apply(sandbox, documentOf([{ ...ONE, changes }]));
    const before = (await versionsByLabel(sandbox)).get('1.0.0');
    const versions = [{ ...ONE, id: 'ver_given', changes }];
    await apply(sandbox, documentOf(versions, { changelog: { id: 'cl_given', versions } }));
    const changelog = (await exported(sandbox)).products[0]?.changelog;
    assert.equal(changelog?.id, 'cl_given');
    const [{ updatedAt = '', ...version } = {}, ...others] = changelog.versions ?? [];
    assert.deepEqual(
      [{ ...version, updatedAt: before?.updatedAt }, ...others],
      [{ ...before, id: 'ver_given' }],
    );
    assert.ok(updatedAt !== null && updatedAt > (before?.updatedAt ?? ''));
  });

  it('an id in use elsewhere is rejected with file, line and field', async (t) => {
    const sandbox = sandboxOf(t);
    const taken = [{ ...ONE, id: 'ver_1', changes: [{ id: 'chg_1', type: 'added', text: 'A' }] }];
    await apply(sandbox, documentOf(taken, { changelog: { id: 'cl_1', versions: taken } }));
    const elsewhere = (changelog: NonNullable<TeamDocument['products']>[0]['changelog']): TeamDocument => ({
      team: { slug: 'other', name: 'Other' },
      products: [{ slug: 'sled', name: 'Sled', ...(changelog && { changelog }) }],
    });
    const cases: [id: string, field: string, document: TeamDocument][] = [
      ['cl_1', 'products[0].changelog.id', elsewhere({ id: 'cl_1' })],
      [
        'ver_1',
        'products[0].changelog.versions[1].id',
        elsewhere({ versions: [TWO, { ...ONE, id: 'ver_1' }] }),
      ],
      [
        'chg_1',
        'products[0].changelog.versions[0].changes[0].id',
        elsewhere({ versions: [{ ...ONE, changes: [{ id: 'chg_1', type: 'fixed', text: 'B' }] }] }),
      ],
    ];
    for (const [id, field, document] of cases) {
      const line = lineOf(document, `"${id}"`);
      const message = await fails(sandbox, document);
      assert.ok(message.startsWith(`changelog: standard input:${line}: ${field}: the id ${id} `), message);
    }
  });

  it('a change that another version keeps is not moved by its id', async (t) => {
    const sandbox = sandboxOf(t);
    const change = { id: 'chg_1', type: 'added', text: 'A' };
    await apply(sandbox, documentOf([TWO, { ...ONE, changes: [change] }]));
    const stolen = documentOf([{ ...TWO, changes: [change] }]);
    assert.match(await fails(sandbox, stolen), /versions\[0\]\.changes\[0\]\.id: the id chg_1 is in use/);
    await apply(sandbox, documentOf([{ ...TWO, changes: [change] }, ONE]));
    assert.deepEqual((await versionsByLabel(sandbox)).get('1.0.0')?.changes, []);
    assert.equal((await versionsByLabel(sandbox)).get('2.0.0')?.changes?.[0]?.id, 'chg_1');
  });
});

describe('a version is the same one as before', () => {
  it('a version is the same as before by its label, in any position', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([TWO, ONE]));
    const before = await idsByLabel(sandbox);
    await apply(
      sandbox,
      documentOf([
        { ...ONE, title: 'Uno' },
        { ...TWO, title: 'Due' },
      ]),
    );
    assert.deepEqual(await idsByLabel(sandbox), before);
  });

  it('a version is the same as before by its id, with a new label', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([{ ...ONE, id: 'ver_1' }]));
    const outcome = await apply(sandbox, documentOf([{ ...ONE, id: 'ver_1', version: '1.0.1' }]));
    assert.match(outcome, /^~ version acme\/rocket 1\.0\.1\nDone: 0 created, 1 changed/);
    assert.deepEqual(await idsByLabel(sandbox), { '1.0.1': 'ver_1' });
  });

  it('a version is the same as before by its id rather than its label', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(
      sandbox,
      documentOf([
        { ...TWO, id: 'ver_2' },
        { ...ONE, id: 'ver_1' },
      ]),
    );
    const swapped = [
      { ...TWO, id: 'ver_1' },
      { ...ONE, id: 'ver_2' },
    ];
    await apply(sandbox, documentOf(swapped));
    assert.deepEqual(await idsByLabel(sandbox), { '2.0.0': 'ver_1', '1.0.0': 'ver_2' });
  });

  it('three versions can exchange their labels', async (t) => {
    const sandbox = sandboxOf(t);
    const labels = ['1.0.0', '2.0.0', '3.0.0'];
    const documentWith = (shift: number) =>
      documentOf(
        labels.map((_, i) => ({ id: `ver_${i}`, version: labels[(i + shift) % 3] as string, title: `${i}` })),
      );
    await apply(sandbox, documentWith(0));
    await apply(sandbox, documentWith(1));
    assert.deepEqual(await idsByLabel(sandbox), { '2.0.0': 'ver_0', '3.0.0': 'ver_1', '1.0.0': 'ver_2' });
    assert.match(await apply(sandbox, documentWith(1)), /^Nothing to do/);
  });

  it('a new version can take a label that another version gives up', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([{ ...ONE, id: 'ver_1' }]));
    await apply(sandbox, documentOf([ONE, { ...ONE, id: 'ver_1', version: '0.9.0' }]));
    const ids = await idsByLabel(sandbox);
    assert.equal(ids['0.9.0'], 'ver_1');
    assert.notEqual(ids['1.0.0'], 'ver_1');
  });

  it('a version cannot take a label that another version keeps', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(
      sandbox,
      documentOf([
        { ...TWO, id: 'ver_2' },
        { ...ONE, id: 'ver_1' },
      ]),
    );
    const document = documentOf([{ ...TWO, id: 'ver_1' }]);
    const line = lineOf(document, '"version": "2.0.0"');
    const message = await fails(sandbox, document);
    assert.match(
      message,
      new RegExp(`:${line}: products\\[0\\]\\.changelog\\.versions\\[0\\]\\.version: .*ver_2`),
    );
    await apply(sandbox, document, '--prune', '--yes');
    assert.deepEqual(await idsByLabel(sandbox), { '2.0.0': 'ver_1' });
  });
});

describe('apply --prune', () => {
  it('apply --prune frees the ids of a deleted product for a new one', async (t) => {
    const sandbox = sandboxOf(t);
    const versions = [{ ...ONE, id: 'ver_1', changes: [{ id: 'chg_1', type: 'added', text: 'A' }] }];
    const changelog = { id: 'cl_1', versions };
    await apply(sandbox, documentOf([], { changelog }));
    await apply(sandbox, documentOf([], { slug: 'shuttle', changelog }), '--prune', '--yes');
    const { products } = await exported(sandbox);
    assert.deepEqual(
      products.map(({ slug, changelog: found }) => [slug, found?.id, found?.versions?.[0]?.id]),
      [['shuttle', 'cl_1', 'ver_1']],
    );
  });

  it('apply --prune moves a version with its id to another product, in either order', async (t) => {
    const product = (slug: string, versions: object[]) => ({ slug, name: slug, changelog: { versions } });
    const moved = { ...ONE, id: 'ver_1', changes: [{ id: 'chg_1', type: 'added', text: 'A' }] };
    const team = { slug: 'acme', name: 'Acme' };
    for (const [from, to] of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const sandbox = sandboxOf(t);
      const place = (at: string | undefined) =>
        ['a', 'b'].map((slug) => product(slug, slug === at ? [moved] : []));
      await apply(sandbox, { team, products: place(from) });
      await apply(sandbox, { team, products: place(to) }, '--prune', '--yes');
      const { products } = await exported(sandbox);
      const holders = products.filter(({ changelog }) => changelog?.versions?.[0]?.id === 'ver_1');
      assert.deepEqual(
        holders.map(({ slug }) => slug),
        [to],
      );
    }
  });
});

describe('a change keeps its id', () => {
  const [a, b, c]: ChangeDocument[] = ['A', 'B', 'C'].map((text) => ({ type: 'added', text })) as [
    ChangeDocument,
    ChangeDocument,
    ChangeDocument,
  ];

  async function changesAfter(sandbox: Sandbox, changes: ChangeDocument[]) {
    await apply(sandbox, documentOf([{ ...ONE, changes }]));
    const found = (await versionsByLabel(sandbox)).get('1.0.0')?.changes ?? [];
    assert.deepEqual(
      found.map(({ text }) => text),
      changes.map(({ text }) => text),
    );
    assert.equal(new Set(found.map(({ id }) => id)).size, changes.length);
    return Object.fromEntries(found.map(({ text, id }) => [text, id]));
  }

  it('a change keeps its id when others move around it', async (t) => {
    const sandbox = sandboxOf(t);
    const before = await changesAfter(sandbox, [a, b, c]);
    assert.deepEqual(await changesAfter(sandbox, [c, a, b]), before);
    assert.deepEqual(await changesAfter(sandbox, [b, c, a]), before);
  });

  it('a change keeps its id when it is edited in position', async (t) => {
    const sandbox = sandboxOf(t);
    const before = await changesAfter(sandbox, [a, b, c]);
    const after = await changesAfter(sandbox, [a, { ...b, text: 'B, corrected' }, c]);
    assert.deepEqual(after, { A: before.A, 'B, corrected': before.B, C: before.C });
  });

  it('a change keeps its id when another is inserted before or after it', async (t) => {
    const sandbox = sandboxOf(t);
    const before = await changesAfter(sandbox, [a, b]);
    for (const place of [0, 1, 2]) {
      const { New, ...others } = await changesAfter(
        sandbox,
        [a, b].toSpliced(place, 0, { ...c, text: 'New' }),
      );
      assert.deepEqual(others, before);
      assert.match(New ?? '', /^chg_/);
      await changesAfter(sandbox, [a, b]);
    }
  });

  it('a change keeps its id when another is removed', async (t) => {
    const sandbox = sandboxOf(t);
    const before = await changesAfter(sandbox, [a, b, c]);
    assert.deepEqual(await changesAfter(sandbox, [a, c]), { A: before.A, C: before.C });
  });

  it('a change keeps an id that the document gives', async (t) => {
    const sandbox = sandboxOf(t);
    const before = await changesAfter(sandbox, [a, b, c]);
    const edited = { id: before.C as string, type: 'removed', text: 'Something else', breaking: true };
    const after = await changesAfter(sandbox, [edited, a]);
    assert.deepEqual(after, { 'Something else': before.C, A: before.A });
  });

  it('two changes with the same text keep their ids', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([{ ...ONE, changes: [a, a, b] }]));
    const before = (await versionsByLabel(sandbox)).get('1.0.0')?.changes;
    assert.match(await apply(sandbox, documentOf([{ ...ONE, changes: [a, a, b] }])), /^Nothing to do/);
    await apply(sandbox, documentOf([{ ...ONE, changes: [a, b] }]));
    const after = (await versionsByLabel(sandbox)).get('1.0.0')?.changes;
    assert.deepEqual(after, [before?.[0], before?.[2]]);
  });
});
