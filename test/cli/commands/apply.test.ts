import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { dump, query } from '../../../support/databases/engine.ts';
import { startApp } from '../../../support/program/app.ts';
import { apply, run, runOk, type Workplace } from '../../../support/program/command.ts';
import {
  documentOf,
  expectFailure,
  exported,
  runJson,
  sandboxOf,
  type TeamDocument,
  versionsByLabel,
} from '../helpers.ts';

const ONE = { version: '1.0.0', title: 'One', changes: [{ type: 'added', text: 'A' }] };
const TWO = { version: '2.0.0', title: 'Two', status: 'published', publishedAt: '2026-05-04T09:00:00.000Z' };
const DOCUMENT = documentOf([TWO, ONE]);
const PUBLIC = '/api/v1/public/teams/acme/products/rocket/changelog';

type Outcome = { action: string; kind: string; name: string };

async function outcomes(workplace: Workplace, document: unknown, ...flags: string[]): Promise<string[]> {
  const found = await runJson<Outcome[]>(workplace, ['apply', '-', ...flags], JSON.stringify(document));
  return found.map(({ action, kind, name }) => `${action} ${kind} ${name}`);
}

function write({ folder }: Workplace, file: string, document: unknown): string {
  writeFileSync(path.join(folder, file), typeof document === 'string' ? document : JSON.stringify(document));
  return file;
}

const teamOf = (slug: string): TeamDocument => ({ team: { slug, name: slug } });

describe('the report of apply', () => {
  it('apply creates what is missing, and the database on first use', async (t) => {
    const workplace = sandboxOf(t);
    assert.deepEqual(await outcomes(workplace, DOCUMENT), [
      'created team acme',
      'created product acme/rocket',
      'created changelog acme/rocket',
      'created version acme/rocket 2.0.0',
      'created version acme/rocket 1.0.0',
    ]);
  });

  it('apply changes what differs and leaves the rest unchanged', async (t) => {
    const workplace = sandboxOf(t);
    await apply(workplace, DOCUMENT);
    assert.deepEqual(await outcomes(workplace, documentOf([TWO, { ...ONE, title: 'Uno' }])), [
      'unchanged team acme',
      'unchanged product acme/rocket',
      'unchanged changelog acme/rocket',
      'unchanged version acme/rocket 2.0.0',
      'changed version acme/rocket 1.0.0',
    ]);
    assert.equal((await versionsByLabel(workplace)).get('1.0.0')?.title, 'Uno');
  });

  it('apply reports a change of any field', async (t) => {
    const workplace = sandboxOf(t);
    await apply(workplace, documentOf([TWO]));
    const edits = [
      { title: 'Zwei' },
      { status: 'draft' },
      { publishedAt: '2026-05-05T09:00:00.000Z' },
      { description: 'New' },
      { yanked: true },
      { changes: [{ type: 'added', text: 'New' }] },
    ];
    for (const edit of edits) {
      const edited = { ...TWO, ...edit };
      assert.ok(
        (await outcomes(workplace, documentOf([edited]))).includes('changed version acme/rocket 2.0.0'),
      );
      const { id, ...found } = (await exported(workplace)).products[0]?.changelog?.versions?.[0] ?? {};
      assert.equal(typeof id, 'string');
      const [name, value] = Object.entries(edit)[0] as [keyof typeof found, unknown];
      if (name !== 'changes') assert.deepEqual(found[name], value);
      await apply(workplace, documentOf([TWO]));
    }
    const team = { ...DOCUMENT, team: { slug: 'acme', name: 'ACME', visibility: 'private', plan: 'free' } };
    assert.ok((await outcomes(workplace, team)).includes('changed team acme'));
    assert.deepEqual((await exported(workplace)).team, team.team);
    const product = documentOf([TWO], { name: 'R', status: 'draft' });
    assert.ok((await outcomes(workplace, product)).includes('changed product acme/rocket'));
    const changelog = documentOf([TWO], { changelog: { name: 'C', status: 'draft', versions: [TWO] } });
    assert.ok((await outcomes(workplace, changelog)).includes('changed changelog acme/rocket'));
  });

  it('apply prints lines and counts', async (t) => {
    const workplace = sandboxOf(t);
    assert.equal(
      await apply(workplace, documentOf([ONE])),
      [
        '+ team acme',
        '+ product acme/rocket',
        '+ changelog acme/rocket',
        '+ version acme/rocket 1.0.0',
        'Done: 4 created, 0 changed, 0 deleted, 0 unchanged.\n',
      ].join('\n'),
    );
    assert.match(
      await apply(workplace, documentOf([TWO]), '--prune'),
      /^\+ version acme\/rocket 2\.0\.0\n- version acme\/rocket 1\.0\.0\nDone: 1 created, 0 changed, 1 deleted, 3 /,
    );
  });
});

describe('long work', () => {
  it('a long apply is announced on standard error, and a short one is not', async (t) => {
    const workplace = sandboxOf(t);
    const long = documentOf([
      { ...ONE, description: 'x'.repeat(900_000), changes: [{ type: 'added', text: 'y'.repeat(900_000) }] },
    ]);
    const { code, stderr } = await run(workplace, ['apply', '-'], JSON.stringify(long));
    assert.equal(code, 0);
    assert.equal(stderr, 'changelog: applying standard input (1.7 MiB) …\n');
    assert.equal((await run(workplace, ['apply', '-'], JSON.stringify(DOCUMENT))).stderr, '');
  });
});

describe('applying the same document twice', () => {
  it('applying the same document twice changes nothing and says so', async (t) => {
    const workplace = sandboxOf(t);
    await apply(workplace, DOCUMENT);
    const before = await dump(workplace);
    assert.ok((await outcomes(workplace, DOCUMENT)).every((outcome) => outcome.startsWith('unchanged ')));
    assert.match(await apply(workplace, DOCUMENT), /^Nothing to do: .* 5 unchanged\.\n$/);
    assert.match(await apply(workplace, DOCUMENT, '--prune'), /^Nothing to do: /);
    assert.deepEqual(await dump(workplace), before);
  });

  it('applying the same document twice keeps ids and ETags', async (t) => {
    const workplace = sandboxOf(t);
    await apply(workplace, DOCUMENT);
    const before = await exported(workplace);
    const { app } = await startApp(t, workplace);
    const { id } = (await versionsByLabel(workplace)).get('2.0.0') ?? {};
    const paths = [PUBLIC, `${PUBLIC}/versions/${id}`];
    const etags = async () =>
      await Promise.all(paths.map(async (url) => (await app.inject({ url })).headers.etag));
    const first = await etags();
    assert.ok(first.every((etag) => typeof etag === 'string'));
    await apply(workplace, DOCUMENT);
    assert.deepEqual(await etags(), first);
    assert.deepEqual(await exported(workplace), before);
  });
});

describe('content missing from a document', () => {
  const wide = {
    ...DOCUMENT,
    products: [...(DOCUMENT.products ?? []), { slug: 'sled', name: 'Sled', changelog: { versions: [ONE] } }],
  };

  it('content missing from a document stays', async (t) => {
    const workplace = sandboxOf(t);
    await apply(workplace, wide);
    await apply(workplace, teamOf('other'));
    const before = await dump(workplace);
    await apply(workplace, documentOf([]));
    await apply(workplace, { team: DOCUMENT.team });
    await apply(workplace, {
      ...DOCUMENT,
      products: [{ slug: 'rocket', name: 'Rocket', status: 'published' }],
    });
    assert.deepEqual(await dump(workplace), before);
  });

  it('apply --prune deletes versions, changelogs and products of this team that are missing', async (t) => {
    const workplace = sandboxOf(t);
    await apply(workplace, wide);
    await apply(workplace, { ...teamOf('other'), products: [{ slug: 'rocket', name: 'Rocket' }] });
    assert.deepEqual(await outcomes(workplace, documentOf([TWO]), '--prune'), [
      'unchanged team acme',
      'unchanged product acme/rocket',
      'unchanged changelog acme/rocket',
      'unchanged version acme/rocket 2.0.0',
      'deleted version acme/rocket 1.0.0',
      'deleted product acme/sled',
    ]);
    const bare = { ...DOCUMENT, products: [{ slug: 'rocket', name: 'Rocket', status: 'published' }] };
    assert.ok((await outcomes(workplace, bare, '--prune')).includes('deleted changelog acme/rocket'));
    assert.deepEqual((await exported(workplace)).products, bare.products);
    assert.equal((await exported(workplace, 'other')).products.length, 1);
    assert.deepEqual(await query(workplace, 'select * from changes'), []);
  });
});

describe('apply --dry-run', () => {
  it('apply --dry-run prints what would be done, and writes nothing', async (t) => {
    const workplace = sandboxOf(t);
    await apply(workplace, DOCUMENT);
    const before = await dump(workplace);
    const edited = documentOf([
      { ...TWO, title: 'Zwei' },
      { version: '3.0.0', title: 'Three' },
    ]);
    assert.deepEqual(await outcomes(workplace, edited, '--dry-run', '--prune'), [
      'unchanged team acme',
      'unchanged product acme/rocket',
      'unchanged changelog acme/rocket',
      'changed version acme/rocket 2.0.0',
      'created version acme/rocket 3.0.0',
      'deleted version acme/rocket 1.0.0',
    ]);
    assert.match(
      await apply(workplace, edited, '--dry-run'),
      /\nWould be done: 1 created, 1 changed, 0 deleted/,
    );
    assert.match(await apply(workplace, DOCUMENT, '--dry-run'), /^Nothing to do: /);
    assert.deepEqual(await dump(workplace), before);
  });

  it('apply --dry-run creates no database', async (t) => {
    const workplace = sandboxOf(t);
    assert.match(
      await apply(workplace, DOCUMENT, '--dry-run'),
      /^\+ team acme\n(.*\n)*Would be done: 5 created/,
    );
    assert.equal(await dump(workplace), null);
  });

  it('apply --dry-run fails where apply would', async (t) => {
    const workplace = sandboxOf(t);
    await apply(workplace, documentOf([ONE], { status: 'locked' }));
    const edited = JSON.stringify(documentOf([TWO], { status: 'locked' }));
    assert.match(await expectFailure(workplace, ['apply', '-', '--dry-run'], edited), /locked/);
  });
});

describe('apply of several files', () => {
  it('apply works through files in the given order, and reports in that order', async (t) => {
    const workplace = sandboxOf(t);
    const first = write(workplace, 'first.json', documentOf([ONE]));
    const second = write(workplace, 'second.yaml', documentOf([{ ...ONE, title: 'Uno' }]));
    const third = write(workplace, 'third.yaml', teamOf('other'));
    const found = await runJson<Outcome[]>(workplace, ['apply', first, second, third]);
    assert.deepEqual(
      found.filter(({ kind }) => kind === 'version' || kind === 'team').map((o) => `${o.action} ${o.name}`),
      [
        'created acme',
        'created acme/rocket 1.0.0',
        'unchanged acme',
        'changed acme/rocket 1.0.0',
        'created other',
      ],
    );
    assert.equal((await versionsByLabel(workplace)).get('1.0.0')?.title, 'Uno');
  });

  it('apply reads standard input for -, also between files', async (t) => {
    const workplace = sandboxOf(t);
    const file = write(workplace, 'other.json', teamOf('other'));
    await runOk(workplace, ['apply', file, '-'], JSON.stringify(DOCUMENT));
    assert.deepEqual(
      (await runJson<{ slug: string }[]>(workplace, ['team', 'list'])).map(({ slug }) => slug),
      ['acme', 'other'],
    );
    assert.match(await expectFailure(workplace, ['apply', '-'], 'team: 1'), /standard input:1: team: /);
  });

  it('apply writes nothing if the last file is invalid', async (t) => {
    const workplace = sandboxOf(t);
    const good = write(workplace, 'good.json', teamOf('other'));
    const bad = write(workplace, 'bad.yaml', 'team:\n  slug: acme\n  nmae: Acme\n');
    assert.match(await expectFailure(workplace, ['apply', good, bad]), /bad\.yaml:\d: team\.\w+: /);
    assert.match(
      await expectFailure(workplace, ['apply', good, 'missing.yaml']),
      /missing\.yaml cannot be read/,
    );
    assert.match(await expectFailure(workplace, ['apply', good, '.']), /cannot be read/);
  });

  it('apply writes nothing if the database rejects the last file', async (t) => {
    const workplace = sandboxOf(t);
    await apply(workplace, documentOf([ONE], { status: 'locked' }));
    const good = write(workplace, 'good.json', teamOf('other'));
    const locked = write(workplace, 'locked.json', documentOf([TWO], { status: 'locked' }));
    assert.match(
      await expectFailure(workplace, ['apply', good, locked]),
      /locked\.json:1: products\[0\]: .*locked/,
    );
  });

  it('apply creates no database if the documents contradict each other', async (t) => {
    const workplace = sandboxOf(t);
    const withId = (slug: string) => ({
      ...documentOf([{ ...ONE, id: 'ver_1' }]),
      team: { slug, name: slug },
    });
    const first = write(workplace, 'first.json', withId('one'));
    const second = write(workplace, 'second.json', withId('two'));
    assert.match(await expectFailure(workplace, ['apply', first, second]), /second\.json:1: .*ver_1/);
  });

  it('apply without a file is wrong usage', async (t) => {
    assert.equal((await run(sandboxOf(t), ['apply'])).code, 2);
  });
});
