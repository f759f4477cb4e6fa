import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseSlugs } from '../../../src/import/workspace/slugs.ts';

const slugs = (...packages: [name: string, folder: string][]) =>
  chooseSlugs(packages.map(([name, folder]) => ({ name, folder })));

describe('the slugs of packages', () => {
  it('a slug is the name of the package without its scope, its path or its major version', () => {
    assert.deepEqual(
      slugs(
        ['@acme/rocket-core', 'a'],
        ['Rocket_CLI', 'b'],
        ['example.com/acme/engine/v2', 'c'],
        ['v2', 'd'],
      ),
      ['rocket-core', 'rocket-cli', 'engine', 'v2'],
    );
  });

  it('packages with the same name take their scope, and one without a scope stays as it is', () => {
    assert.deepEqual(slugs(['@acme/core', 'a'], ['@zeta/core', 'b'], ['core', 'c'], ['other', 'd']), [
      'acme-core',
      'zeta-core',
      'core',
      'other',
    ]);
  });

  it('packages with the same whole name take their folders', () => {
    assert.deepEqual(slugs(['core', 'js/core'], ['core', 'crates/core']), ['js-core', 'crates-core']);
    assert.deepEqual(slugs(['example.com/a/x/v2', 'a/x'], ['example.com/b/x', 'b/x']), ['a-x', 'b-x']);
    assert.deepEqual(slugs(['@acme/core', 'new'], ['@acme/core', 'old']), ['new', 'old']);
  });

  it('a name without letters that a URL allows is replaced by the folder', () => {
    assert.deepEqual(slugs(['@acme/日本', 'packages/jp']), ['acme']);
    assert.deepEqual(slugs(['日本', 'packages/jp']), ['packages-jp']);
  });

  it('packages that cannot be told apart are refused', () => {
    assert.throws(() => slugs(['core', 'a_b'], ['core', 'a-b']), /a_b and a-b would have the same slug/);
  });
});
