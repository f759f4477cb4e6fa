import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
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

  it('a tag may begin with one of several names, such as the path of a Go module in its repository', () => {
    const names = ['example.com/acme/flagd', 'providers/flagd'];
    const tags = '2026-01-01T00:00:00Z tests/flagd/v1.0.0\n2026-01-02T00:00:00Z providers/flagd/v1.0.0\n';
    assert.equal(findDates(tags, names)('1.0.0'), '2026-01-02T00:00:00.000Z');
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

  it('reading tags of a repository that belongs to another user fails, and the message says what to do', async (t) => {
    const folder = temporaryFolder(t);
    execFileSync('git', ['init', '-q'], { cwd: folder, env: environment });
    await assert.rejects(
      readTagDates(folder, {
        name: null,
        environment: { ...environment, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1', GIT_CONFIG_NOSYSTEM: '1' },
      }),
      /: it belongs to another user, so git does not read it; run `git config --global --add safe\.directory '.+'` if you trust it\.$/,
    );
  });
});

/** The configuration of a repository with a command for Git to run; the first kind needs an object that is missing. */
const HOSTILE: Record<'missing' | 'complete', Record<string, (command: string) => string>> = {
  missing: {
    'a command for SSH': (command) => `[core]\nsshCommand = ${command}\n[remote "evil"]\nurl = ssh://h/x`,
    'a remote that is a command': (command) =>
      `[protocol "ext"]\nallow = always\n[remote "evil"]\nurl = ext::${command} %S`,
    'a remote helper': (command) =>
      `[protocol "ext"]\nallow = always\n[remote "evil"]\nvcs = ext\nurl = ${command} %S`,
    'a program that sends objects': (command) =>
      `[remote "evil"]\nurl = /nowhere/../\nuploadpack = ${command}`,
    'a proxy for the protocol of Git': (command) =>
      `[core]\ngitProxy = ${command}\n[remote "evil"]\nurl = git://127.0.0.1/x`,
  },
  complete: {
    'hooks, a monitor, a pager and other programs': (command) =>
      `[core]
         fsmonitor = ${command}
         pager = ${command}
         editor = ${command}
         askPass = ${command}
         alternateRefsCommand = ${command}
         hooksPath = ${path.dirname(command)}
       [pager]\nfor-each-ref = ${command}
       [alias]\nfor-each-ref = !${command}
       [credential]\nhelper = ${command}
       [diff]\nexternal = ${command}
       [diff "x"]\ntextconv = ${command}
       [filter "x"]\nprocess = ${command}\nrequired = true
       [gpg]\nprogram = ${command}
       [submodule]\nrecurse = true
       [submodule "x"]\nactive = true\nurl = ext::${command}\nupdate = !${command}`,
  },
};
/** Git fetches missing objects from this remote. */
const PARTIAL_CLONE = `[core]\nrepositoryFormatVersion = 1
  [extensions]\npartialClone = evil
  [remote "evil"]\npromisor = true\n`;

describe('the tags of a hostile repository', () => {
  const environment = { PATH: process.env.PATH };

  /** Its one tag is annotated. */
  function createRepository(folder: string): (...args: string[]) => string {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        cwd: folder,
        env: environment,
        encoding: 'utf8',
      });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'One');
    git('tag', '-a', '-m', 'One', 'v1.0.0');
    return git;
  }

  for (const [objects, configurations] of Object.entries(HOSTILE))
    for (const [what, configure] of Object.entries(configurations))
      it(`are read without running ${what}`, async (t) => {
        const folder = temporaryFolder(t);
        const [repository, hooks, ran] = ['clone', 'hooks', 'ran'].map((name) => path.join(folder, name));
        assert.ok(repository && hooks && ran);
        for (const created of [repository, hooks]) mkdirSync(created);
        // Git looks for hooks by these names.
        const command = path.join(hooks, 'reference-transaction');
        for (const name of [command, path.join(hooks, 'post-index-change')])
          writeFileSync(name, `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
        const git = createRepository(repository);
        const tag = git('rev-parse', 'v1.0.0').trim();
        appendFileSync(path.join(repository, '.git/config'), `${configure(command)}\n`);
        if (objects === 'missing') {
          rmSync(path.join(repository, '.git/objects', tag.slice(0, 2), tag.slice(2)));
          appendFileSync(path.join(repository, '.git/config'), PARTIAL_CLONE);
        } else writeFileSync(path.join(repository, '.gitattributes'), '* diff=x filter=x\n');

        const [result] = await Promise.allSettled([readTagDates(repository, { name: null, environment })]);
        assert.ok(!existsSync(ran), 'the command ran');
        if (result.status === 'fulfilled') return assert.ok(objects === 'complete' && result.value('1.0.0'));
        assert.equal(
          result.reason.message,
          `cannot read the tags of ${repository}: objects of tags are missing; pass the directory of a complete clone.`,
        );
        spawnSync('git', ['for-each-ref', '--format=%(creatordate)'], { cwd: repository, env: environment });
        assert.ok(existsSync(ran), 'git alone does not run the command: this test proves nothing');
      });
});
