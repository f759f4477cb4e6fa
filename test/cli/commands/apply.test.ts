import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { dump, query } from '../../../support/databases/engine.ts';
import { startApp } from '../../../support/program/app.ts';
import { apply, run, runOk, type Sandbox } from '../../../support/program/command.ts';
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

async function outcomes(sandbox: Sandbox, document: unknown, ...flags: string[]): Promise<string[]> {
  const found = await runJson<Outcome[]>(sandbox, ['apply', '-', ...flags], JSON.stringify(document));
  return found.map(({ action, kind, name }) => `${action} ${kind} ${name}`);
}

function write({ folder }: Sandbox, file: string, document: unknown): string {
  writeFileSync(path.join(folder, file), typeof document === 'string' ? document : JSON.stringify(document));
  return file;
}

const teamOf = (slug: string): TeamDocument => ({ team: { slug, name: slug } });

describe('the report of apply', () => {
  it('apply creates what is missing, and the database on first use', async (t) => {
    const sandbox = sandboxOf(t);
    assert.deepEqual(await outcomes(sandbox, DOCUMENT), [
      'created team acme',
      'created product acme/rocket',
      'created changelog acme/rocket',
      'created version acme/rocket 2.0.0',
      'created version acme/rocket 1.0.0',
    ]);
  });

  it('apply changes what differs and leaves the rest unchanged', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, DOCUMENT);
    assert.deepEqual(await outcomes(sandbox, documentOf([TWO, { ...ONE, title: 'Uno' }])), [
      'unchanged team acme',
      'unchanged product acme/rocket',
      'unchanged changelog acme/rocket',
      'unchanged version acme/rocket 2.0.0',
      'changed version acme/rocket 1.0.0',
    ]);
    assert.equal((await versionsByLabel(sandbox)).get('1.0.0')?.title, 'Uno');
  });

  it('apply reports a change of any field', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([TWO]));
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
        (await outcomes(sandbox, documentOf([edited]))).includes('changed version acme/rocket 2.0.0'),
      );
      const { id, ...found } = (await exported(sandbox)).products[0]?.changelog?.versions?.[0] ?? {};
      assert.equal(typeof id, 'string');
      const [name, value] = Object.entries(edit)[0] as [keyof typeof found, unknown];
      if (name !== 'changes') assert.deepEqual(found[name], value);
      await apply(sandbox, documentOf([TWO]));
    }
    const team = { ...DOCUMENT, team: { slug: 'acme', name: 'ACME', visibility: 'private', plan: 'free' } };
    assert.ok((await outcomes(sandbox, team)).includes('changed team acme'));
    assert.deepEqual((await exported(sandbox)).team, team.team);
    const product = documentOf([TWO], { name: 'R', status: 'draft' });
    assert.ok((await outcomes(sandbox, product)).includes('changed product acme/rocket'));
    const changelog = documentOf([TWO], { changelog: { name: 'C', status: 'draft', versions: [TWO] } });
    assert.ok((await outcomes(sandbox, changelog)).includes('changed changelog acme/rocket'));
  });

  it('apply sets and removes what a product says about its page, and the language of its changelog', async (t) => {
    const sandbox = sandboxOf(t);
    const appearance = {
      domain: 'Changes.Rocket.example',
      links: {
        home: 'https://rocket.example',
        base: 'https://rocket.example/docs/',
        repository: 'https://github.com/acme/rocket/',
      },
      image: 'https://rocket.example/cover.png',
      logo: 'https://rocket.example/logo.svg',
      accent: '#FA0',
    };
    const columns = `select domain, home_url, base_url, repository_url, image, logo, accent, language from products join changelogs
      on product_id = products.id`;
    const none = {
      domain: null,
      home_url: null,
      base_url: null,
      repository_url: null,
      image: null,
      logo: null,
      accent: null,
      language: 'en',
    };
    const changelog = { name: 'C', versions: [TWO] };
    await apply(sandbox, documentOf([TWO], { changelog }));
    assert.deepEqual(await query(sandbox, columns), [none]);
    const whole = documentOf([TWO], { ...appearance, changelog: { ...changelog, language: 'DE-ch' } });
    assert.deepEqual(await outcomes(sandbox, whole), [
      'unchanged team acme',
      'changed product acme/rocket',
      'changed changelog acme/rocket',
      'unchanged version acme/rocket 2.0.0',
    ]);
    assert.deepEqual(await query(sandbox, columns), [
      {
        domain: 'changes.rocket.example',
        home_url: 'https://rocket.example',
        base_url: 'https://rocket.example/docs/',
        repository_url: 'https://github.com/acme/rocket',
        image: 'https://rocket.example/cover.png',
        logo: 'https://rocket.example/logo.svg',
        accent: '#ffaa00',
        language: 'de-CH',
      },
    ]);
    assert.match(await apply(sandbox, whole), /^Nothing to do/);
    const part = documentOf([TWO], { links: { home: 'https://rocket.example' }, changelog });
    assert.match(await apply(sandbox, part), /~ product acme\/rocket\n~ changelog acme\/rocket\n/);
    assert.deepEqual(await query(sandbox, columns), [{ ...none, home_url: 'https://rocket.example' }]);
    await apply(sandbox, documentOf([TWO], { changelog }));
    assert.deepEqual(await query(sandbox, columns), [none]);
  });

  it('apply stores the pictures that a document names by their path, or nothing at all', async (t) => {
    const sandbox = sandboxOf(t);
    mkdirSync(path.join(sandbox.folder, 'docs'));
    write(sandbox, 'docs/logo.svg', '<svg/>');
    const document = documentOf([{ ...TWO, image: './logo.svg' }], { logo: 'logo.svg' });
    const file = write(sandbox, 'docs/acme.json', document);
    await runOk(sandbox, ['apply', file]);
    const pictures = 'select logo, versions.image from products, versions';
    const stored = 'data:image/svg+xml;base64,PHN2Zy8+';
    assert.deepEqual(await query(sandbox, pictures), [{ logo: stored, image: stored }]);
    assert.match(await runOk(sandbox, ['apply', file]), /^Nothing to do/);
    const show = () => runJson<Record<string, string>>(sandbox, ['version', 'show', 'acme/rocket', '2.0.0']);
    const { updatedAt } = await show();

    write(sandbox, 'docs/logo.svg', '<svg a="b"/>');
    const dryRun = await runOk(sandbox, ['apply', file, '--dry-run']);
    assert.match(dryRun, /~ product acme\/rocket\n(?:= .*\n)*~ version acme\/rocket 2\.0\.0\n/);
    assert.deepEqual(await query(sandbox, pictures), [{ logo: stored, image: stored }]);
    await runOk(sandbox, ['apply', file]);
    const shown = await show();
    assert.equal(shown.image, `data:image/svg+xml;base64,${btoa('<svg a="b"/>')}`);
    assert.ok(String(shown.updatedAt) > String(updatedAt));

    // Standard input has no folder of its own, so paths start at the working directory.
    for (const [image, message] of [
      ['logo.svg', /standard input:1: products\[0\]\.image: "logo\.svg" cannot be read: no such file/],
      ['../logo.svg', /products\[0\]\.image: "\.\.\/logo\.svg" is outside of the folder/],
    ] as const)
      assert.match(
        await expectFailure(sandbox, ['apply', '-'], JSON.stringify(documentOf([ONE, TWO], { image }))),
        message,
      );
    await apply(sandbox, documentOf([{ ...TWO, image: 'docs/logo.svg' }], { logo: './docs/logo.svg' }));
    assert.deepEqual(await query(sandbox, pictures), [{ logo: shown.image, image: shown.image }]);
    await apply(sandbox, documentOf([TWO]));
    assert.deepEqual(await query(sandbox, pictures), [{ logo: null, image: null }]);
  });

  it('apply prints lines and counts', async (t) => {
    const sandbox = sandboxOf(t);
    assert.equal(
      await apply(sandbox, documentOf([ONE])),
      [
        '+ team acme',
        '+ product acme/rocket',
        '+ changelog acme/rocket',
        '+ version acme/rocket 1.0.0',
        'product acme/rocket becomes public: no versions',
        'Done: 4 created, 0 changed, 0 deleted, 0 unchanged.\n',
      ].join('\n'),
    );
    assert.match(
      await apply(sandbox, documentOf([TWO]), '--prune', '--yes'),
      /^- version acme\/rocket 1\.0\.0\n\+ version acme\/rocket 2\.0\.0\nDone: 1 created, 0 changed, 1 deleted, 3 /,
    );
  });
});

describe('a document with several problems', () => {
  it('apply prints a line for each problem, unknown fields first, and writes nothing', async (t) => {
    const sandbox = sandboxOf(t);
    const text = 'team:\n  slug: Acme\n  name: Acme\n  visiblity: public\nteams: []\n';
    for (const flags of [[], ['--json'], ['--dry-run'], ['--prune', '--yes']]) {
      const { code, stdout, stderr } = await run(sandbox, ['apply', '-', ...flags], text);
      assert.deepEqual([code, stdout], [1, '']);
      assert.deepEqual(stderr.split('\n'), [
        'changelog: standard input:4: team.visiblity: unknown field "visiblity"; did you mean "visibility"?',
        'standard input:5: teams: unknown field "teams"; did you mean "team"?',
        'standard input:2: team.slug: "Acme" is not valid; use 1 to 64 of a-z, 0-9 and -, with no - at either end.',
        '',
      ]);
    }
    assert.equal(await dump(sandbox), null);
  });

  it('the text of a document neither controls the terminal nor adds lines', async (t) => {
    const evil = '"\\u001b[2J\\u202e\\nchangelog: done\\r"';
    const text = `{"team": {"slug": "a", "name": "A", ${evil}: 1}, ${evil}: 2, "products": [{${evil}: 3}]}`;
    const { stderr } = await run(sandboxOf(t), ['apply', '-'], text);
    assert.deepEqual(
      stderr.split('\n').map((line) => /^(?:changelog: )?standard input:1: /.test(line)),
      [true, true, true, true, true, false],
    );
    assert.doesNotMatch(stderr, /[^\P{Cc}\n]|\p{Bidi_Control}/u);
  });
});

describe('applying the same document twice', () => {
  it('applying the same document twice changes nothing and says so', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, DOCUMENT);
    const before = await dump(sandbox);
    assert.ok((await outcomes(sandbox, DOCUMENT)).every((outcome) => outcome.startsWith('unchanged ')));
    assert.match(await apply(sandbox, DOCUMENT), /^Nothing to do: .* 5 unchanged\.\n$/);
    assert.match(await apply(sandbox, DOCUMENT, '--prune'), /^Nothing to do: /);
    assert.deepEqual(await dump(sandbox), before);
  });

  it('applying the same document twice keeps ids and ETags', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, DOCUMENT);
    const before = await exported(sandbox);
    const { app } = await startApp(t, sandbox);
    const { id } = (await versionsByLabel(sandbox)).get('2.0.0') ?? {};
    const paths = [PUBLIC, `${PUBLIC}/versions/${id}`];
    const etags = async () =>
      await Promise.all(paths.map(async (url) => (await app.inject({ url })).headers.etag));
    const first = await etags();
    assert.ok(first.every((etag) => typeof etag === 'string'));
    await apply(sandbox, DOCUMENT);
    assert.deepEqual(await etags(), first);
    assert.deepEqual(await exported(sandbox), before);
  });
});

describe('content missing from a document', () => {
  const wide = {
    ...DOCUMENT,
    products: [...(DOCUMENT.products ?? []), { slug: 'sled', name: 'Sled', changelog: { versions: [ONE] } }],
  };

  it('content missing from a document stays', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, wide);
    await apply(sandbox, teamOf('other'));
    const before = await dump(sandbox);
    await apply(sandbox, documentOf([]));
    await apply(sandbox, { team: DOCUMENT.team });
    await apply(sandbox, {
      ...DOCUMENT,
      products: [{ slug: 'rocket', name: 'Rocket', status: 'published' }],
    });
    assert.deepEqual(await dump(sandbox), before);
  });

  it('apply --prune deletes versions, changelogs and products of this team that are missing', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, wide);
    await apply(sandbox, { ...teamOf('other'), products: [{ slug: 'rocket', name: 'Rocket' }] });
    assert.deepEqual(await outcomes(sandbox, documentOf([TWO]), '--prune', '--yes'), [
      'unchanged team acme',
      'deleted version acme/rocket 1.0.0',
      'deleted product acme/sled',
      'unchanged product acme/rocket',
      'unchanged changelog acme/rocket',
      'unchanged version acme/rocket 2.0.0',
    ]);
    const bare = { ...DOCUMENT, products: [{ slug: 'rocket', name: 'Rocket', status: 'published' }] };
    assert.ok((await outcomes(sandbox, bare, '--prune', '--yes')).includes('deleted changelog acme/rocket'));
    assert.deepEqual((await exported(sandbox)).products, bare.products);
    assert.equal((await exported(sandbox, 'other')).products.length, 1);
    assert.deepEqual(await query(sandbox, 'select * from changes'), []);
  });
});

describe('apply --dry-run', () => {
  it('apply --dry-run prints what would be done, and writes nothing', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, DOCUMENT);
    const before = await dump(sandbox);
    const edited = documentOf([
      { ...TWO, title: 'Zwei' },
      { version: '3.0.0', title: 'Three' },
    ]);
    assert.deepEqual(await outcomes(sandbox, edited, '--dry-run', '--prune'), [
      'unchanged team acme',
      'deleted version acme/rocket 1.0.0',
      'unchanged product acme/rocket',
      'unchanged changelog acme/rocket',
      'changed version acme/rocket 2.0.0',
      'created version acme/rocket 3.0.0',
    ]);
    assert.match(
      await apply(sandbox, edited, '--dry-run'),
      /\nWould be done: 1 created, 1 changed, 0 deleted/,
    );
    assert.match(await apply(sandbox, DOCUMENT, '--dry-run'), /^Nothing to do: /);
    assert.deepEqual(await dump(sandbox), before);
  });

  it('apply --dry-run creates no database', async (t) => {
    const sandbox = sandboxOf(t);
    assert.match(
      await apply(sandbox, DOCUMENT, '--dry-run'),
      /^\+ team acme\n(.*\n)*Would be done: 5 created/,
    );
    assert.equal(await dump(sandbox), null);
  });

  it('apply --dry-run fails where apply would', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([ONE], { status: 'locked' }));
    const edited = JSON.stringify(documentOf([TWO], { status: 'locked' }));
    assert.match(await expectFailure(sandbox, ['apply', '-', '--dry-run'], edited), /locked/);
  });
});

describe('apply of several files', () => {
  it('apply works through files in the given order, and reports in that order', async (t) => {
    const sandbox = sandboxOf(t);
    const first = write(sandbox, 'first.json', documentOf([ONE]));
    const second = write(sandbox, 'second.yaml', documentOf([{ ...ONE, title: 'Uno' }]));
    const third = write(sandbox, 'third.yaml', teamOf('other'));
    const found = await runJson<Outcome[]>(sandbox, ['apply', first, second, third]);
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
    assert.equal((await versionsByLabel(sandbox)).get('1.0.0')?.title, 'Uno');
  });

  it('apply reads standard input for -, also between files', async (t) => {
    const sandbox = sandboxOf(t);
    const file = write(sandbox, 'other.json', teamOf('other'));
    await runOk(sandbox, ['apply', file, '-'], JSON.stringify(DOCUMENT));
    assert.deepEqual(
      (await runJson<{ slug: string }[]>(sandbox, ['team', 'list'])).map(({ slug }) => slug),
      ['acme', 'other'],
    );
    assert.match(await expectFailure(sandbox, ['apply', '-'], 'team: 1'), /standard input:1: team: /);
  });

  it('apply writes nothing if the last file is invalid', async (t) => {
    const sandbox = sandboxOf(t);
    const good = write(sandbox, 'good.json', teamOf('other'));
    const bad = write(sandbox, 'bad.yaml', 'team:\n  slug: acme\n  nmae: Acme\n');
    assert.match(await expectFailure(sandbox, ['apply', good, bad]), /bad\.yaml:\d: team\.\w+: /);
    assert.match(
      await expectFailure(sandbox, ['apply', good, 'missing.yaml']),
      /missing\.yaml cannot be read/,
    );
    assert.match(
      await expectFailure(sandbox, ['apply', good, '.']),
      /^changelog: \. cannot be read: it is a directory; pass a file\.$/m,
    );
  });

  it('apply tells what is wrong with every file, and writes nothing', async (t) => {
    const sandbox = sandboxOf(t);
    const files = [
      write(sandbox, 'good.json', teamOf('other')),
      write(sandbox, 'bad.yaml', 'team:\n  slug: acme\n  nmae: Acme\n  plan: gold\n'),
      'missing.yaml',
      write(sandbox, 'comment.json', '{\n// ours\n"team": {"slug": "a", "name": "A"}}'),
    ];
    const { code, stderr } = await run(sandbox, ['apply', ...files]);
    assert.equal(code, 1);
    assert.deepEqual(
      stderr.split('\n').map((line) => line.replace(/: (?:unknown|must|no|JSON) .*/, '')),
      [
        'changelog: bad.yaml:3: team.nmae',
        'bad.yaml:4: team.plan',
        'missing.yaml cannot be read',
        'comment.json:2',
        '',
      ],
    );
    assert.equal(await dump(sandbox), null);
  });

  it('apply writes nothing if the database rejects the last file', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([ONE], { status: 'locked' }));
    const good = write(sandbox, 'good.json', teamOf('other'));
    const locked = write(sandbox, 'locked.json', documentOf([TWO], { status: 'locked' }));
    assert.match(
      await expectFailure(sandbox, ['apply', good, locked]),
      /locked\.json:1: products\[0\]: .*locked/,
    );
  });

  it('apply creates no database if the documents contradict each other', async (t) => {
    const sandbox = sandboxOf(t);
    const withId = (slug: string) => ({
      ...documentOf([{ ...ONE, id: 'ver_1' }]),
      team: { slug, name: slug },
    });
    const first = write(sandbox, 'first.json', withId('one'));
    const second = write(sandbox, 'second.json', withId('two'));
    assert.match(await expectFailure(sandbox, ['apply', first, second]), /second\.json:1: .*ver_1/);
  });

  it('apply without a file is wrong usage', async (t) => {
    assert.equal((await run(sandboxOf(t), ['apply'])).code, 2);
  });
});
