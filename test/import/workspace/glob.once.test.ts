import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { globCompiler } from '../../../src/import/workspace/glob.ts';

const compile = (pattern: string) => globCompiler('mono')(pattern);

describe('a glob', () => {
  it('matches folders as npm, pnpm, Lerna and Cargo understand it', () => {
    for (const [pattern, matched, others] of [
      ['packages/core', ['packages/core'], ['packages', 'packages/cor', 'packages/core/x']],
      ['packages/*', ['packages/a', 'packages/a.b'], ['packages', 'packages/a/b', 'packages/.a', 'apps/a']],
      ['packages/.*', ['packages/.a'], ['packages/a']],
      ['*-api/v?', ['x-api/v1', '-api/v2'], ['x-api/v', 'x-api/v12', 'api/v1', '.x-api/v1']],
      ['**', ['a', 'a/b/c'], ['.a', 'a/.b/c']],
      ['a/**', ['a/b', 'a/b/c'], ['a', 'ab/c']],
      ['**/b', ['b', 'a/b', 'a/c/b'], ['a/bb', 'a/.c/b']],
      ['a/**/b/**', ['a/b/c', 'a/x/b/c/d'], ['a/b', 'a/x/c']],
      ['a**b', ['ab', 'axb'], ['a/b']],
      ['{packages,apps/{web,api}}/*', ['packages/a', 'apps/web/a', 'apps/api/a'], ['apps/a', 'apps/x/a']],
      ['{a/**,b}', ['a/x/y', 'b'], ['a', 'c']],
      ['v[0-9]/[!a-c_]', ['v1/d', 'v9/-'], ['va/d', 'v1/b', 'v1/_', 'v1/dd']],
      ['apps/[id]', ['apps/[id]', 'apps/i'], ['apps/x']],
      ['a/{b', ['a/{b'], ['a/b', 'a/c']],
    ] as const) {
      const glob = compile(pattern);
      for (const folder of matched) assert.equal(glob(folder).isMatch, true, `${pattern} ${folder}`);
      for (const folder of others) assert.equal(glob(folder).isMatch, false, `${pattern} ${folder}`);
      for (const folder of matched.flatMap(foldersAbove))
        assert.equal(glob(folder).mayLeadTo, true, `${pattern} is looked for in ${folder}`);
    }
  });

  it('does not lead where it cannot match', () => {
    for (const [pattern, folder] of [
      ['packages/*', 'apps'],
      ['packages/*', 'packages/a/src'],
      ['packages/core', 'packages/cor'],
      ['{a,b}/x/**', 'a/y'],
      ['../*', 'packages'],
      ['/etc', 'etc'],
    ] as const)
      assert.equal(compile(pattern)(folder).mayLeadTo, false, pattern);
  });
});

describe('a hostile glob', () => {
  const deep = `packages/${'a/'.repeat(60)}b`;

  it('is compared without backtracking, and without writing out its alternatives', () => {
    for (const [pattern, folder] of [
      ['packages/**/**/**/**/*x', deep],
      [`packages/${'**/a/'.repeat(20)}x`, deep],
      [`${'*a'.repeat(40)}x`, 'a'.repeat(100)],
      ['{a,b}'.repeat(150), 'a'.repeat(20)],
      ['{'.repeat(900), 'a'],
      [`${'{a,'.repeat(200)}b`, 'c'],
    ] as const)
      assert.equal(compile(pattern)(folder).isMatch, false, pattern);
  });

  it('is refused if that would still take long, or if it is of another kind', () => {
    const glob = globCompiler('mono', 100_000)('*a'.repeat(40));
    const compared = () => Array.from({ length: 100 }, () => glob('a'.repeat(100)).isMatch);
    assert.throws(
      compared,
      /^Refusal: mono has too many folders for the patterns in its manifests; name its packages more exactly$/,
    );
    for (const pattern of ['packages/!(a)', '+(a|b)', '*(a)', '?(a)', '@(a)', 'a\\*', 'p{2..3}'])
      assert.throws(() => compile(pattern), {
        message: `mono: the pattern ${pattern} cannot be read; use only *, **, ?, [a-z] and {a,b}`,
      });
  });
});

function foldersAbove(folder: string): string[] {
  const parts = folder.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
