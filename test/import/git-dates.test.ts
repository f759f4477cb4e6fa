import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, it } from 'node:test';
import { findDates, readTagDates } from '../../src/import/git-dates.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';

const tagged = (...tags: string[]) =>
  tags.map((tag, day) => `2026-01-0${day + 1}T09:00:00+02:00 ${tag}\n`).join('');
/** The tag that a label is dated by: the days of these tags are their places. */
function tagOf(label: string, name: string | null, ...tags: string[]): string | undefined {
  const date = findDates(tagged(...tags), name)(label);
  return date === null ? undefined : tags[Number(date.slice(8, 10)) - 1];
}

describe('the tag of a version', () => {
  it('the tag of a version is its label, with or without v', () => {
    assert.equal(findDates(tagged('1.0.0'), null)('1.0.0'), '2026-01-01T07:00:00.000Z');
    assert.equal(tagOf('1.0.0', null, '2.0.0', 'v1.0.0'), 'v1.0.0');
    assert.equal(tagOf('v1.0.0', null, '1.0.0'), '1.0.0');
    assert.equal(tagOf('1.0.0', null, '1.0.0-rc.1', '11.0.0'), undefined);
  });

  it('a tag may begin with the name of the changelog, or its last part', () => {
    for (const tag of ['@a/cli@1.0.0', 'cli@1.0.0', 'cli-v1.0.0', 'cli-1.0.0', 'cli/v1.0.0', 'cli/1.0.0'])
      assert.equal(tagOf('1.0.0', '@a/cli', 'v1.0.0', '@a/git@1.0.0', tag), tag);
  });

  it('a tag that ends in the label counts if it is the only one', () => {
    assert.equal(tagOf('1.0.0', null, '@a/cli@1.0.0', '@a/cli@1.1.0'), '@a/cli@1.0.0');
    assert.equal(tagOf('1.0.0', 'other', 'release-v1.0.0'), 'release-v1.0.0');
    assert.equal(tagOf('1.0.0', null, '@a/cli@1.0.0', '@a/git@1.0.0'), undefined);
  });

  it('a tag without a date, such as that of a file, does not count', () => {
    assert.equal(findDates(' v1.0.0\n', null)('1.0.0'), null);
  });
});

describe('the tags of a repository', () => {
  const environment = { PATH: process.env.PATH };

  it('annotated tags have their own date, other tags that of their commit', async (t) => {
    const folder = temporaryFolder(t);
    const git = (date: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        cwd: folder,
        env: { ...environment, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date },
      });
    git('', 'init', '-q');
    git('2026-01-01T00:00:00Z', 'commit', '-q', '--allow-empty', '-m', 'One');
    git('2026-02-01T00:00:00Z', 'tag', 'v1.0.0');
    git('2026-03-01T12:00:00+01:00', 'tag', '-a', '-m', 'Two', 'v2.0.0');
    git('2026-03-01T12:00:00Z', 'tag', '$(touch;pwned)-v3.0.0');
    const dateOf = await readTagDates(folder, {
      name: null,
      environment: { ...environment, GIT_DIR: '/nowhere' },
    });
    assert.equal(dateOf('1.0.0'), '2026-01-01T00:00:00.000Z');
    assert.equal(dateOf('2.0.0'), '2026-03-01T11:00:00.000Z');
    assert.equal(dateOf('3.0.0'), '2026-01-01T00:00:00.000Z');
    assert.equal(dateOf('4.0.0'), null);
  });

  it('reading tags fails without a repository, a directory or git', async (t) => {
    const folder = temporaryFolder(t);
    const refused = (repository: string, env = environment) =>
      assert.rejects(
        readTagDates(repository, {
          name: null,
          environment: { ...env, GIT_CEILING_DIRECTORIES: path.dirname(folder) },
        }),
        {
          name: 'Refusal',
          message: /^cannot read the tags of .*: (not a Git repository|`git` is not installed).*\.$/,
        },
      );
    await refused(folder);
    await refused(path.join(folder, '--upload-pack=x'));
    await refused(folder, { PATH: folder });
  });
});
