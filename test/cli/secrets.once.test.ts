// No command prints a part of a password, also if the URL that has it is wrong.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { freePort } from '../../cluster/port.ts';
import { hideSecrets } from '../../src/cli/secrets.ts';
import { provideMigrated } from '../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { run } from '../../support/program/command.ts';
import { commandLines, LEAVES } from './command-lines.ts';

/** No output may contain this many characters of a password in a row. */
const SHOWN_MAX = 3;
const DELIMITERS = ['@', '/', '#', '?'];
/** The first begins like a port. */
const WORDS = ['6180qZvK7', 'xJw9QkVz'];

const PASSWORDS = [
  ...WORDS.flatMap((word) =>
    DELIMITERS.flatMap((delimiter) => [
      `${delimiter}${word}`,
      `${word.slice(0, 4)}${delimiter}${word.slice(4)}`,
      `${word}${delimiter}`,
    ]),
  ),
  'qZv@K7w/J9x#Yk3?Vq8',
  'qZv/K7w@J9x',
  'qZv#K7w@J9x/Yk3',
  'qZv?K7w=J9x&Yk3',
  '6180/K7w:J9x@Yk3',
  '@@qZvK7w',
];

function urlsWith(userinfo: string): [variable: string, url: string][] {
  return [
    ['DATABASE_URL', `postgres://${userinfo}@127.0.0.1/db`],
    ['DATABASE_URL', `postgresql://${userinfo}@[::1]:5432/db?sslmode=require`],
    ['DATABASE_URL', `postgres://127.0.0.1/db, postgres://${userinfo}@127.0.0.1/db`],
    ['DATABASE_URL', `postgres://${userinfo}@127.0.0.1/db,postgres://me:x@127.0.0.1/db`],
    ['REDIS_URL', `redis://${userinfo}@127.0.0.1:6379`],
    ['REDIS_URL', `rediss://${userinfo}@127.0.0.1:6379/2`],
  ];
}

const AMBIGUOUS = PASSWORDS.flatMap((password) => [
  ...urlsWith(`me:${password}`).map(([variable, url]) => ({ password, variable, url })),
  ...urlsWith(`${password}:6180qZvK7`).map(([variable, url]) => ({ password, variable, url })),
  ...urlsWith(password).map(([variable, url]) => ({ password, variable, url })),
]);
/** For every command. */
const SAMPLE = AMBIGUOUS.filter(({ url }) =>
  /^(postgres|redis):\/\/me:(6180@qZvK7|\?xJw9QkVz|qZv@K7w\/J9x#)[^,]*$/.test(url),
);

const PERCENT_ENCODE = 'Percent-encode these characters in the user name and the password: @ (%40), / (%2F),';

describe('a URL whose password is not percent-encoded', () => {
  const folder = temporaryFolder(sharedScope());
  before(() => provideMigrated({ folder }));

  function assertHidden(password: string, output: string, what: string): void {
    const told = output.replaceAll(folder, '');
    for (let at = 0; at + SHOWN_MAX <= password.length; at++)
      assert.ok(!told.includes(password.slice(at, at + SHOWN_MAX)), `${what}: ${told}`);
  }

  it('doctor rejects it with what to do, before it connects to anything', async () => {
    for (const [index, { password, variable, url }] of AMBIGUOUS.entries()) {
      const environment = { PORT: '0', [variable]: url };
      const flags = index % 2 === 0 ? [] : ['--json'];
      const { code, stdout, stderr } = await run({ folder, environment }, ['doctor', ...flags]);
      assert.equal(code, 1, url);
      assert.ok(stdout.includes(`${variable} is not valid; `) && stdout.includes(PERCENT_ENCODE), stdout);
      assertHidden(password, stdout + stderr, url);
    }
  });

  it('doctor rejects it in .env, where a # would begin a comment', async (t) => {
    const own = { folder: temporaryFolder(t) };
    for (const { password, variable, url } of SAMPLE)
      for (const quote of ['', '"', "'"]) {
        writeFileSync(path.join(own.folder, '.env'), `${variable}=${quote}${url}${quote}\n`, { mode: 0o644 });
        const { code, stdout, stderr } = await run(own, ['doctor'], '', { environment: { PORT: '0' } });
        assert.equal(code, 1, url);
        assert.ok(stdout.includes(`${variable} is not valid; `) && stdout.includes(PERCENT_ENCODE), stdout);
        assert.match(stdout, /Other users of this machine may read the passwords in/);
        assertHidden(password, `${stdout}${stderr}`.replaceAll(own.folder, ''), url);
      }
  });

  for (const { path: words, command } of LEAVES) {
    const name = words.join(' ');
    it(`\`${name}\` prints no part of the password`, async () => {
      for (const { password, variable, url } of SAMPLE) {
        const [args = words] = commandLines(words, command, 'x');
        const { code, stdout, stderr } = await run({ folder, environment: { [variable]: url } }, args);
        assertHidden(password, stdout + stderr, `${variable}=${url} ${name}`);
        if (code === 1 && name !== 'doctor')
          assert.ok(stderr.includes(PERCENT_ENCODE) || stderr.includes(' x'), stderr);
        for (const typed of commandLines(words, command, url)) {
          const wrong = await run({ folder }, typed, url);
          assertHidden(password, wrong.stdout + wrong.stderr, typed.join(' '));
        }
      }
    });
  }

  it('a percent-encoded password is accepted, and not printed either', async () => {
    const port = await freePort();
    for (const password of PASSWORDS)
      for (const [variable, url] of urlsWith(`me:${encodeURIComponent(password)}`)) {
        const local = url.replaceAll(/@(127\.0\.0\.1|\[::1\])(:\d+)?/g, `@127.0.0.1:${port}`);
        const environment = { PORT: '0', [variable]: local.replace('//127.0.0.1/', `//127.0.0.1:${port}/`) };
        const { stdout, stderr } = await run({ folder, environment }, ['doctor']);
        assert.match(stdout, /All settings are valid/);
        assert.match(stdout, new RegExp(`^wrong .*127\\.0\\.0\\.1:${port}.*ECONNREFUSED`, 'm'));
        // The port may have some digits of a password by chance.
        assertHidden(password, (stdout + stderr).replaceAll(`:${port}`, ''), url);
      }
  });
});

describe('secrets in messages', () => {
  it('everything up to the last @ of a database URL is hidden', () => {
    for (const [text, expected] of [
      ['cannot open postgres://me:a@b/c#d?e@h/db.', 'cannot open postgres://…@h/db.'],
      ["error: 'redis://:p w@h'", "error: 'redis://…@h'"],
      ['postgres://a:b@h1/d,postgres://c:d@h2/d', 'postgres://…@h2/d'],
      ['postgres:///d?host=/s&user=me@x&password=p@ss', 'postgres://…@x&password=…'],
      ['POSTGRES://token@h/d', 'POSTGRES://…@h/d'],
      ['https://token@example.com/a', 'https://…@example.com/a'],
      ['https://me:a/b@example.com/a', 'https://…@example.com/a'],
      ["value 'https://me:a b@example.com/a' is", "value 'https://…@example.com/a' is"],
    ] as const)
      assert.equal(hideSecrets(text), expected);
  });

  it('URLs without credentials, and the example in messages, are shown', () => {
    for (const text of [
      'curl https://unpkg.com/rocket@2.1.0/CHANGELOG.md',
      'postgres:///db?host=/run/postgresql',
      'it must be postgres://USER:PASSWORD@HOST:PORT/NAME. Percent-encode @',
      'http://127.0.0.1:3000/docs',
      'http://127.0.0.1:3000 and http://[::1]:3000. Write to a@b',
    ])
      assert.equal(hideSecrets(text), text);
  });
});
