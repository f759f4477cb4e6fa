// Dates set by an apply, and locked content.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { publishDue } from '../../../src/store/write/publish-due.ts';
import { databaseUrl, provideMigrated, query } from '../../../support/databases/engine.ts';
import { openWriter } from '../../../support/databases/open.ts';
import { apply, run, runOk, type Sandbox } from '../../../support/program/command.ts';
import {
  documentOf,
  expectFailure,
  exported,
  sandboxOf,
  type TeamDocument,
  versionsByLabel,
} from '../helpers.ts';

const MORNING = '2026-06-01T08:00:00.000Z';
const EVENING = '2026-06-01T20:00:00.000Z';
const ONE = { version: '1.0.0', title: 'One', changes: [{ type: 'added', text: 'A' }] };

const at = (sandbox: Sandbox, now: string): Sandbox => ({ ...sandbox, now });
const dateOf = async (sandbox: Sandbox) => (await versionsByLabel(sandbox)).get('1.0.0')?.publishedAt;

describe('a published version without publishedAt', () => {
  const published = documentOf([{ ...ONE, status: 'published' }]);

  it('a published version without publishedAt gets the time of its first apply, and keeps it', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(at(sandbox, MORNING), published);
    assert.equal(await dateOf(sandbox), MORNING);
    assert.match(await apply(at(sandbox, EVENING), published), /^Nothing to do/);
    await apply(at(sandbox, EVENING), documentOf([{ ...ONE, status: 'published', title: 'Uno' }]));
    assert.equal(await dateOf(sandbox), MORNING);
  });

  it('a draft gets the time of the apply that publishes it', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(at(sandbox, MORNING), documentOf([ONE]));
    assert.equal(await dateOf(sandbox), undefined);
    await apply(at(sandbox, EVENING), published);
    assert.equal(await dateOf(sandbox), EVENING);
  });

  it('a published version keeps its date when it becomes a draft and is published again', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(at(sandbox, MORNING), published);
    await apply(at(sandbox, EVENING), documentOf([ONE]));
    assert.equal(await dateOf(sandbox), MORNING);
    await apply(at(sandbox, EVENING), published);
    assert.equal(await dateOf(sandbox), MORNING);
  });

  it('a version keeps a given date until another is given', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([{ ...ONE, status: 'published', publishedAt: MORNING }]));
    await apply(sandbox, published);
    assert.equal(await dateOf(sandbox), MORNING);
    await apply(sandbox, documentOf([{ ...ONE, status: 'published', publishedAt: EVENING }]));
    assert.equal(await dateOf(sandbox), EVENING);
  });

  it('versions published by the same apply have the same date', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(
      sandbox,
      documentOf([
        { ...ONE, status: 'published' },
        { version: '2.0.0', title: 'Two', status: 'published' },
      ]),
    );
    const dates = [...(await versionsByLabel(sandbox)).values()].map(({ publishedAt }) => publishedAt);
    assert.equal(new Set(dates).size, 1);
  });
});

describe('a draft with publishAt (R50)', () => {
  const TIME = '2026-06-01T12:00:00.000Z';
  const LATER = '2999-06-01T12:00:00.000Z';
  const scheduled = documentOf([{ ...ONE, publishAt: '2026-06-01T14:00+02:00' }]);
  const stateOf = async (sandbox: Sandbox) => {
    const [row] = await query(sandbox, 'select status, published_at, publish_at, updated_at from versions');
    return Object.values(row ?? {});
  };
  const publish = async (sandbox: Sandbox) => {
    const db = await openWriter(databaseUrl(sandbox), { create: false });
    await publishDue(db).finally(() => db.destroy());
  };

  it('publishAt is stored, kept by the same document and by its export, and removed when it is left out', async (t) => {
    const [sandbox, other] = [sandboxOf(t), sandboxOf(t)];
    await apply(at(sandbox, MORNING), scheduled);
    const state = ['draft', null, TIME, MORNING];
    assert.deepEqual(await stateOf(sandbox), state);
    assert.match(await apply(at(sandbox, EVENING), scheduled), /^Nothing to do/);
    const document = await exported(sandbox);
    assert.equal(document.products[0]?.changelog?.versions?.[0]?.publishAt, TIME);
    await apply(at(other, EVENING), document);
    assert.deepEqual(await stateOf(other), state);
    const yaml = await runOk(other, ['export', 'acme']);
    assert.match(yaml, /^ {10}publishAt: 2026-06-01T12:00:00\.000Z$/m);
    assert.match(await runOk(other, ['apply', '-', '--prune'], yaml), /^Nothing to do/);

    const postponed = documentOf([{ ...ONE, publishAt: LATER }]);
    assert.match(await apply(at(sandbox, EVENING), postponed), /^~ version acme\/rocket 1\.0\.0\nDone/);
    assert.deepEqual(await stateOf(sandbox), ['draft', null, LATER, MORNING]);
    assert.match(
      await apply(at(sandbox, EVENING), documentOf([ONE])),
      /^~ version acme\/rocket 1\.0\.0\nDone/,
    );
    assert.deepEqual(await stateOf(sandbox), ['draft', null, null, MORNING]);
  });

  it('apply warns of a time that has passed, until the version is published', async (t) => {
    const sandbox = at(sandboxOf(t), EVENING);
    await provideMigrated(sandbox);
    const stderr = async () => (await run(sandbox, ['apply', '-'], JSON.stringify(scheduled))).stderr;
    const warning = `changelog: warning: Scheduled for a time that has passed: acme/rocket 1.0.0 (${TIME}). A server publishes what is due within 2 seconds.\n`;
    assert.deepEqual([await stderr(), await stderr()], [warning, warning]);
    await publish(sandbox);
    assert.equal(await stderr(), '');
    await runOk(sandbox, ['version', 'unpublish', 'acme/rocket', '1.0.0']);
    assert.equal(await stderr(), warning, 'the version would be published again without a word');
  });

  it('a document does not take back what was published on schedule, but an edited schedule does', async (t) => {
    const sandbox = at(sandboxOf(t), MORNING);
    await apply(sandbox, documentOf([{ ...ONE, publishAt: TIME, publishedAt: '2020-01-01' }]));
    await publish(sandbox);
    const published = ['published', TIME, null, TIME];
    assert.deepEqual(await stateOf(sandbox), published);
    for (const document of [scheduled, documentOf([{ ...ONE, publishAt: TIME, publishedAt: '2020-01-01' }])])
      assert.match(await apply(at(sandbox, EVENING), document, '--prune'), /^Nothing to do/);
    assert.deepEqual(await stateOf(sandbox), published);
    await apply(at(sandbox, EVENING), documentOf([{ ...ONE, publishAt: LATER }]));
    assert.deepEqual(await stateOf(sandbox), ['draft', TIME, LATER, EVENING]);
    await apply(at(sandbox, EVENING), documentOf([{ ...ONE, status: 'published' }]));
    assert.deepEqual((await stateOf(sandbox)).slice(0, 3), ['published', TIME, null]);
  });

  it('a new schedule is an edit of locked content, and many versions keep theirs', async (t) => {
    const sandbox = sandboxOf(t);
    const many = Array.from({ length: 250 }, (_, index) => ({
      ...ONE,
      version: `${index}.0.0`,
      publishAt: LATER,
    }));
    await apply(sandbox, documentOf(many, { status: 'locked' }));
    const count = async () =>
      Number(
        (await query(sandbox, `select count(*) as n from versions where publish_at = '${LATER}'`))[0]?.n,
      );
    assert.equal(await count(), 250);
    const edited = documentOf([{ ...ONE, version: '7.0.0', publishAt: TIME }], { status: 'locked' });
    assert.match(await expectFailure(sandbox, ['apply', '-'], JSON.stringify(edited)), /is locked/);
  });
});

describe('locked content', () => {
  const locks = {
    product: documentOf([ONE], { status: 'locked' }),
    changelog: documentOf([ONE], { changelog: { name: 'C', status: 'locked', versions: [ONE] } }),
  };
  const fails = (sandbox: Sandbox, document: TeamDocument, ...flags: string[]) =>
    expectFailure(sandbox, ['apply', '-', ...flags], JSON.stringify(document));

  for (const [lock, document] of Object.entries(locks)) {
    const withVersions = (versions: (typeof ONE)[]) => {
      const [product] = structuredClone(document.products ?? []);
      return { ...document, products: [{ ...product, changelog: { ...product?.changelog, versions } }] };
    };

    const [locked = { slug: '', name: '' }] = document.products ?? [];
    const withLanguage = {
      ...document,
      products: [{ ...locked, changelog: { ...locked.changelog, language: 'de' } }],
    };

    it(`content can be created and locked by one document (${lock})`, async (t) => {
      const sandbox = sandboxOf(t);
      await apply(sandbox, document);
      assert.equal((await versionsByLabel(sandbox)).size, 1);
      assert.match(await runOk(sandbox, [lock, 'show', 'acme/rocket']), /status +locked/);
    });

    it(`content can be edited and locked by one document (${lock})`, async (t) => {
      const sandbox = sandboxOf(t);
      await apply(sandbox, documentOf([{ ...ONE, title: 'Zero' }]));
      await apply(sandbox, document);
      assert.equal((await versionsByLabel(sandbox)).get('1.0.0')?.title, 'One');
    });

    it(`locked content accepts the identical document (${lock})`, async (t) => {
      const sandbox = sandboxOf(t);
      await apply(sandbox, document);
      assert.match(await apply(sandbox, document), /^Nothing to do/);
      assert.match(await apply(sandbox, await exported(sandbox), '--prune'), /^Nothing to do/);
      assert.match(await apply(sandbox, { team: document.team }), /^Nothing to do/);
    });

    it(`locked content rejects every edit, saying how to unlock it (${lock})`, async (t) => {
      const sandbox = sandboxOf(t);
      await apply(sandbox, document);
      const edits = [
        withVersions([{ ...ONE, title: 'Uno' }]),
        withVersions([{ ...ONE, changes: [] }]),
        withVersions([ONE, { ...ONE, version: '2.0.0' }]),
        withLanguage,
      ] as TeamDocument[];
      for (const edit of edits) {
        const message = await fails(sandbox, edit);
        assert.match(message, /^changelog: standard input:1: products\[0\]/);
        assert.match(message, new RegExp(`changelog ${lock} set acme/rocket --status`));
      }
      if (lock === 'product')
        for (const edit of [
          { accent: '#fff' },
          { logo: 'https://a.example' },
          { links: { home: 'https://a.example' } },
        ])
          assert.match(await fails(sandbox, { ...document, products: [{ ...locked, ...edit }] }), /locked/);
      assert.match(await fails(sandbox, withVersions([]) as TeamDocument, '--prune'), /locked/);
      assert.match(await fails(sandbox, { team: document.team }, '--prune'), /locked/);
      const { changelog: _, ...bare } = document.products?.[0] ?? { slug: '', name: '' };
      assert.match(await fails(sandbox, { ...document, products: [bare] }, '--prune'), /locked/);
    });

    it(`locked content is unlocked by a command, not by a document (${lock})`, async (t) => {
      const sandbox = sandboxOf(t);
      await apply(sandbox, document);
      const unlocked = documentOf([ONE], { changelog: { name: 'C', status: 'published', versions: [ONE] } });
      if (lock === 'product') assert.match(await fails(sandbox, documentOf([ONE])), /locked/);
      else assert.match(await fails(sandbox, unlocked), /locked/);
      await runOk(sandbox, [lock, 'set', 'acme/rocket', '--status', 'published']);
      await apply(sandbox, documentOf([{ ...ONE, title: 'Uno' }]));
      assert.equal((await versionsByLabel(sandbox)).get('1.0.0')?.title, 'Uno');
    });
  }

  it('a locked product rejects a new name', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, locks.product);
    assert.match(await fails(sandbox, documentOf([ONE], { status: 'locked', name: 'R' })), /locked/);
  });

  it('a locked product does not lock other products', async (t) => {
    const sandbox = sandboxOf(t);
    const sled = { slug: 'sled', name: 'Sled' };
    await apply(sandbox, { ...locks.product, products: [...(locks.product.products ?? []), sled] });
    const before = await query(sandbox, 'select * from versions');
    const products = [...(locks.product.products ?? []), { ...sled, name: 'Sledge' }];
    assert.match(await apply(sandbox, { ...locks.product, products }), /~ product acme\/sled\nDone/);
    assert.deepEqual(await query(sandbox, 'select * from versions'), before);
  });

  it('a document that edits locked content is rejected as a whole', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, locks.product);
    const document = documentOf([], { status: 'locked', name: 'R' });
    await fails(sandbox, { team: { ...document.team, name: 'ACME' }, products: document.products ?? [] });
    assert.equal((await exported(sandbox)).team.name, 'Acme');
  });
});

describe('apply that makes something public, or takes it back', () => {
  const LINE = /^product .*$/gm;
  const world = (visibility: string, ...products: [slug: string, status: string, changelog: string][]) => ({
    team: { slug: 'acme', name: 'Acme', visibility },
    products: products.map(([slug, status, changelog]) => ({
      slug,
      name: slug,
      status,
      changelog: {
        status: changelog,
        versions: [
          { version: '3', title: '' },
          { version: '2', title: '', status: 'published' },
          { version: '1', title: '', status: 'published' },
        ],
      },
    })),
  });

  it('says which products everyone can see now, or no longer, also in a dry run and as JSON', async (t) => {
    const sandbox = sandboxOf(t);
    const lines = async (document: unknown, ...flags: string[]) =>
      (await apply(sandbox, document, ...flags)).match(LINE) ?? [];
    const hidden = world('private', ['a', 'published', 'published'], ['b', 'draft', 'published']);
    assert.deepEqual(await lines(hidden), []);
    const team = { ...hidden, team: { ...hidden.team, visibility: 'public' }, products: [] };
    for (const flags of [['--dry-run'], []])
      assert.deepEqual(await lines(team, ...flags), ['product acme/a becomes public: 2 versions']);
    assert.deepEqual(await lines(team), [], 'nothing changes');
    assert.deepEqual(await lines(world('public', ['b', 'published', 'published'])), [
      'product acme/b becomes public: 2 versions',
    ]);
    const json = JSON.parse(
      await apply(
        sandbox,
        world('public', ['a', 'locked', 'published'], ['b', 'published', 'draft']),
        '--json',
      ),
    );
    assert.deepEqual(json[0], {
      action: 'unchanged',
      kind: 'team',
      name: 'acme',
      hidden: [
        { product: 'acme/a', versions: 2 },
        { product: 'acme/b', versions: 2 },
      ],
    });
    assert.deepEqual(await lines(world('public', ['b', 'published', 'published']), '--dry-run'), [
      'product acme/b becomes public: 2 versions',
    ]);
  });

  it('says so of a product that is pruned, and of a team that becomes private', async (t) => {
    const sandbox = sandboxOf(t);
    const products: [string, string, string][] = [
      ['a', 'published', 'published'],
      ['b', 'published', 'published'],
    ];
    await apply(sandbox, world('public', ...products));
    const pruned = await apply(sandbox, world('public', ...products.slice(0, 1)), '--prune', '--yes');
    assert.match(pruned, /^- product acme\/b\nproduct acme\/b is no longer public: 2 versions\nDone: /m);
    const gone = await apply(sandbox, world('private', ...products.slice(0, 1)));
    assert.match(gone, /^~ team acme\nproduct acme\/a is no longer public: 2 versions\nDone: /);
  });
});
