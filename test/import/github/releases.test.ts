import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { VersionContent } from '../../../src/domain/content/content.ts';
import { Refusal } from '../../../src/errors.ts';
import type { ImportedVersion } from '../../../src/import/changelog.ts';
import { readReleases } from '../../../src/import/github/releases.ts';

type Release = Record<string, unknown>;

/** As GitHub gives one, with some of what nobody here asks for. */
const RELEASE: Release = {
  url: 'https://api.github.com/repos/acme/rocket/releases/1',
  html_url: 'https://github.com/acme/rocket/releases/tag/v2.1.0',
  author: { login: 'wernher', name: 'not the name', tag_name: 7, 'a"]}': '\\"' },
  tag_name: 'v2.1.0',
  target_commitish: 'main',
  name: 'Faster launches',
  draft: false,
  prerelease: false,
  created_at: '2026-05-01T00:00:00Z',
  published_at: '2026-05-04T09:00:00Z',
  assets: [{ name: 'rocket.tgz', size: 1, uploader: null }],
  body: 'Uploads *overlap*.\r\n\r\n- A countdown.\r\n',
};

describe('GitHub releases', () => {
  it('a GitHub release becomes a version with tag, name, date, text and page', () => {
    const [version] = read([RELEASE]);
    assert.deepEqual(version, {
      content: {
        version: 'v2.1.0',
        title: 'Faster launches',
        status: 'published',
        publishedAt: '2026-05-04T09:00:00.000Z',
        description:
          'Uploads *overlap*.\n\n[Release page](https://github.com/acme/rocket/releases/tag/v2.1.0)',
        yanked: false,
        changes: [{ type: 'other', text: 'A countdown.', breaking: false }],
      },
      isDated: true,
      line: 1,
    } satisfies ImportedVersion);
  });

  it('releases are read in every form that gh and curl output, in order', () => {
    const [a, b, c] = ['3.0.0', '1.0.0', '2.0.0'].map((tag) => JSON.stringify({ ...RELEASE, tag_name: tag }));
    const [pretty, lines] = [JSON.stringify(JSON.parse(`[${a},${b},${c}]`), null, 2), `${a}\n${b}\r\n${c}\n`];
    for (const text of [
      `[${a},${b},${c}]`,
      pretty,
      `\uFEFF\n${pretty}\n`,
      `[${a},${b}][${c}]`,
      `[${a}]\n[]\n[${b},${c}]\n`,
      `[[${a},${b}],[],[${c}]]`,
      lines,
    ])
      assert.deepEqual(
        readText(text).map(({ content }) => content.version),
        ['3.0.0', '1.0.0', '2.0.0'],
        text,
      );
    assert.equal(readText(a as string).length, 1);
    // Of a token that sees nothing; with --prune, everything would go.
    assert.throws(() => readText('[]'), /^Refusal: r\.json:1: no releases found/);
  });

  it('a release whose name is its tag or empty has no title', () => {
    for (const name of ['v2.1.0', '2.1.0', ' v2.1.0 ', '', '  ', null, undefined])
      assert.equal(contentOf({ name }).title, '', String(name));
    for (const name of ['2.1', 'v2.1.0 is out', 'V2.1.0']) assert.equal(contentOf({ name }).title, name);
  });

  it('a draft release is a draft, and one without a date is undated', () => {
    const [draft, undated] = read([
      { ...RELEASE, draft: true, published_at: null },
      { ...RELEASE, tag_name: 'v2', published_at: null },
    ]);
    assert.deepEqual(
      [draft?.content.status, draft?.content.publishedAt, draft?.isDated],
      ['draft', null, true],
    );
    assert.deepEqual(
      [undated?.content.status, undated?.content.publishedAt, undated?.isDated],
      ['draft', null, false],
    );
  });

  it('a pre-release is described as such, unless its tag tells', () => {
    const begins = (tag: string) =>
      /^Pre-release\.\n\nUploads/.test(contentOf({ tag_name: tag, prerelease: true }).description ?? '');
    assert.deepEqual(['v2.1.0', 'nightly', 'v2.1.0-rc.1', '2.1.0-beta'].map(begins), [
      true,
      true,
      false,
      false,
    ]);
    assert.equal(contentOf({ prerelease: true, body: null, html_url: null }).description, 'Pre-release.');
  });

  it('a release without text has no description', () => {
    assert.equal(contentOf({ body: null, html_url: undefined }).description, null);
    assert.equal(contentOf({ body: '', html_url: '' }).description, null);
  });

  it('the URL of the release page is escaped', () => {
    assert.equal(
      contentOf({ body: '', html_url: 'https://x/y (z)<\n>\\é' }).description,
      '[Release page](https://x/y%20%28z%29%3C%0A%3E%5Cé)',
    );
  });

  it('the body of a release may have sections, links and a repeated heading', () => {
    const body = [
      '## [2.1.0](https://x/compare/v2.0.0...v2.1.0) (2026-05-04)',
      '',
      '### ⚠ BREAKING CHANGES',
      '* **api:** gone ([#1])',
      '',
      "## What's Changed",
      '* Faster by @wernher',
      '## New Contributors',
      '* @wernher',
      '',
      '**Full Changelog**: https://x/compare/v2.0.0...v2.1.0',
      '',
      '[#1]: https://x/1',
    ].join('\r\n');
    const { description, links, changes } = contentOf({ body, html_url: undefined });
    assert.equal(description, '**New Contributors:**\n\n* @wernher');
    assert.deepEqual(links, { compare: 'https://x/compare/v2.0.0...v2.1.0' });
    assert.deepEqual(changes, [
      { type: 'changed', text: '**api:** gone ([#1](https://x/1))', breaking: true },
      { type: 'changed', text: 'Faster by @wernher', breaking: false },
    ]);
  });

  it('a repeated heading gives title, yanked state and link', () => {
    const body = '<!-- made -->\n# v2.1.0 - Big launch [YANKED]\n\nWords.\n\n[v2.1.0]: https://x/tag\n';
    const { title, yanked, description } = contentOf({ name: 'v2.1.0', body, html_url: null });
    assert.deepEqual(
      { title, yanked, description },
      {
        title: 'Big launch',
        yanked: true,
        description: 'Words.\n\n[Release page](https://x/tag)',
      },
    );
    const both = contentOf({ name: 'Launch', body, html_url: null });
    assert.deepEqual([both.title, both.description?.split('\n')[0]], ['Launch', 'Big launch']);
  });

  it('dependency bumps of a release become one change', () => {
    const body =
      '### Patch Changes\n\n- Updated dependencies [x]\n  - a@1\n- Updated dependencies [y]\n  - b@1\n';
    assert.deepEqual(contentOf({ body }).changes, [
      { type: 'changed', text: 'Updated dependencies [x], [y]:\n\n- a@1\n- b@1', breaking: false },
    ]);
  });

  it('releases with the same tag are merged on request', () => {
    const text = JSON.stringify([
      { ...RELEASE, body: '- a' },
      { ...RELEASE, draft: true, body: '- b' },
    ]);
    assert.throws(() => readText(text), /duplicate version .* --merge-duplicates/);
    const [version, ...others] = readText(text, true);
    assert.deepEqual([version?.content.changes.map((change) => change.text), others], [['a', 'b'], []]);
  });

  it('a version has the line of its release in the file', () => {
    const text = JSON.stringify([RELEASE, { ...RELEASE, tag_name: 'v1' }], null, 2);
    const lines = text.split('\n');
    const versions = readText(text);
    assert.deepEqual(
      versions.map(({ line }) => lines[line - 1]),
      ['  {', '  {'],
    );
  });

  it('many releases are read', () => {
    const count = 1_500;
    const release = (index: number) => ({
      ...RELEASE,
      tag_name: `v${index}`,
      body: `"\\${'x'.repeat(index)}`,
    });
    const bytes = Buffer.from(JSON.stringify(Array.from({ length: count }, (_, index) => release(index))));
    const { versions } = readReleases({ bytes, name: 'releases.json' }, { merging: false });
    for (const [index, { content }] of versions.entries())
      assert.equal(content.description?.split('\n')[0], `"\\${'x'.repeat(index)}`);
    assert.equal(versions.length, count);
  });
});

/** As GitLab gives one: no draft, no pre-release, and other names for text, date and page. */
const OF_GITLAB: Release = {
  name: 'Faster launches',
  tag_name: 'v2.1.0',
  description: 'Uploads *overlap*.\r\n\r\n- A countdown.\r\n',
  description_html: '<p>not the text</p>',
  created_at: '2026-05-01T08:00:00.000Z',
  released_at: '2026-05-04T11:00:00.000+02:00',
  upcoming_release: false,
  author: { name: 'not the name', web_url: 'https://gitlab.example/wernher' },
  commit: { id: 'e8cbb845', created_at: '2026-04-30T00:00:00.000+00:00', message: 'not the text' },
  milestones: [{ title: 'not the title', web_url: 'https://gitlab.example/milestone' }],
  assets: { count: 1, sources: [], links: [{ name: 'not the name', url: 'https://gitlab.example/x' }] },
  _links: {
    edit_url: 'https://gitlab.example/acme/rocket/-/releases/v2.1.0/edit',
    self: 'https://gitlab.example/acme/rocket/-/releases/v2.1.0',
  },
};

describe('GitLab releases', () => {
  it('a GitLab release becomes a version like one of GitHub', () => {
    const [ofGitLab, ofGitHub] = read([OF_GITLAB, { ...RELEASE, tag_name: 'v2' }]);
    const page = 'https://gitlab.example/acme/rocket/-/releases/v2.1.0';
    assert.deepEqual(ofGitLab?.content, {
      ...ofGitHub?.content,
      version: 'v2.1.0',
      description: `Uploads *overlap*.\n\n[Release page](${page})`,
    });
    assert.equal(ofGitLab?.isDated, true);
  });

  it('an upcoming release has its date, until which an import makes it a draft', () => {
    const [version] = read([{ ...OF_GITLAB, released_at: '2030-01-01T00:00:00Z', upcoming_release: true }]);
    assert.deepEqual(
      [version?.content.status, version?.content.publishedAt, version?.isDated],
      ['published', '2030-01-01T00:00:00.000Z', true],
    );
  });

  it('a release of an early GitLab has the date of its creation, and one of GitHub never', () => {
    const { released_at: _, ...early } = OF_GITLAB;
    assert.equal(read([early])[0]?.content.publishedAt, '2026-05-01T08:00:00.000Z');
    assert.equal(contentOf({ published_at: null }).publishedAt, null);
  });

  it('errors name the fields of GitLab', () => {
    const text = (fields: Release) => JSON.stringify({ ...OF_GITLAB, ...fields }, null, 1);
    assert.throws(
      () => readText(text({ released_at: 'soon' })),
      /^Refusal: r\.json:7: released_at: "soon" is/,
    );
    assert.throws(() => readText(text({ description: 'a\0' })), /^Refusal: r\.json:4: description: contains/);
  });
});

describe('drafts without a tag', () => {
  const draft = { ...RELEASE, draft: true, published_at: null };

  it('are skipped, each with a warning that names it and its line', () => {
    const { versions, warnings } = readAll(
      [
        { ...draft, tag_name: '', name: 'Next\nlaunch' },
        { ...draft, tag_name: null, name: null },
        { ...draft, tag_name: 'untagged-0123456789abcdef', name: 'x'.repeat(500) },
        { draft: true },
        RELEASE,
        { ...draft, tag_name: 'v3' },
      ]
        .map((release) => JSON.stringify(release))
        .join('\n'),
    );
    const skipped = 'has no tag, so it was skipped; give it a tag to import it.';
    assert.deepEqual(warnings, [
      `r.json:1: the draft "Next\\nlaunch" ${skipped}`,
      `r.json:2: a draft without a name ${skipped}`,
      `r.json:3: the draft "${'x'.repeat(80)}…" ${skipped}`,
      `r.json:4: a draft without a name ${skipped}`,
    ]);
    assert.deepEqual(
      versions.map(({ content }) => content.version),
      ['v2.1.0', 'v3'],
    );
  });

  it('are counted where they are too many to list', () => {
    const many = Array.from({ length: 25 }, () => ({ ...draft, tag_name: '' }));
    const { warnings } = readAll([...many, RELEASE].map((release) => JSON.stringify(release)).join('\n'));
    assert.equal(warnings.length, 21);
    assert.equal(warnings.at(-1), 'r.json:25: 5 more drafts without a tag were skipped, the last one here.');
  });

  it('do not make a changelog, and a published release needs a tag', () => {
    assert.throws(
      () => read([{ ...draft, tag_name: '' }]),
      /^Refusal: r\.json:1: no releases found except drafts without a tag; give them tags/,
    );
    assert.throws(() => read([{ ...RELEASE, tag_name: '' }]), /^Refusal: r\.json:1: tag_name: /);
    assert.equal(contentOf({ tag_name: 'untagged-1' }).version, 'untagged-1');
  });
});

describe('GitHub releases that cannot be read', () => {
  const one = JSON.stringify(RELEASE);
  for (const [what, text, message] of [
    ['nothing', ' \n', /^r\.json:1: the file is empty/],
    [
      'half a release',
      `[\n${one},\n${one.slice(0, 80)}`,
      /^r\.json:3: unexpected end of the release that starts on line 3/,
    ],
    ['half a list', `[\n${one}\n`, /^r\.json:3: unexpected end of a list/],
    ['half a text', '{"tag_name": "v1', /^r\.json:1: unexpected end of the release/],
    ['a comma too many', `[${one},\n]`, /^r\.json:2: unexpected \], expected a release/],
    ['a comma too few', `[${one}\n${one}]`, /^r\.json:2: unexpected \{, expected a comma/],
    ['a list that never began', `${one}\n]`, /^r\.json:2: unexpected \], expected a release/],
    ['numbers', '[1]', /^r\.json:1: unexpected 1, expected a release/],
    ['lists too deep', '[[[]]]', /^r\.json:1: unexpected \[, expected a release/],
    ['a page', '<!doctype html>', /^r\.json:1: unexpected <, expected a release; pass JSON/],
    ['UTF-16', Buffer.from(`\uFEFF${one}`, 'utf16le'), /^r\.json:1: this is UTF-16/],
    ['Latin-1', Buffer.from('[\n{"tag_name": "\xe9"}]', 'latin1'), /^r\.json:2: this release is not UTF-8/],
    [
      'broken JSON',
      '[\n{"tag_name": "v1",\n"body" 1}]',
      /^r\.json:3: the release that starts on line 2 is not valid JSON: Expected ':'/,
    ],
    [
      'brackets that do not match',
      '[\n{"tag_name": ["v1"}]\n]',
      /^r\.json:2: the release that starts on line 2 is not valid JSON/,
    ],
    [
      'an error of GitHub',
      '{"message": "Not Found", "status": "404"}',
      /^r\.json:1: not releases but an error: "Not Found"\. Check the repository name/,
    ],
    [
      'an error of GitLab',
      '{"error": "invalid_token", "error_description": "Token was revoked."}',
      /^r\.json:1: not releases but an error: "invalid_token"\. Check the repository name/,
    ],
    [
      'no tag',
      '[{"name": "x",\n "author": {"tag_name": "v1"}}]',
      /^r\.json:1: tag_name: is missing; pass the output of `gh api/,
    ],
    ['an empty tag', '[{\n"tag_name": ""}]', /^r\.json:2: tag_name: /],
    ['a tag with a line break', '[{\n"tag_name": "a\\nb"}]', /^r\.json:2: tag_name: /],
    ['a tag that is a number', '[{\n"x": {},\n"tag_name": 1}]', /^r\.json:3: tag_name: must be a string/],
    ['a body that is a list', '{"tag_name": "v1",\n"body": []}', /^r\.json:2: body: must be a string/],
    [
      'a draft that is a word',
      '{"tag_name": "v1",\n"draft": "no"}',
      /^r\.json:2: draft: must be true or false/,
    ],
    [
      'a day that is not',
      '{"tag_name": "v1",\n"published_at": "2026-02-30T00:00:00Z"}',
      /^r\.json:2: published_at: "2026-02-30T00:00:00Z" is not a valid timestamp/,
    ],
    [
      'a body of very many lines',
      JSON.stringify({ tag_name: 'v1', body: '- x\n'.repeat(100_001) }),
      /^r\.json:1: body: exceeds 100,000 lines or 4 MiB/,
    ],
    ['what no text may hold', '{"tag_name": "v1",\n"body": "\\u0000"}', /^r\.json:2: body: contains a NUL/],
    [
      'the same tag twice',
      `[{"tag_name": "v1"},\n\n{"tag_name": "v1"}]`,
      /^r\.json:3: duplicate version "v1" \(also on line 1\)/,
    ],
    [
      'a release of over 8 MiB',
      `[\n{"tag_name": "${'x'.repeat(8 * 2 ** 20)}"}]`,
      /^r\.json:2: this release exceeds 8 MiB/,
    ],
  ] as const)
    it(`invalid releases are rejected with their line: ${what}`, () => {
      const refused = (error: unknown) =>
        error instanceof Refusal && message.test(error.message) && !error.message.includes('\n');
      assert.throws(() => readText(text), refused);
    });
});

function readText(text: string | Buffer, merging = false): ImportedVersion[] {
  return readAll(text, merging).versions;
}

function readAll(text: string | Buffer, merging = false) {
  const found = readReleases({ bytes: Buffer.from(text), name: 'r.json' }, { merging });
  return { versions: [...found.versions], warnings: found.warnings };
}

function read(releases: readonly Release[]): ImportedVersion[] {
  return readText(JSON.stringify(releases));
}

function contentOf(fields: Release): VersionContent {
  const [version] = read([{ ...RELEASE, ...fields }]);
  assert.ok(version);
  return version.content;
}
