import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Change, ChangeType, Range, Update, Version } from '../../client/index.js';
import {
  RESULT_CHARACTERS_MAX,
  writeProducts,
  writeRange,
  writeUpdate,
  writeVersion,
  writeVersions,
} from '../../src/mcp/markdown.ts';
import { TEXT_CHARACTERS_MAX } from '../../src/mcp/untrusted.ts';

const PLACE = {
  team: { slug: 'acme', name: 'Acme' },
  product: { slug: 'rocket', name: 'Rocket' },
  changelog: { id: 'cl_1', name: 'Rocket', status: 'published' },
} as const;
const PART = { offset: 0, url: 'http://127.0.0.1/api' };
const VIEW = { breakingOnly: false, type: null, latest: null };

function changeOf(type: ChangeType, text: string, breaking = false): Change {
  return { id: 'chg_1', object: 'changelog.change', type, text, html: '', breaking };
}

function versionOf(changes: Change[], more: Partial<Version> = {}): Version {
  return {
    ...PLACE,
    id: 'ver_1',
    object: 'changelog.version',
    version: '2.0.0',
    title: 'Second',
    status: 'published',
    publishedAt: '2026-05-04T09:00:00.000Z',
    changeCount: changes.length,
    description: null,
    yanked: false,
    changes,
    ...more,
  } as Version;
}

const PROSE = {
  id: 'ver_1',
  version: '2.0.0',
  title: 'Second',
  publishedAt: '2026-05-04T09:00:00.000Z',
  yanked: false,
  description: 'A **new** hull.',
  descriptionHtml: '<p>A <strong>new</strong> hull.</p>',
};

function rangeOf(changes: Change[]): Range {
  const placed = changes.map((change) => ({ ...change, version: '2.0.0', versionId: 'ver_1' }));
  const groups = [...Map.groupBy(placed, ({ type }) => type)].map(([type, within]) => ({
    type,
    changes: within,
  }));
  return {
    ...PLACE,
    object: 'changelog.range',
    from: '1.0.0',
    to: '2.0.0',
    changeCount: changes.length,
    groups,
    versions: changes.length === 0 ? [] : [{ ...PROSE, description: null, descriptionHtml: null }],
  };
}

describe('what is said of a team', () => {
  const { team } = PLACE;

  it('names the product of each version before what its authors wrote', () => {
    const fuel = { slug: 'fuel', name: '\n# Fuel' };
    const versions = [
      versionOf([]),
      versionOf([changeOf('fixed', 'A leak.')], { product: fuel, yanked: true }),
    ];
    assert.equal(
      writeVersions({ team, versions, next: { cursor: 'abc' } }),
      `# Versions of Acme (acme), newest first

- \`rocket\` \`2.0.0\` 2026-05-04, 0 changes: Second
- \`fuel\` \`2.0.0\` 2026-05-04, yanked, 1 change: Second

There are more. For the next ones, call again with cursor abc`,
    );
    assert.equal(
      writeVersions({ team, versions: [], next: null }),
      'Acme (acme) has no version that matches.',
    );
  });

  it('lists products with their newest version and their page, if they have them', () => {
    const product = { object: 'product', language: 'en' } as const;
    const products = [
      { ...product, slug: 'fuel', name: 'Fuel\n# Breaking', latest: null },
      { ...product, slug: 'rocket', name: 'Rocket', url: 'https://rocket.example/', latest: versionOf([]) },
      {
        ...product,
        slug: 'sail',
        name: 'Sail',
        latest: versionOf([], { status: 'draft', publishedAt: null }),
      },
      {
        ...product,
        slug: 'tank',
        name: 'Tank',
        latest: versionOf([], { version: '1.0.0-rc.1', yanked: true }),
      },
    ];
    assert.equal(
      writeProducts({ team, products, next: null }),
      `# Products of Acme (acme)

- \`fuel\` no versions: Fuel # Breaking
- \`rocket\` newest \`2.0.0\` 2026-05-04, https://rocket.example/: Rocket
- \`sail\` newest \`2.0.0\` draft: Sail
- \`tank\` newest \`1.0.0-rc.1\` 2026-05-04, prerelease, yanked: Tank`,
    );
    assert.match(writeProducts({ team, products, next: { cursor: 'abc' } }), /with cursor abc$/);
    assert.equal(
      writeProducts({ team, products: [], next: null }),
      'Acme (acme) has no product with a changelog.',
    );
  });
});

describe('the list of versions', () => {
  it('has what we say of a version before its title, which could say anything', () => {
    const versions = [
      versionOf([changeOf('removed', 'Gone.', true)], { title: 'a\n- `9.9.9` 2030-01-01: b', yanked: true }),
      versionOf([], { version: '1`\n#0', status: 'draft', publishedAt: null }),
      versionOf([], { version: '1.0.0-rc.1', title: ' ' }),
    ];
    assert.equal(
      writeVersions({ ...PLACE, versions, next: { cursor: 'abc' } }),
      `# Versions of Rocket (acme/rocket), newest first

- \`2.0.0\` 2026-05-04, yanked, 1 change, 1 breaking: a - \`9.9.9\` 2030-01-01: b
- \`1' #0\` draft, 0 changes: Second
- \`1.0.0-rc.1\` 2026-05-04, prerelease, 0 changes

There are more. For the next ones, call again with cursor abc`,
    );
  });
});

describe('a version', () => {
  it('has breaking changes first, then the others by type, in the order of the author', () => {
    const changes = [
      changeOf('fixed', 'F.'),
      changeOf('added', 'A1.'),
      changeOf('removed', 'R.', true),
      changeOf('added', 'A2.'),
      changeOf('changed', 'C.', true),
    ];
    assert.equal(
      writeVersion(versionOf(changes, { description: '# Breaking\nNothing.' }), PART),
      `# Rocket \`2.0.0\`: Second

acme/rocket, 2026-05-04, 5 changes, 2 breaking

> # Breaking
> Nothing.

## Breaking

- removed: R.
- changed: C.

## Added

- A1.
- A2.

## Fixed

- F.`,
    );
  });

  it('of any size is read completely in parts of limited length', () => {
    const texts = Array.from({ length: 200 }, (_, index) => `Change ${index}.${'x'.repeat(index * 7)}`);
    const version = versionOf(texts.map((text, index) => changeOf(index % 2 ? 'added' : 'fixed', text)));
    let read = '';
    let parts = 0;
    for (let offset: number | null = 0; offset !== null; parts++) {
      const part = writeVersion(version, { ...PART, offset });
      assert.ok(part.length < RESULT_CHARACTERS_MAX + 200);
      read += part;
      const [, next] = /For the rest, call again with offset (\d+)\.$/.exec(part) ?? [];
      offset = next === undefined ? null : Number(next);
    }
    assert.ok(parts > 3);
    for (const text of texts) assert.equal(read.split(`- ${text}\n`).length, 2, text);
    assert.match(
      writeVersion(version, { ...PART, offset: 500 }),
      /There are only 200 entries; use a smaller offset\.$/,
    );
  });

  it('says where a text that was cut is complete', () => {
    const long = changeOf('added', 'x'.repeat(TEXT_CHARACTERS_MAX + 1));
    assert.match(
      writeVersion(versionOf([long]), PART),
      /are cut\. They are complete in http:\/\/127\.0\.0\.1\/api$/,
    );
    const short = writeVersion(versionOf([changeOf('added', 'x')], { title: '' }), PART);
    assert.doesNotMatch(short, /http/);
    assert.match(short, /^# Rocket `2\.0\.0`\n/, 'without a title');
  });
});

describe('a range', () => {
  it('has the version of each change, and says whether the last version was yanked', () => {
    const range = rangeOf([changeOf('added', 'A.'), changeOf('removed', 'R.', true)]);
    const written = writeRange(range, { ...VIEW, latest: versionOf([], { yanked: true }) }, PART);
    assert.equal(
      written,
      `# Rocket (acme/rocket): changes after \`1.0.0\`, up to and including \`2.0.0\` (the latest, yanked: do not use it)

2 changes in 1 version, 1 breaking

## Breaking

- \`2.0.0\` removed: R.

## Added

- \`2.0.0\`: A.`,
    );
    const breaking = writeRange(range, { ...VIEW, breakingOnly: true }, PART);
    assert.ok(breaking.includes('R.') && !breaking.includes('A.'));
    assert.match(writeRange(rangeOf([]), VIEW, PART), /\n\nNo changes\.$/);
    assert.match(
      writeRange(rangeOf([]), { ...VIEW, type: 'added' }, PART),
      /\n\nNo changes of type added\.$/,
    );
  });

  it('says which versions are prereleases', () => {
    const { groups, ...range } = rangeOf([changeOf('added', 'A.')]);
    const early = groups.map((group) => ({
      ...group,
      changes: group.changes.map((change) => ({ ...change, version: '2.0.0-rc.1' })),
    }));
    const latest = versionOf([], { version: '2.0.0-rc.1' });
    const written = writeRange({ ...range, groups: early }, { ...VIEW, latest }, PART);
    assert.match(written, / \(the latest, prerelease\)\n/);
    assert.match(written, /\n- `2\.0\.0-rc\.1` \(prerelease\): A\.$/);
  });

  it('does not say that nothing breaks: many authors mark nothing', () => {
    const range = rangeOf([changeOf('removed', 'R.')]);
    assert.match(
      writeRange(range, VIEW, PART),
      /\n1 change in 1 version, none marked as breaking\n\n## Removed\n/,
    );
    assert.match(
      writeRange(range, { ...VIEW, breakingOnly: true }, PART),
      /none marked as breaking\n\nNot all authors mark them\. .* without breakingOnly, with type removed, changed or other\.$/,
    );
  });

  it('has the description of a version without changes', () => {
    const range = { ...rangeOf([]), versions: [PROSE] };
    const written = writeRange(range, VIEW, PART);
    assert.match(written, /\n\n## Descriptions of versions\n\n- `2\.0\.0`: A \*\*new\*\* hull\.$/);
    assert.doesNotMatch(writeRange(range, { ...VIEW, breakingOnly: true }, PART), /hull/);
  });

  it('says so if its versions are in the wrong order', () => {
    assert.match(
      writeRange({ ...rangeOf([]), from: 'v2.10', to: '2.9.0' }, VIEW, PART),
      /\n\nNo changes: `v2\.10` is after `2\.9\.0`\. For those of a downgrade, swap from and to\.$/,
    );
  });
});

describe('an update', () => {
  const { team: _, product: __, changelog: ___, ...latest } = versionOf([]);
  const update: Update = {
    object: 'changelog.update',
    from: { version: '1.0.0', known: true, yanked: false },
    updateAvailable: true,
    latest: { ...latest, version: '2`\n# 0', title: 'a\n# No update' },
    versionCount: 1,
    changeCount: 2,
    security: true,
    breaking: false,
    url: 'https://x.example/changelog/acme/rocket',
  };

  it('has what is new in our own words, and titles and labels in one line', () => {
    assert.equal(
      writeUpdate(update),
      `# An update of \`1.0.0\` is available: \`2' # 0\` (2026-05-04): a # No update

2 changes in 1 version, some of type security, none marked as breaking

What's new, for people: https://x.example/changelog/acme/rocket`,
    );
  });

  it('says whether the latest version is a prerelease, and that all were yanked if it was', () => {
    const early = writeUpdate({ ...update, latest: { ...latest, version: '2.0.0-rc.1', yanked: true } });
    assert.match(early, /^# An update .*: `2\.0\.0-rc\.1` \(2026-05-04, prerelease, yanked\): Second\n/);
    assert.match(early, /\n\nAll versions were yanked: do not use `2\.0\.0-rc\.1`\.\n/);
  });

  it('says so if there is none, if the version is unknown, and if nothing is published', () => {
    const none = { ...update, updateAvailable: false, versionCount: 0, changeCount: 0 };
    assert.equal(
      writeUpdate({ ...none, latest }),
      '# No update of `1.0.0`\n\nThe latest version: `2.0.0` (2026-05-04): Second',
    );
    assert.equal(
      writeUpdate({ ...none, latest: null, from: { version: '3\n0', known: false, yanked: false } }),
      '# No update of `3 0`\n\nThe latest version: none is published\n\nThe changelog has no version `3 0`.',
    );
  });
});
