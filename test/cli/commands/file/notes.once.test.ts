import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { MAIN } from '../../../../cluster/nodes.ts';
import { run, runOk, type Sandbox } from '../../../../support/program/command.ts';
import { expectFailure, expectMisuse, sandboxWithoutDatabase } from '../../helpers.ts';

const FILE = `# Rocket changelog

## [Unreleased]

### Added

- A parachute.

## [2.1.0] - 2026-05-04

Launches are *faster*.

### Added

- A [countdown](https://rocket.example/countdown).

### Security

- Tokens are masked.

## [2.1.0-rc.1] - 2026-04-01

- A first try.

## [1.4.2] - 2026-03-20

## v1.4.0 - 2026-01-02

### Removed

- **Breaking:** The old fuse.
`;
const NOTES = `Launches are *faster*.

### Security

- Tokens are masked.

### Added

- A [countdown](https://rocket.example/countdown).
`;

function sandboxWith(t: TestContext, text = FILE): Sandbox {
  const sandbox = sandboxWithoutDatabase(t);
  writeFileSync(path.join(sandbox.folder, 'CHANGELOG.md'), text);
  return sandbox;
}

const TERMINAL = { columns: () => 80 };

/** What a failed command must not have left. */
function filesIn({ folder }: Sandbox): string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort();
}

describe('changelog notes', () => {
  it('prints the latest version as Markdown, without a heading', async (t) => {
    const sandbox = sandboxWith(t);
    assert.equal(await runOk(sandbox, ['notes', 'CHANGELOG.md']), NOTES);
    assert.equal(await runOk(sandbox, ['notes', '-', 'v2.1.0'], FILE), NOTES);
    assert.deepEqual(filesIn(sandbox), ['CHANGELOG.md'], 'no database was created');
  });

  it('prints no yanked version as the latest one, unless all are (R31)', async (t) => {
    const sandbox = sandboxWith(t);
    const yanked = '## 2.2.0 - 2026-05-05 [YANKED]\n\n- Broken.\n\n';
    const kept = '## 2.1.0 - 2026-05-04\n\n- Faster.\n\n## 2.0.0 - 2026-05-03\n\n- New.\n';
    assert.equal(await runOk(sandbox, ['notes', '-'], yanked + kept), '### Other\n\n- Faster.\n');
    const range = await runOk(sandbox, ['notes', '-', '--from', '2.0.0'], yanked + kept);
    assert.match(range, /Faster/);
    assert.doesNotMatch(range, /2\.2\.0|Broken/);
    assert.match(
      await expectFailure(sandbox, ['notes', '-', '--from', '2.1.0'], yanked + kept),
      /has no versions newer than 2\.1\.0 up to latest; use --allow-empty/,
    );
    assert.match(await runOk(sandbox, ['notes', '-'], yanked), /Broken/);
  });

  it('prints a label, with or without a leading v, and what is unreleased', async (t) => {
    const sandbox = sandboxWith(t);
    const old = '### Breaking changes\n\n- **Removed:** The old fuse.\n';
    assert.equal(await runOk(sandbox, ['notes', 'CHANGELOG.md', '1.4.0']), old);
    assert.equal(await runOk(sandbox, ['notes', 'CHANGELOG.md', 'v1.4.0']), old);
    assert.equal(
      await runOk(sandbox, ['notes', 'CHANGELOG.md', 'unreleased']),
      '### Added\n\n- A parachute.\n',
    );
  });

  it('prints text, HTML and JSON', async (t) => {
    const sandbox = sandboxWith(t);
    assert.equal(
      await runOk(sandbox, ['notes', 'CHANGELOG.md', '--format', 'txt']),
      'Launches are faster.\n\nSecurity\n- Tokens are masked.\n\nAdded\n- A countdown (https://rocket.example/countdown).\n',
    );
    const html = await runOk(sandbox, ['notes', 'CHANGELOG.md', '--format', 'html', '--language', 'de-ch']);
    assert.match(
      html,
      /^<!DOCTYPE html>\n<html lang="de-CH">\n.*<title>Rocket 2\.1\.0<\/title>.*<\/html>\n$/s,
    );
    const json = await runOk(sandbox, ['notes', 'CHANGELOG.md', '--format', 'json']);
    assert.equal(await runOk(sandbox, ['notes', 'CHANGELOG.md', '--json']), json);
    assert.deepEqual(JSON.parse(json), {
      object: 'changelog.version',
      version: '2.1.0',
      title: '',
      status: 'published',
      publishedAt: '2026-05-04T00:00:00.000Z',
      changeCount: 2,
      description: 'Launches are *faster*.',
      descriptionHtml: '<p>Launches are <em>faster</em>.</p>',
      yanked: false,
      changes: [
        {
          object: 'changelog.change',
          type: 'added',
          text: 'A [countdown](https://rocket.example/countdown).',
          html: '<p>A <a href="https://rocket.example/countdown" rel="noopener nofollow">countdown</a>.</p>',
          breaking: false,
        },
        {
          object: 'changelog.change',
          type: 'security',
          text: 'Tokens are masked.',
          html: '<p>Tokens are masked.</p>',
          breaking: false,
        },
      ],
    });
  });

  it('--from prints every version after one, newest first, below a heading', async (t) => {
    const sandbox = sandboxWith(t);
    const headings = async (...args: string[]) =>
      (await runOk(sandbox, ['notes', 'CHANGELOG.md', ...args])).match(/^## .*$/gm);
    assert.deepEqual(await headings('--from', '1.4.0'), [
      '## 2.1.0 (2026-05-04)',
      '## 2.1.0-rc.1 (2026-04-01)',
      '## 1.4.2 (2026-03-20)',
    ]);
    assert.deepEqual(await headings('unreleased', '--from', '2.0'), [
      '## Unreleased',
      '## 2.1.0 (2026-05-04)',
      '## 2.1.0-rc.1 (2026-04-01)',
    ]);
    const json = JSON.parse(await runOk(sandbox, ['notes', 'CHANGELOG.md', '--from', '1.4.0', '--json']));
    assert.deepEqual(
      json.versions.map(({ version }: { version: string }) => version),
      ['2.1.0', '2.1.0-rc.1', '1.4.2'],
    );
  });

  it('reads a file without dates, with the options of import', async (t) => {
    const sandbox = sandboxWith(t, '# News\n\nRelease two\n===========\n\n* Neuerungen: none\n');
    const args = [
      'notes',
      'CHANGELOG.md',
      '--heading',
      '^Release (?<label>\\w+)$',
      '--read-as',
      'changesets',
    ];
    assert.equal(await runOk(sandbox, args), '### Added\n\n- Neuerungen: none\n');
    assert.equal(
      await runOk(sandbox, ['notes', '-', 'v9.0'], '## 9.0\n\n- A.\n\n## 8.0\n'),
      '### Other\n\n- A.\n',
    );
  });

  it('latest is not a version that is dated in the future, which has notes by its label', async (t) => {
    const text =
      '## Unreleased - 2999-01-01\n\n- C.\n\n## 2.0.0 - 2999-01-01\n\n- B.\n\n## 1.1.0\n\n- A.\n\n## 1.0.0\n\n- First.\n';
    const notes = (...args: string[]) => run(sandboxWith(t, text), ['notes', 'CHANGELOG.md', ...args]);
    const stderr =
      'changelog: warning: Drafts until their date, which is in the future: 2.0.0 (2999-01-01T00:00:00.000Z). Correct the date if it is wrong.\n';
    assert.deepEqual(await notes(), { code: 0, stdout: '### Other\n\n- A.\n', stderr });
    assert.deepEqual(await notes('2.0.0'), { code: 0, stdout: '### Other\n\n- B.\n', stderr });
    const since = (await notes('--from', '1.0.0')).stdout;
    assert.match(since, /## 1\.1\.0/);
    assert.doesNotMatch(since, /2\.0\.0|B\./);
    assert.match((await notes('unreleased')).stdout, /C\.[\s\S]*B\./);
    const only = await run(sandboxWith(t, '## 2.0.0 - 2999-01-01\n\n- B.\n'), ['notes', 'CHANGELOG.md']);
    assert.deepEqual([only.code, only.stdout], [1, '']);
  });

  it('latest is a version of a day that has begun where its author is', async (t) => {
    const text = '## 2.0.0 - 2026-05-05\n\n- B.\n\n## 1.0.0 - 2026-01-01\n\n- A.\n';
    for (const [now, notes] of [
      ['2026-05-04T12:00:00.000Z', 'B.'],
      ['2026-05-04T09:00:00.000Z', 'A.'],
    ]) {
      const sandbox = { ...sandboxWith(t, text), now: now ?? '' };
      assert.equal(await runOk(sandbox, ['notes', 'CHANGELOG.md']), `### Other\n\n- ${notes}\n`);
    }
  });
});

describe('changelog notes: what is refused', () => {
  it('a version that is not there, with the nearest labels', async (t) => {
    const sandbox = sandboxWith(t);
    const cases: [args: string[], message: string][] = [
      [['2.1.1'], 'CHANGELOG.md has no version "2.1.1"; the nearest is 2.1.0.'],
      [
        ['--from', 'spring'],
        'CHANGELOG.md has no version "spring"; the nearest are Unreleased, 2.1.0, 2.1.0-rc.1.',
      ],
    ];
    for (const [args, message] of cases)
      assert.equal(
        await expectFailure(sandbox, ['notes', 'CHANGELOG.md', ...args]),
        `changelog: ${message}\n`,
      );
    const released = '## 1.0.0 - 2026-01-01\n\n- A.\n';
    assert.match(
      await expectFailure(sandbox, ['notes', '-', 'unreleased'], released),
      /has no unreleased section/,
    );
    const unreleased = '# Changelog\n\n## Unreleased\n\n- A.\n';
    assert.match(
      await expectFailure(sandbox, ['notes', '-'], unreleased),
      /has no released version; use `unreleased` for the notes of what is not released/,
    );
  });

  it('a version without notes, unless --allow-empty is set', async (t) => {
    const sandbox = sandboxWith(t);
    assert.match(
      await expectFailure(sandbox, ['notes', 'CHANGELOG.md', '1.4.2']),
      /CHANGELOG\.md: 1\.4\.2 has no notes \(no description and no changes\); /,
    );
    assert.equal(await runOk(sandbox, ['notes', 'CHANGELOG.md', '1.4.2', '--allow-empty']), '');
    const range = ['notes', 'CHANGELOG.md', '--from', '2.1.0'];
    assert.match(
      await expectFailure(sandbox, range),
      /has no versions newer than 2\.1\.0 up to latest; use --allow-empty/,
    );
    assert.equal(await runOk(sandbox, [...range, '--allow-empty']), '');
    assert.equal(
      await expectFailure(sandbox, ['notes', '-', '--from', '1.0.0'], '## 1.0.0 - 2026-01-01\n\n- A.\n'),
      'changelog: standard input has no versions newer than 1.0.0 up to latest; use --allow-empty to allow this.\n',
    );
  });

  it('a file that is missing, is a directory, has no versions, or has a password in its URL', async (t) => {
    const sandbox = sandboxWith(t);
    mkdirSync(path.join(sandbox.folder, 'docs'));
    assert.match(await expectFailure(sandbox, ['notes', 'NEWS.md']), /NEWS\.md cannot be read: no such file/);
    assert.match(await expectFailure(sandbox, ['notes', 'docs']), /it is a directory; pass a file/);
    assert.match(await expectFailure(sandbox, ['notes', '-'], 'Hello.\n'), /^changelog: standard input/);
    const rst = 'Hello\n=====\n';
    assert.match(
      await expectFailure(sandbox, ['notes', '-', '--read-as', 'rst'], rst),
      /--read-as, says otherwise/,
    );
    const typed = await expectFailure(sandbox, ['notes', 'https://me:hunter2@rocket.example/CHANGELOG.md']);
    assert.doesNotMatch(typed, /hunter2/);
  });

  it('an empty name of a file is wrong usage', async (t) => {
    const stderr = await expectMisuse(sandboxWith(t), ['notes', '']);
    assert.match(stderr, /argument 'file'\. It must be the name of a file\./);
  });

  const MISUSES: [args: string[], message: RegExp][] = [
    [
      ['--for', 'play', '--format', 'md'],
      /--for always prints plain text and cannot be combined with --format/,
    ],
    [['--for', 'play', '--json'], /--for always prints plain text and cannot be combined with --json/],
    [['--for', 'ebay'], /play, appstore, fdroid or a number/],
    [['--for', '0'], /play, appstore, fdroid or a number/],
    [['--for', '1e3'], /play, appstore, fdroid or a number/],
    [['--url', 'https://rocket.example'], /--url requires --for/],
    [['--for', 'play', '--url', 'rocket.example'], /must be an absolute https: URL/],
    [['--for', 'play', '--url', 'https://me:hunter2@rocket.example'], /without user name or password/],
    [['--version-code', '140', '--out', 'x'], /--version-code requires --for fdroid or --for play/],
    [['--version-code', '140', '--for', 'appstore', '--out', 'x'], /--version-code requires/],
    [['--version-code', '140', '--for', 'fdroid'], /--version-code requires --out with a directory/],
    [['--version-code', '../140', '--for', 'fdroid', '--out', 'x'], /whole number from 1 to/],
    [['--version-code', '0', '--for', 'fdroid', '--out', 'x'], /whole number from 1 to/],
    [['--language', 'de'], /--language requires --version-code or --format html/],
    [['--language', '../de', '--format', 'html'], /BCP 47/],
    [['--format', 'pdf'], /Allowed choices are md, txt, html, json/],
    [['--out', ''], /name of a file/],
  ];
  for (const [args, message] of MISUSES)
    it(`wrong usage: ${args.join(' ')}`, async (t) => {
      const sandbox = sandboxWith(t);
      const stderr = await expectMisuse(sandbox, ['notes', 'CHANGELOG.md', ...args]);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /hunter2/);
      assert.deepEqual(filesIn(sandbox), ['CHANGELOG.md']);
    });
});

describe('changelog notes --for', () => {
  it('prints text that the store accepts', async (t) => {
    const sandbox = sandboxWith(t);
    const cut = await runOk(sandbox, ['notes', 'CHANGELOG.md', '--for', '80', '--url', 'https://r.example/']);
    assert.equal(cut, 'Security\n- Tokens are masked.\n\n… and 1 more: https://r.example/\n');
    const changes = Array.from({ length: 500 }, (_, at) => `- Change number ${at}.`).join('\n');
    for (const [store, max] of [
      ['play', 500],
      ['appstore', 4_000],
      ['fdroid', 500],
      ['FDROID', 500],
    ] as const) {
      const text = await runOk(
        sandbox,
        ['notes', '-', '--for', store],
        `## 1.0.0 - 2026-01-01\n\n${changes}\n`,
      );
      assert.ok(text.length <= max && text.length > max - 30, `${store}: ${text.length}`);
      assert.match(text, /\n… and \d+ more\n$/);
    }
  });

  it('joins lines that were wrapped, whether the notes fit or are cut', async (t) => {
    const file =
      '## 1.0.0 - 2026-01-01\n\nOne\ntwo.\n\n### Fixed\n\n- Three\n  four.\n- Five and six and seven.\n';
    for (const [max, text] of [
      ['100', 'One two.\n\nFixed\n- Three four.\n- Five and six and seven.\n'],
      ['50', 'One two.\n\nFixed\n- Three four.\n\n… and 1 more\n'],
    ] as const)
      assert.equal(await runOk(sandboxWith(t), ['notes', '-', '--for', max], file), text);
  });

  it('fails if the first change is too long, and shows how it starts', async (t) => {
    const failed = await expectFailure(sandboxWith(t), ['notes', 'CHANGELOG.md', '--for', '20']);
    assert.match(
      failed,
      /the first change needs 44 characters, but the limit is 20: "Tokens are masked\."; /,
    );
  });

  it('--version-code writes the file of F-Droid, in directories that it creates', async (t) => {
    const sandbox = sandboxWith(t);
    const args = [
      'notes',
      'CHANGELOG.md',
      '--for',
      'fdroid',
      '--version-code',
      '140',
      '--out',
      'meta/android',
    ];
    const file = 'meta/android/en-US/changelogs/140.txt';
    assert.equal(await runOk(sandbox, args), `${file}: the notes of 2.1.0\n`);
    assert.match(readFileSync(path.join(sandbox.folder, file), 'utf8'), /^Launches are faster\.\n/);
    await runOk(sandbox, [...args, '--language', 'zh-hant']);
    assert.ok(existsSync(path.join(sandbox.folder, 'meta/android/zh-Hant/changelogs/140.txt')));
  });
});

describe('changelog notes --out', () => {
  it('replaces a file, which others may read, and follows a link to it', async (t) => {
    const sandbox = sandboxWith(t);
    const file = path.join(sandbox.folder, 'notes.md');
    writeFileSync(file, 'old');
    symlinkSync('notes.md', path.join(sandbox.folder, 'link.md'));
    assert.equal(
      await runOk(sandbox, ['notes', 'CHANGELOG.md', '--out', 'link.md']),
      'link.md: the notes of 2.1.0\n',
    );
    assert.equal(readFileSync(file, 'utf8'), NOTES);
    assert.equal(statSync(file).mode & 0o777, 0o666 & ~process.umask());
    assert.equal(await runOk(sandbox, ['notes', 'CHANGELOG.md', '--out', '-']), NOTES);
    assert.deepEqual(filesIn(sandbox), ['CHANGELOG.md', 'link.md', 'notes.md']);
  });

  it('leaves a device what it is', async (t) => {
    await runOk(sandboxWith(t), ['notes', 'CHANGELOG.md', '--out', '/dev/null']);
    assert.ok(statSync('/dev/null').isCharacterDevice());
  });

  it('never replaces the changelog', async (t) => {
    const sandbox = sandboxWith(t);
    const file = path.join(sandbox.folder, 'CHANGELOG.md');
    const before = readFileSync(file, 'utf8');
    symlinkSync('CHANGELOG.md', path.join(sandbox.folder, 'same.md'));
    for (const same of ['CHANGELOG.md', './same.md'])
      assert.match(
        await expectFailure(sandbox, ['notes', 'CHANGELOG.md', '--out', same]),
        / is the changelog itself; choose another file with --out\.\n$/,
      );
    assert.equal(readFileSync(file, 'utf8'), before);
  });

  it('writes nothing on an error', async (t) => {
    const sandbox = sandboxWith(t);
    const { folder } = sandbox;
    writeFileSync(path.join(folder, 'notes.md'), 'old');
    mkdirSync(path.join(folder, 'docs'));
    await expectFailure(sandbox, ['notes', 'CHANGELOG.md', '9.9.9', '--out', 'notes.md']);
    await expectFailure(sandbox, ['notes', 'CHANGELOG.md', '--for', '5', '--out', 'notes.md']);
    assert.match(
      await expectFailure(sandbox, ['notes', 'CHANGELOG.md', '--out', 'docs']),
      /docs is a directory; name a file/,
    );
    assert.match(
      await expectFailure(sandbox, ['notes', 'CHANGELOG.md', '--out', 'new/notes.md']),
      /does not exist; create it/,
    );
    const below = ['--for', 'play', '--version-code', '1', '--out', 'notes.md'];
    assert.match(await expectFailure(sandbox, ['notes', 'CHANGELOG.md', ...below]), /cannot be written/);
    assert.equal(readFileSync(path.join(folder, 'notes.md'), 'utf8'), 'old');
    assert.deepEqual(filesIn(sandbox), ['CHANGELOG.md', 'docs', 'notes.md']);
  });

  it('a full disk leaves the file and the directories as they were', (t) => {
    const sandbox = sandboxWith(t, `## 1.0.0 - 2026-01-01\n\n- ${'x'.repeat(20_000)}\n`);
    writeFileSync(path.join(sandbox.folder, 'notes.txt'), 'old');
    for (const args of [
      ['--out', 'notes.txt'],
      ['--for', 'fdroid', '--version-code', '1', '--out', 'new'],
    ]) {
      const limited = args.includes('new') ? 0 : 16;
      const typed = ['notes', 'CHANGELOG.md', ...args];
      const shell = ['-c', `ulimit -f ${limited}; exec "$0" "$@"`, process.execPath, MAIN, ...typed];
      const { status, stderr } = spawnSync('/bin/sh', shell, { cwd: sandbox.folder, encoding: 'utf8' });
      assert.equal(status, 1, stderr);
      if (!args.includes('new')) assert.match(stderr, /notes\.txt cannot be written: the disk is full/);
    }
    assert.equal(readFileSync(path.join(sandbox.folder, 'notes.txt'), 'utf8'), 'old');
    assert.deepEqual(filesIn(sandbox), ['CHANGELOG.md', 'notes.txt']);
  });
});

describe('changelog notes, on a terminal', () => {
  it('control characters and names of files cannot control it', async (t) => {
    const sandbox = sandboxWith(t, '## 1.0.0 - 2026-01-01\n\nA \u001b[2Jtext.\n\n- B \u001b[2J.\n');
    for (const format of ['md', 'txt', 'json', 'html']) {
      const { stdout } = await run(sandbox, ['notes', 'CHANGELOG.md', '--format', format], '', TERMINAL);
      assert.ok(!stdout.includes('\x1b'), format);
    }
    assert.ok(!(await expectFailure(sandbox, ['notes', 'CHANGELOG.md', '\x1b[2J'])).includes('\x1b'));
  });
});
