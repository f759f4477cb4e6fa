import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileNames, folderOf, listFolder, pageFile } from '../../src/site/layout.ts';

/** The names of these versions, each with its place as its id. */
function namesOf(...labels: string[]): string[] {
  const versions = labels.map((label, place) => ({ id: `ver_${place}`, label }));
  return versions.map(fileNames(versions));
}

describe('the files of a version are named', () => {
  for (const label of [
    '1.0.0',
    'v2',
    '2.0.0-rc.1',
    '1.0+build',
    '2026-05-04',
    '_',
    '+',
    'CONSOLE',
    'x'.repeat(100),
  ])
    it(`by its label if every host and file system takes it as it is: ${label}`, () => {
      assert.deepEqual(namesOf(label), [label]);
    });

  for (const label of [
    ...[
      '',
      '.',
      '..',
      '.hidden',
      '-1',
      '--out',
      'a/b',
      'a\\b',
      'a b',
      'a:b',
      'a%2Fb',
      'a?b',
      'a#b',
      'a~b',
      'C:',
    ],
    ...['Größe', 'Gro\u0308ße', '🚀', '"x"', "it's", '<b>', '*', 'a\n', 'x'.repeat(101)],
  ])
    it(`by its id if its label is ${JSON.stringify(label)}`, () => {
      assert.deepEqual(namesOf(label), ['ver_0']);
    });

  it('by its id if its label would be the name of another file', () => {
    for (const label of [
      'latest',
      'LATEST',
      '2.0.0.json',
      '2.0.0.md',
      '2.0.0.HTML',
      '.html',
      'CON',
      'nul.1',
      'LPT1',
      '1.2.0.',
    ])
      assert.deepEqual(namesOf('2.0.0', label), ['2.0.0', 'ver_1']);
  });

  it('by its id if its label looks like the id of another version', () => {
    assert.deepEqual(namesOf('a/b', 'ver_0', 'VER_0'), ['ver_0', 'ver_1', 'ver_2']);
  });

  it('by their ids if their labels differ only in case', () => {
    assert.deepEqual(namesOf('V1', 'v1', '1', 'rc', 'RC', 'Rc'), [
      'ver_0',
      'ver_1',
      '1',
      'ver_3',
      'ver_4',
      'ver_5',
    ]);
  });
});

describe('the files of a site', () => {
  it('pages have a number from the second one on', () => {
    assert.equal(pageFile(''), 'index.html');
    assert.equal(pageFile('', 2), 'page-2.html');
    assert.equal(pageFile('?type=added'), 'type-added.html');
    assert.equal(pageFile('?type=added', 3), 'type-added-3.html');
    assert.equal(pageFile('?since=2025-01-01&until=2025-12-31'), 'year-2025.html');
    assert.equal(pageFile('?since=2025-01-01&until=2025-12-31', 10), 'year-2025-10.html');
  });

  it('one product is at the root, those of a team one folder below, and all of them two', () => {
    const rocket = { teamSlug: 'acme', productSlug: 'rocket', domain: null };
    assert.deepEqual(
      (['product', 'team', 'all'] as const).map((kind) => [folderOf(kind, rocket), listFolder(kind, 'acme')]),
      [
        ['', ''],
        ['rocket/', ''],
        ['acme/rocket/', 'acme/'],
      ],
    );
    assert.equal(listFolder('all'), '');
  });
});
