import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ImportFormat } from '../../../src/import/changelog.ts';
import { parseBody } from '../../../src/import/markdown/body.ts';
import { NO_RULES } from '../../../src/import/rules.ts';

const COMPARE = 'https://github.com/acme/rocket/compare/v2.0.0...v2.1.0';

describe('credits in release notes', () => {
  it('new contributors and the full changelog are part of the description', () => {
    const body = [
      "## What's Changed",
      '* Faster launches by @wernher in https://github.com/acme/rocket/pull/7',
      '* Countdown by @katherine-j and @bot[bot] in https://github.com/acme/rocket/pull/8',
      '',
      '## New Contributors',
      '* @katherine-j made their first contribution in https://github.com/acme/rocket/pull/8',
      '',
      `**Full Changelog**: ${COMPARE}`,
    ];
    assert.deepEqual(parse(body), {
      description: `**New Contributors:**\n\n${body[5]}\n\n**Full Changelog**: ${COMPARE}`,
      changes: [body[1]?.slice(2), body[2]?.slice(2)],
    });
  });

  it('they come last in the description, wherever they were', () => {
    const body = [
      '## Contributors',
      '- @wernher',
      '',
      COMPARE,
      '',
      '## Fixed',
      'About it.',
      '',
      '- A',
      '',
      'The end.',
    ];
    assert.deepEqual(parse(body), {
      description: `**Fixed:** About it.\n\nThe end.\n\n**Contributors:**\n\n- @wernher\n\n${COMPARE}`,
      changes: ['A'],
    });
  });

  for (const heading of [
    '## Contributors',
    '### ❤️ Contributors',
    '#### Committers: 2',
    '#### Committers: 23, First PRs: 10',
    '### Contributors to this release',
    '## :tada: First-time contributors',
    '### ❤️ Thank You',
    '**Thanks to:**',
    '## Special thanks to',
    '#### Authors: 2',
    '### Acknowledgements',
  ])
    it(`people under ${heading} are not changes`, () => {
      const people = [
        '- Wernher von Braun ([@wernher](https://github.com/wernher))',
        '- Katherine Johnson',
        '- Margaret Hamilton ✨',
        '- Robot 5',
      ];
      const { description, changes } = parse(['## Fixed', '- A leak.', '', heading, '', ...people, '']);
      assert.deepEqual(changes, ['A leak.']);
      assert.ok(description?.endsWith(`:**\n\n${people.join('\n')}`), description ?? '');
    });

  it('changes under such a heading stay changes', () => {
    for (const item of ['Fix the list of contributors', 'Contributors can be removed again'])
      assert.deepEqual(parse(['## Contributors', `- ${item}`]).changes, [`**Contributors:** ${item}`]);
  });

  for (const [what, line] of Object.entries({
    'as GitHub writes it': `**Full Changelog**: ${COMPARE}`,
    'of the first release': '**Full Changelog**: https://github.com/acme/rocket/commits/v1.0.0',
    'of GitLab': '[Full changelog](https://gitlab.example/acme/rocket/-/compare/v1...v2)',
    'as a link of the two versions': `[v2.0.0...v2.1.0](${COMPARE})`,
    'with a name for the link': `**Full Changelog** [View on GitHub](${COMPARE})`,
    alone: COMPARE,
  })) {
    it(`the link to the full changelog is not a change, ${what}`, () => {
      const texts = {
        'as a paragraph': ['- A', '', line],
        'without a blank line': ['- A', line],
        'as an item': ['- A', `- ${line}`],
        'before a list': ['- A', '', line, '', '- B'],
      };
      for (const format of ['keep-a-changelog', 'conventional', 'github-releases'] as const)
        for (const [where, lines] of Object.entries(texts)) {
          const { description, changes } = parse(['## Fixed', ...lines], format);
          assert.equal(description, line, `${format}, ${where}`);
          assert.deepEqual(changes, where === 'before a list' ? ['A', 'B'] : ['A']);
        }
      assert.deepEqual(parse(["## What's Changed", line]), { description: line, changes: [] });
    });
  }

  it('a change that links to a comparison stays a change', () => {
    const text = `Update the engine ([all commits](${COMPARE}))`;
    assert.deepEqual(parse(['## Fixed', `- ${text}`]), { description: null, changes: [text] });
  });

  it('thanks to several people, lists of handles and avatars are not changes', () => {
    const thanks = 'Many thanks to @wernher, @katherine-j and everybody else!';
    const avatars =
      '<a href="https://github.com/wernher"><img src="https://avatars.githubusercontent.com/u/1?s=64" width="32"></a>';
    const linked = '[![](https://github.com/wernher.png)](https://github.com/wernher)';
    const body = [
      '## Fixed',
      '- A',
      '',
      thanks,
      '',
      avatars,
      '',
      linked,
      '',
      '- B',
      '- @wernher, @katherine-j',
    ];
    assert.deepEqual(parse(body), {
      description: [thanks, avatars, linked, '- @wernher, @katherine-j'].join('\n\n'),
      changes: ['A', 'B'],
    });
    const list = ['## Fixed', '- A', '', 'Thanks to everybody who helped with this release!', '- @wernher'];
    assert.deepEqual(parse(list).changes, ['A']);
  });

  it('a picture, and a person in a change, stay in the change', () => {
    const picture = '<img src="https://github.com/acme/rocket/assets/1/launch.png" width="600">';
    const { changes } = parse(['## Fixed', '- A, thanks to @wernher', '', picture, '', '- B (@katherine-j)']);
    assert.deepEqual(changes, [`A, thanks to @wernher\n\n${picture}`, 'B (@katherine-j)']);
  });

  it('a changelog that this program wrote is read as it was written', () => {
    const lines = ['### Other', '', '- @wernher', `- **Full Changelog**: ${COMPARE}`];
    assert.deepEqual(parse(lines, 'keep-a-changelog', true), {
      description: null,
      changes: ['@wernher', `**Full Changelog**: ${COMPARE}`],
    });
  });
});

function parse(lines: readonly string[], format: ImportFormat = 'github-releases', isOwnFormat = false) {
  const { description, changes } = parseBody(lines, { format, isOwnFormat, rules: NO_RULES });
  return { description, changes: changes.map(({ text }) => text) };
}
