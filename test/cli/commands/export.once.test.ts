import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { INTRODUCTION } from '../../../src/domain/content/changelog-markdown.ts';
import { dump, NO_DATABASE } from '../../../support/databases/engine.ts';
import { apply, runOk, type Sandbox } from '../../../support/program/command.ts';
import { readChangelog } from '../../support/read-changelog.ts';
import {
  documentOf,
  expectFailure,
  expectMisuse,
  exported,
  sandboxOf,
  sandboxWithoutDatabase,
  type TeamDocument,
  type VersionDocument,
} from '../helpers.ts';
import { listResponses } from '../responses.ts';

const MAY = '2026-05-04T09:00:00.000Z';
const JUNE = '2026-06-01T00:00:00.000Z';

/** Covers every order and every status. */
const WORLD: TeamDocument = {
  team: { slug: 'acme', name: 'Acme & Söhne', visibility: 'public', plan: 'paid' },
  products: [
    {
      slug: 'rocket',
      name: 'Rocket',
      status: 'published',
      domain: 'changes.rocket.example',
      links: {
        home: 'https://rocket.example',
        base: 'https://rocket.example/docs/',
        repository: 'https://github.com/acme/rocket',
      },
      image: 'https://rocket.example/cover.png',
      logo: "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'/%3E",
      accent: '#4f46e5',
      changelog: {
        name: 'What is new',
        language: 'de-CH',
        status: 'published',
        versions: [
          { version: '4.0.0', title: 'Newest draft' },
          { version: '3.5.0', title: 'Middle draft', description: 'Soon.' },
          { version: '3.0.0', title: 'Oldest draft', changes: [{ type: 'added', text: 'x' }] },
          { version: '2.9.0', title: 'Was published', publishedAt: JUNE },
          {
            version: '2.1.0',
            title: 'Tie',
            status: 'published',
            publishedAt: MAY,
            image: 'data:image/svg+xml;utf8,<svg a="#1"/>',
          },
          { version: '2.0.0', title: 'Tie', status: 'published', publishedAt: MAY },
          { version: '2.0.0-rc', title: 'Tie', status: 'published', publishedAt: MAY, yanked: true },
          {
            version: '1.0.0',
            title: '',
            status: 'published',
            publishedAt: '2020-02-29T23:59:59.999Z',
            description: '# Hello\n\n- a\n- b\n',
            changes: [
              { type: 'added', text: '*A* countdown.', breaking: true },
              { type: 'added', text: '*A* countdown.' },
              { type: 'security', text: '```\ncode\n```\n' },
            ],
          },
        ],
      },
    },
    { slug: 'bare', name: 'Bare', status: 'published', links: { base: 'https://bare.example/' } },
    { slug: 'hollow', name: 'Hollow', status: 'published', changelog: { status: 'published' } },
    {
      slug: 'frozen',
      name: 'Frozen',
      status: 'locked',
      changelog: { status: 'published', versions: [{ version: '1', title: 'One', status: 'published' }] },
    },
    {
      slug: 'shut',
      name: 'Shut',
      status: 'published',
      changelog: { status: 'locked', versions: [{ version: '1', title: 'One' }] },
    },
    { slug: 'hidden', name: 'Hidden', changelog: { versions: [{ version: '1', title: 'One' }] } },
  ],
};

/** Made by several commands, so that the order of creation is not that of one document. */
async function makeWorld(sandbox: Sandbox): Promise<void> {
  await apply(sandbox, WORLD);
  const later: VersionDocument[] = [
    { version: '5.0.0', title: 'Created last' },
    { version: '0.9.0', title: 'To be unpublished', status: 'published', publishedAt: '2019-01-01' },
    { version: '0.8.0', title: 'To be published' },
  ];
  await apply(sandbox, { ...WORLD, products: documentOf(later, { name: 'Rocket' }).products ?? [] });
  await runOk(sandbox, ['version', 'unpublish', 'acme/rocket', '0.9.0']);
  await runOk(sandbox, ['version', 'publish', 'acme/rocket', '0.8.0']);
  await runOk(sandbox, ['version', 'delete', 'acme/rocket', '3.5.0', '--yes']);
}

describe('export', () => {
  it('export lists versions in the order of the API', async (t) => {
    const sandbox = sandboxOf(t, { now: '2026-07-01T00:00:00.000Z' });
    await makeWorld(sandbox);
    const versions = (await exported(sandbox)).products.find(({ slug }) => slug === 'rocket')?.changelog;
    const labels = versions?.versions?.map(({ version }) => version) ?? [];
    assert.deepEqual(labels.slice(0, 5), ['5.0.0', '4.0.0', '3.0.0', '0.8.0', '2.9.0']);
    assert.deepEqual(labels.slice(5, 8).toSorted(), ['2.0.0', '2.0.0-rc', '2.1.0']);
    assert.deepEqual(labels.slice(8), ['1.0.0', '0.9.0']);
  });

  it('export writes what a product says about its page where it says so, and the language unless it is English', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, WORLD);
    const yaml = await runOk(sandbox, ['export', 'acme']);
    assert.ok(
      yaml.includes(`
  - slug: rocket
    name: Rocket
    status: published
    domain: changes.rocket.example
    links:
      home: https://rocket.example
      base: https://rocket.example/docs/
      repository: https://github.com/acme/rocket
    image: https://rocket.example/cover.png
    logo: data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'/%3E
    accent: "#4f46e5"
    changelog:
`),
      yaml,
    );
    assert.match(yaml, /\n {6}name: What is new\n {6}language: de-CH\n {6}status: published\n/);
    assert.equal(yaml.match(/(?:domain|language|accent|logo|repository): /g)?.length, 5);
    assert.equal(
      yaml.match(/ {10}image: data:image\/svg\+xml;utf8,%3Csvg%20a=%22%231%22\/%3E\n/g)?.length,
      1,
    );
    assert.equal(yaml.match(/image: /g)?.length, 2);
    assert.equal(yaml.match(/links:/g)?.length, 2);
    const [bare, frozen, , , rocket] = (await exported(sandbox)).products;
    assert.deepEqual(bare, WORLD.products?.[1]);
    assert.deepEqual(Object.keys(frozen ?? {}), ['slug', 'name', 'status', 'changelog']);
    assert.deepEqual(Object.keys(frozen?.changelog ?? {}), ['id', 'name', 'status', 'versions']);
    assert.deepEqual(rocket?.links, WORLD.products?.[0]?.links);
  });

  for (const format of ['yaml', 'json']) {
    it(`an export applied to an empty database exports identically (${format})`, async (t) => {
      const [source, target] = [sandboxOf(t), sandboxOf(t)];
      await makeWorld(source);
      const text = await runOk(source, ['export', 'acme', '--format', format]);
      await runOk(target, ['apply', '-'], text);
      assert.equal(await runOk(target, ['export', 'acme', '--format', format]), text);
      assert.deepEqual(await exported(target), await exported(source));
    });

    for (const visibility of ['public', 'private']) {
      it(`an export applied to an empty database gives identical API responses (${format}, ${visibility} team)`, async (t) => {
        const [source, target] = [sandboxOf(t), sandboxOf(t)];
        await makeWorld(source);
        await runOk(source, ['team', 'set', 'acme', '--visibility', visibility, '--plan', 'free']);
        await runOk(target, ['apply', '-'], await runOk(source, ['export', 'acme', '--format', format]));
        const responses = await listResponses(t, source);
        assert.deepEqual(await listResponses(t, target), responses);
        const found = responses.filter(({ status }) => status === 200);
        assert.equal(
          found.some(({ url }) => url.includes('/public/')),
          visibility === 'public',
        );
        assert.ok(found.length >= 10);
      });
    }

    it(`an export applied to its own database changes nothing (${format})`, async (t) => {
      const sandbox = sandboxOf(t);
      await makeWorld(sandbox);
      const before = await dump(sandbox);
      const text = await runOk(sandbox, ['export', 'acme', '--format', format]);
      assert.match(await runOk(sandbox, ['apply', '-', '--prune'], text), /^Nothing to do/);
      assert.deepEqual(await dump(sandbox), before);
    });
  }

  it('export writes YAML with the comment that names the schema for editors', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, WORLD);
    const text = await runOk(sandbox, ['export', 'acme']);
    assert.match(text, /^# yaml-language-server: \$schema=\S+\nteam:\n/);
  });

  it('export prints the same for --json and --format json', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, WORLD);
    const text = await runOk(sandbox, ['export', 'acme', '--json']);
    assert.equal(await runOk(sandbox, ['export', 'acme', '--format', 'json']), text);
    assert.equal(JSON.parse(text).team.name, 'Acme & Söhne');
  });

  it('export contains one team, and no keys', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, WORLD);
    await apply(sandbox, { team: { slug: 'other', name: 'Somebody else' } });
    const key = await runOk(sandbox, ['key', 'create', 'acme', '--kind', 'FULL', '--name', 'Our key']);
    const text = await runOk(sandbox, ['export', 'acme']);
    assert.doesNotMatch(text, /Somebody else|Our key|clk_|key_/);
    assert.match(key, /clk_/);
  });

  it('export rejects an unknown team, and prints nothing', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, WORLD);
    assert.match(await expectFailure(sandbox, ['export', 'nobody']), /no team nobody: `changelog team list`/);
  });

  it('export fails without a database, and creates none', async (t) => {
    assert.match(await expectFailure(sandboxWithoutDatabase(t), ['export', 'acme']), NO_DATABASE);
  });

  it('export --format markdown prints one changelog with its drafts, in the order of the API and of the author', async (t) => {
    const sandbox = sandboxOf(t);
    await makeWorld(sandbox);
    const text = await runOk(sandbox, ['export', 'acme/rocket', '--format', 'markdown']);
    const { products } = await exported(sandbox);
    const { name, versions = [] } = products.find(({ slug }) => slug === 'rocket')?.changelog ?? {};
    assert.equal(versions.length, 10);
    assert.deepEqual(readChangelog(text), {
      name,
      description: null,
      versions: versions.map((version) => ({
        version: version.version,
        title: version.title,
        status: version.status ?? 'draft',
        publishedAt: version.publishedAt ?? null,
        description: version.description ?? null,
        yanked: version.yanked ?? false,
        changes: (version.changes ?? []).map(({ type, text, breaking = false }) => ({
          type,
          text,
          breaking,
        })),
      })),
    });
  });

  it('export --format markdown needs a product that has a changelog', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, WORLD);
    const asMarkdown = (place: string) => ['export', place, '--format', 'markdown'];
    assert.match(await expectMisuse(sandbox, asMarkdown('acme')), /name its product, such as acme\/rocket/);
    assert.match(await expectFailure(sandbox, asMarkdown('acme/bare')), /acme\/bare has no changelog/);
    assert.match(await expectFailure(sandbox, asMarkdown('acme/nothing')), /no product acme\/nothing/);
    assert.match(await expectFailure(sandbox, asMarkdown('nobody/rocket')), /no team nobody/);
    assert.equal(await runOk(sandbox, asMarkdown('acme/hollow')), `# Hollow\n\n${INTRODUCTION}\n`);
  });

  it('exports of single products, applied one by one, reproduce the team', async (t) => {
    const [source, target] = [sandboxOf(t), sandboxOf(t)];
    await apply(source, WORLD);
    for (const { slug } of (await exported(source)).products) {
      const text = await runOk(source, ['export', `acme/${slug}`, '--json']);
      assert.deepEqual(
        JSON.parse(text).products.map((product: { slug: string }) => product.slug),
        [slug],
      );
      await runOk(target, ['apply', '-'], text);
    }
    assert.equal(await runOk(target, ['export', 'acme']), await runOk(source, ['export', 'acme']));
    assert.match(await expectFailure(source, ['export', 'acme/nothing']), /no product acme\/nothing/);
  });

  it('export in an unknown format is wrong usage', async (t) => {
    assert.match(
      await expectMisuse(sandboxOf(t), ['export', 'acme', '--format', 'xml']),
      /yaml, json, markdown/,
    );
  });
});
