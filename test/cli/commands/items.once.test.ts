// The commands `team`, `product`, `changelog` and `version`.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { NO_APPEARANCE } from '../../../src/domain/content/appearance.ts';
import { PUBLICATION_STATES } from '../../../src/domain/model.ts';
import { dump, NO_DATABASE, query } from '../../../support/databases/engine.ts';
import { type Scope, sharedScope } from '../../../support/processes/scope.ts';
import { startApp } from '../../../support/program/app.ts';
import { apply, createKey, run, runOk, type Sandbox } from '../../../support/program/command.ts';
import {
  documentOf,
  expectFailure,
  expectMisuse,
  runJson,
  sandboxOf,
  sandboxWithoutDatabase,
  type TeamDocument,
} from '../helpers.ts';

const WORLD: TeamDocument = {
  team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
  products: [
    { slug: 'bare', name: 'Bare' },
    {
      slug: 'rocket',
      name: 'Rocket',
      status: 'published',
      changelog: {
        id: 'cl_1',
        name: 'News',
        status: 'published',
        versions: [
          { id: 'ver_2', version: '2.0.0', title: 'Two' },
          {
            id: 'ver_1',
            version: '1.0.0',
            title: 'One',
            status: 'published',
            publishedAt: '2026-05-04T09:00:00.000Z',
            changes: [{ id: 'chg_1', type: 'fixed', text: 'It *works*.', breaking: true }],
          },
        ],
      },
    },
  ],
};

async function world(scope: Scope): Promise<Sandbox> {
  const sandbox = sandboxOf(scope);
  await apply(sandbox, WORLD);
  await apply(sandbox, { team: { slug: 'other', name: 'Other' } });
  return sandbox;
}

const ACME = { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' };
const OTHER = { slug: 'other', name: 'Other', visibility: 'private', plan: 'free' };
const PLAIN = NO_APPEARANCE;
const BARE = { team: 'acme', slug: 'bare', name: 'Bare', status: 'draft', ...PLAIN };
const ROCKET = { team: 'acme', slug: 'rocket', name: 'Rocket', status: 'published', ...PLAIN };
const NEWS = {
  id: 'cl_1',
  team: 'acme',
  product: 'rocket',
  name: 'News',
  description: null,
  language: 'en',
  status: 'published',
};

describe('list and show', () => {
  it('`list` and `show` print JSON', async (t) => {
    const sandbox = await world(t);
    assert.deepEqual(await runJson(sandbox, ['team', 'list']), [ACME, OTHER]);
    assert.deepEqual(await runJson(sandbox, ['team', 'show', 'acme']), ACME);
    assert.deepEqual(await runJson(sandbox, ['product', 'list', 'acme']), [BARE, ROCKET]);
    assert.deepEqual(await runJson(sandbox, ['product', 'show', 'acme/rocket']), ROCKET);
    assert.deepEqual(await runJson(sandbox, ['changelog', 'list', 'acme']), [NEWS]);
    assert.deepEqual(await runJson(sandbox, ['changelog', 'show', 'acme/rocket']), NEWS);
    assert.deepEqual(await runJson(sandbox, ['product', 'list', 'other']), []);
  });

  it('version list and show print versions as the API does, drafts included', async (t) => {
    const sandbox = await world(t);
    const two = {
      id: 'ver_2',
      object: 'changelog.version',
      version: '2.0.0',
      title: 'Two',
      status: 'draft',
      publishedAt: null,
      changeCount: 0,
    };
    const list = await runJson<(typeof two)[]>(sandbox, ['version', 'list', 'acme/rocket']);
    assert.deepEqual(list[0], two);
    assert.deepEqual(list[1]?.id, 'ver_1');
    const shown = await runJson<Record<string, unknown>>(sandbox, [
      'version',
      'show',
      'acme/rocket',
      '1.0.0',
    ]);
    assert.deepEqual(shown.changelog, { id: 'cl_1', name: 'News', status: 'published' });
    const html = '<p>It <em>works</em>.</p>';
    assert.deepEqual(shown.changes, [
      { id: 'chg_1', object: 'changelog.change', type: 'fixed', text: 'It *works*.', html, breaking: true },
    ]);
    assert.deepEqual(await runJson(sandbox, ['version', 'show', 'acme/rocket', 'ver_1']), shown);
  });

  it('`list` and `show` print tables and records', async (t) => {
    const sandbox = await world(t);
    assert.match(
      await runOk(sandbox, ['team', 'list']),
      /^SLUG +NAME +VISIBILITY +PLAN\nacme +Acme +public +paid\n/,
    );
    assert.match(await runOk(sandbox, ['team', 'show', 'acme']), /^slug +acme\nname +Acme\n/);
    assert.match(
      await runOk(sandbox, ['product', 'list', 'acme']),
      /^TEAM +SLUG +NAME +STATUS +DOMAIN\n(?:.*\n)*acme +rocket +Rocket +published +-\n/,
    );
    assert.match(
      await runOk(sandbox, ['product', 'show', 'acme/rocket']),
      /\ndomain +-\nhome +-\nbase +-\nrepository +-\nimage +-\nlogo +-\naccent +-\n/,
    );
    assert.match(await runOk(sandbox, ['changelog', 'show', 'acme/rocket']), /\nlanguage +en\n/);
    assert.match(
      await runOk(sandbox, ['version', 'list', 'acme/rocket']),
      /\n2\.0\.0 +Two +draft +- +0 +ver_2\n/,
    );
    const shown = await runOk(sandbox, ['version', 'show', 'acme/rocket', '1.0.0']);
    assert.match(shown, /^version +1\.0\.0\n(.*\n)*fixed, breaking: It \*works\*\.\n$/);
  });

  it('`list` says so if there is nothing to list', async (t) => {
    const sandbox = sandboxOf(t);
    await runOk(sandbox, ['migrate']);
    assert.match(await runOk(sandbox, ['team', 'list']), /no teams yet. `changelog init`/);
    await apply(sandbox, { team: { slug: 'acme', name: 'Acme' } });
    assert.match(await runOk(sandbox, ['product', 'list', 'acme']), /no products yet/);
    assert.match(await runOk(sandbox, ['changelog', 'list', 'acme']), /no changelogs yet/);
  });
});

describe('the latest version', () => {
  const published = (version: string, publishedAt: string) => ({
    version,
    title: '',
    status: 'published',
    publishedAt,
  });
  const latestOf = async (sandbox: Sandbox) =>
    (await runJson<{ version: string }>(sandbox, ['version', 'show', 'acme/rocket', 'latest'])).version;
  const CHANGING = [
    ['version', 'publish', 'acme/rocket', 'latest'],
    ['version', 'unpublish', 'acme/rocket', 'latest'],
    ['version', 'delete', 'acme/rocket', 'latest', '--yes'],
    ['version', 'delete', 'acme/rocket', 'latest'],
  ];

  it('version show accepts latest as the API does, and no other command does', async (t) => {
    const sandbox = sandboxOf(t);
    const versions = [
      published('1.9.0', '2026-03-01'),
      published('1.10.0', '2026-01-01'),
      published('2.0.0-beta.1', '2026-04-01'),
      { version: '3.0.0', title: '' },
    ];
    await apply(sandbox, documentOf(versions));
    const { app } = await startApp(t, sandbox);
    const route = '/api/v1/public/teams/acme/products/rocket/changelog/versions/latest';
    assert.equal(await latestOf(sandbox), '1.10.0');
    assert.equal((await app.inject(route)).json().data.version, '1.10.0');
    for (const args of CHANGING)
      assert.match(
        await expectFailure(sandbox, args),
        /only `changelog version show` accepts latest; .*is 1\.10\.0\./,
      );
  });

  it('version show latest is the newest if labels are not semantic versions, and fails without a published one', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([{ version: 'spring', title: '' }]));
    for (const args of [['version', 'show', 'acme/rocket', 'latest'], ...CHANGING])
      assert.match(await expectFailure(sandbox, args), /acme\/rocket has no published version/);
    await apply(sandbox, documentOf([published('winter', '2026-01-01'), published('spring', '2026-04-01')]));
    assert.equal(await latestOf(sandbox), 'spring');
  });

  it('a version with the label latest is the one that every command means', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([published('2.0.0', '2026-01-01'), { version: 'latest', title: '' }]));
    assert.equal(await latestOf(sandbox), 'latest');
    await runOk(sandbox, ['version', 'delete', 'acme/rocket', 'latest', '--yes']);
    assert.equal(await latestOf(sandbox), '2.0.0');
  });
});

describe('set', () => {
  it('set changes the given fields and shows the result', async (t) => {
    const sandbox = await world(t);
    const team = await runJson(sandbox, ['team', 'set', 'acme', '--visibility', 'private', '--plan', 'free']);
    assert.deepEqual(team, { ...ACME, visibility: 'private', plan: 'free' });
    assert.deepEqual(await runJson(sandbox, ['team', 'set', 'acme', '--name', 'A b']), {
      ...ACME,
      visibility: 'private',
      plan: 'free',
      name: 'A b',
    });
    assert.deepEqual(await runJson(sandbox, ['product', 'set', 'acme/rocket', '--name', 'R']), {
      ...ROCKET,
      name: 'R',
    });
    assert.deepEqual(await runJson(sandbox, ['changelog', 'set', 'acme/rocket', '--name', 'N']), {
      ...NEWS,
      name: 'N',
    });
    assert.match(
      await runOk(sandbox, ['team', 'set', 'acme', '--name', 'Acme']),
      /^slug +acme\nname +Acme\n/,
    );
    assert.deepEqual(await runJson(sandbox, ['team', 'show', 'other']), OTHER);
  });

  const logo = `data:image/png;base64,${'A'.repeat(2_000)}`;

  it('product set changes what its page shows, and an empty text removes it', async (t) => {
    const sandbox = await world(t);
    const set = (...options: string[]) => runJson(sandbox, ['product', 'set', 'acme/rocket', ...options]);
    const links = {
      ...NO_APPEARANCE.links,
      home: 'https://rocket.example',
      base: 'https://rocket.example/docs/',
    };
    assert.deepEqual(await set('--home', links.home, '--base', links.base), { ...ROCKET, links });
    assert.deepEqual(await set('--logo', logo, '--accent', '#FA0', '--home', ''), {
      ...ROCKET,
      links: { ...links, home: null },
      logo,
      accent: '#ffaa00',
    });
    const shown = await runOk(sandbox, ['product', 'show', 'acme/rocket']);
    assert.match(
      shown,
      /\nhome +-\nbase +https:\/\/rocket\.example\/docs\/\nrepository +-\nimage +-\nlogo +data:image\/png;base64,… \(2,022 characters\)\n/,
    );
    assert.deepEqual(await set('--base', '', '--logo=', '--accent', ''), ROCKET);
    const repository = 'https://github.com/acme/rocket';
    assert.deepEqual(
      await set('--repository', `${repository}.git`, '--image', 'data:image/svg+xml;base64,PHN2Zy8+'),
      {
        ...ROCKET,
        links: { ...PLAIN.links, repository },
        image: 'data:image/svg+xml;base64,PHN2Zy8+',
      },
    );
    assert.deepEqual(await set('--repository', '', '--image', ''), ROCKET);
    assert.deepEqual(await set('--domain', 'Änderungen.example.'), {
      ...ROCKET,
      domain: 'xn--nderungen-u2a.example',
    });
    assert.deepEqual(await set('--domain', 'xn--nderungen-u2a.example', '--domain', ''), ROCKET);
    assert.deepEqual(await runJson(sandbox, ['product', 'show', 'acme/bare']), BARE);
  });

  it('changelog set changes the description, which an import keeps, and an empty text removes it', async (t) => {
    const sandbox = await world(t);
    const set = (description: string) =>
      runJson(sandbox, ['changelog', 'set', 'acme/rocket', '--description', description]);
    const described = { ...NEWS, description: 'All about\n*Rocket*.' };
    assert.deepEqual(await set(described.description), described);
    assert.doesNotMatch(await runOk(sandbox, ['changelog', 'list', 'acme']), /about/);
    assert.match(await runOk(sandbox, ['changelog', 'show', 'acme/rocket']), /\ndescription +All about/);
    const file = '# News\n\nFrom the file.\n\n## 3.0.0 - 2026-01-01\n\n- a\n';
    await runOk(sandbox, ['import', 'acme/rocket', '-'], file);
    assert.deepEqual(await runJson(sandbox, ['changelog', 'show', 'acme/rocket']), described);
    assert.deepEqual(await set(''), NEWS);
  });

  it('changelog set changes the language, and an empty text means English', async (t) => {
    const sandbox = await world(t);
    const set = (language: string) =>
      runJson(sandbox, ['changelog', 'set', 'acme/rocket', '--language', language]);
    assert.deepEqual(await set('DE-ch'), { ...NEWS, language: 'de-CH' });
    assert.deepEqual(await set(''), NEWS);
  });

  it('set rejects what a content document could not contain, and does not repeat it', async (t) => {
    const sandbox = await world(t);
    for (const [option, value, message] of [
      ['--home', 'http://rocket.example', /option --home must be an absolute https: URL/],
      ['--base', 'https://user:hidden@rocket.example/', /option --base must be an absolute https: URL/],
      ['--logo', `${logo}hidden!`, /option --logo must be an https: URL/],
      ['--accent', 'hidden', /option --accent must be a colour/],
      [
        '--domain',
        'https://rocket.example',
        /option --domain must be a host name such as changes\.example\.com/,
      ],
      ['--repository', 'https://hidden@github.com/a/b', /option --repository must be the https: URL of a/],
    ] as const) {
      const said = await expectMisuse(sandbox, ['product', 'set', 'acme/rocket', option, value]);
      assert.match(said, message);
      assert.doesNotMatch(said, /hidden/);
    }
    const said = await expectMisuse(sandbox, ['changelog', 'set', 'acme/rocket', '--language', 'english']);
    assert.match(said, /option --language must be a BCP 47 language tag, such as en, de-CH or zh-Hant/);
  });

  it('set changes nothing of a locked product or changelog but its status', async (t) => {
    const sandbox = await world(t);
    const accent = ['product', 'set', 'acme/rocket', '--accent', '#fff'];
    const language = ['changelog', 'set', 'acme/rocket', '--language', 'de'];
    await runOk(sandbox, ['changelog', 'set', 'acme/rocket', '--status', 'locked']);
    assert.match(await expectFailure(sandbox, language), /the changelog acme\/rocket is locked/);
    await runOk(sandbox, accent);
    await runOk(sandbox, ['product', 'set', 'acme/rocket', '--status', 'locked']);
    assert.match(await expectFailure(sandbox, accent), /the product acme\/rocket is locked/);
    assert.match(await expectFailure(sandbox, [...accent.slice(0, 3), '--home', '']), /is locked/);
    await runOk(sandbox, [...accent, '--status', 'published']);
  });

  for (const noun of ['product', 'changelog']) {
    it(`${noun} set changes from any status to any other (R16)`, async (t) => {
      const sandbox = await world(t);
      for (const from of PUBLICATION_STATES) {
        for (const to of PUBLICATION_STATES) {
          await runOk(sandbox, [noun, 'set', 'acme/rocket', '--status', from]);
          const after = await runJson<{ status: string }>(sandbox, [
            noun,
            'set',
            'acme/rocket',
            '--status',
            to,
          ]);
          assert.equal(after.status, to);
        }
      }
    });
  }

  for (const [what, name] of [
    ['empty', ''],
    ['overlong', 'x'.repeat(201)],
  ] as const) {
    for (const thing of [
      ['team', 'set', 'acme'],
      ['product', 'set', 'acme/rocket'],
      ['changelog', 'set', 'acme/rocket'],
    ]) {
      it(`${thing[0]} set rejects an ${what} name, which a content document could not contain`, async (t) => {
        const sandbox = await world(t);
        const before = await dump(sandbox);
        const { code, stderr } = await run(sandbox, [...thing, '--name', name]);
        assert.ok(code === 1 || code === 2, `exit ${code}`);
        assert.match(stderr, /name/);
        assert.deepEqual(await dump(sandbox), before);
      });
    }
  }

  it('set without anything to set, or with an unknown status, is wrong usage', async (t) => {
    const sandbox = await world(t);
    assert.match(await expectMisuse(sandbox, ['team', 'set', 'acme']), /nothing to set/);
    assert.match(await expectMisuse(sandbox, ['product', 'set', 'acme/rocket']), /nothing to set/);
    assert.match(await expectMisuse(sandbox, ['team', 'set', 'acme', '--plan', 'gold']), /free, paid/);
    assert.match(
      await expectMisuse(sandbox, ['team', 'set', 'acme', '--visibility', 'x']),
      /public, private/,
    );
    assert.match(
      await expectMisuse(sandbox, ['product', 'set', 'acme/rocket', '--status', 'x']),
      /draft, published, locked/,
    );
    assert.match(await expectMisuse(sandbox, ['product', 'show', 'acme']), /TEAM\/PRODUCT/);
    assert.match(await expectMisuse(sandbox, ['product', 'show', 'a/b/c']), /TEAM\/PRODUCT/);
    await expectMisuse(sandbox, ['version', 'show', 'acme/rocket']);
    await expectMisuse(sandbox, ['team', 'show']);
  });
});

describe('delete', () => {
  it('delete deletes everything below, and nothing else', async (t) => {
    const sandbox = await world(t);
    assert.deepEqual(await runJson(sandbox, ['version', 'delete', 'acme/rocket', '1.0.0', '--yes']), {
      deleted: '1.0.0',
    });
    assert.deepEqual(await query(sandbox, 'select * from changes'), []);
    assert.deepEqual(await runJson(sandbox, ['changelog', 'delete', 'acme/rocket', '--yes']), {
      deleted: 'acme/rocket',
    });
    assert.deepEqual(await query(sandbox, 'select * from versions'), []);
    assert.deepEqual(await runJson(sandbox, ['product', 'list', 'acme']), [BARE, ROCKET]);
    assert.deepEqual(await runJson(sandbox, ['product', 'delete', 'acme/rocket', '--yes']), {
      deleted: 'acme/rocket',
    });
    assert.deepEqual(await runJson(sandbox, ['product', 'list', 'acme']), [BARE]);
    assert.deepEqual(await runJson(sandbox, ['team', 'delete', 'acme', '--yes']), { deleted: 'acme' });
    assert.deepEqual(await runJson(sandbox, ['team', 'list']), [OTHER]);
    assert.deepEqual(await query(sandbox, 'select * from products'), []);
  });

  it('team delete deletes the keys of the team, and no others (R6)', async (t) => {
    const sandbox = await world(t);
    await runOk(sandbox, ['team', 'set', 'other', '--plan', 'paid']);
    await createKey(sandbox, 'acme', '--kind', 'SELECT', '--product', 'rocket');
    await createKey(sandbox, 'other', '--kind', 'FULL');
    assert.match(await runOk(sandbox, ['team', 'delete', 'acme', '--yes']), /^Deleted the team acme\.\n$/);
    assert.equal((await query(sandbox, 'select * from api_keys')).length, 1);
    assert.deepEqual(await query(sandbox, 'select * from api_key_products'), []);
  });
});

describe('a name that does not exist', () => {
  const cases: [args: string[], message: RegExp][] = [
    [['team', 'show', 'x'], /no team x: `changelog team list`/],
    [['team', 'set', 'x', '--plan', 'paid'], /no team x: /],
    [['team', 'delete', 'x'], /no team x: /],
    [['product', 'list', 'x'], /no team x: /],
    [['product', 'show', 'x/y'], /no team x: /],
    [['product', 'show', 'acme/x'], /no product acme\/x: `changelog product list acme`/],
    [['product', 'set', 'acme/x', '--status', 'draft'], /no product acme\/x: /],
    [['product', 'delete', 'acme/x'], /no product acme\/x: /],
    [['changelog', 'list', 'x'], /no team x: /],
    [['changelog', 'show', 'acme/bare'], /acme\/bare has no changelog; .* `changelog apply`/],
    [['changelog', 'set', 'acme/bare', '--status', 'draft'], /acme\/bare has no changelog; /],
    [['changelog', 'delete', 'acme/bare'], /acme\/bare has no changelog; /],
    [['changelog', 'show', 'acme/x'], /no product acme\/x: /],
    [['changelog', 'set', 'acme/x', '--status', 'draft'], /no product acme\/x: /],
    [['version', 'list', 'acme/x'], /no product acme\/x: /],
    [['version', 'list', 'x/y'], /no (team x|product x\/y): /],
    [['version', 'list', 'acme/bare'], /acme\/bare has no changelog; /],
    [
      ['version', 'show', 'acme/rocket', '9'],
      /no version 9 of acme\/rocket: `changelog version list acme\/rocket`/,
    ],
    [['version', 'publish', 'acme/rocket', '9'], /no version 9 of acme\/rocket: /],
    [['version', 'unpublish', 'acme/rocket', '9'], /no version 9 of acme\/rocket: /],
    [['version', 'delete', 'acme/rocket', '9'], /no version 9 of acme\/rocket: /],
    [['version', 'delete', 'acme/bare', '9'], /acme\/bare has no changelog; /],
    [['version', 'show', 'acme/bare', '9'], /acme\/bare has no changelog; /],
    [['version', 'show', 'acme/x', '9'], /no product acme\/x: /],
    [['version', 'show', 'x/y', '9'], /no team x: /],
    [['team', 'show', 'amce'], /no team amce: did you mean acme\? `changelog team list` lists /],
    [['team', 'delete', 'Acme'], /no team Acme: did you mean acme\? /],
    [['export', 'otehr'], /no team otehr: did you mean other\? /],
    [['product', 'show', 'acme/roket'], /no product acme\/roket: did you mean acme\/rocket\? /],
    [['product', 'set', 'acme/rocke', '--status', 'draft'], /did you mean acme\/rocket\? /],
    [['version', 'list', 'acmee/rocket'], /no team acmee: did you mean acme\? /],
    [['version', 'show', 'acme/rocket', 'v1.0.0'], /no version v1\.0\.0 .*: did you mean 1\.0\.0\? /],
    [['version', 'delete', 'acme/rocket', '2.0'], /no version 2\.0 .*: did you mean 2\.0\.0\? /],
    [['key', 'create', 'acme', '--kind', 'SELECT', '--product', 'roket'], /did you mean acme\/rocket\? /],
  ];
  // A failed command changes nothing, so all cases share one database.
  const scope = sharedScope();
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await world(scope);
  });
  for (const [args, message] of cases) {
    it(`\`${args.join(' ')}\` fails and says what to do`, async () => {
      assert.match(await expectFailure(sandbox, args), message);
    });
  }

  it('an old label among 1,100 gets a suggestion', async (t) => {
    const sandbox = sandboxOf(t);
    const versions = Array.from({ length: 1_100 }, (_, index) => ({ version: `${index}.0.0`, title: '' }));
    await apply(sandbox, documentOf(versions));
    assert.match(
      await expectFailure(sandbox, ['version', 'show', 'acme/rocket', '1099.0.1']),
      /mean 1099\.0\.0\?/,
    );
    assert.match(await expectFailure(sandbox, ['version', 'show', 'acme/rocket', '0.0.o']), /mean 0\.0\.0\?/);
  });

  it('a missing database is reported with what to do', async (t) => {
    const sandbox = sandboxWithoutDatabase(t);
    for (const args of [
      ['team', 'list'],
      ['team', 'delete', 'x'],
      ['version', 'publish', 'a/b', '1'],
    ]) {
      assert.match(await expectFailure(sandbox, args), NO_DATABASE);
    }
  });
});
