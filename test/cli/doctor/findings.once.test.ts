// Each problem that doctor reports. Those of PostgreSQL are in doctor.postgres.test.ts.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { checkDisk } from '../../../src/cli/commands/doctor.ts';
import { provideMigrated } from '../../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { apply, doctor, type Sandbox } from '../../../support/program/command.ts';

type State = 'ok' | 'note' | 'wrong';
type Finding = Readonly<{ check: string; ok: boolean; state: State; message: string }>;

type Verdict = { problems: string[]; notes: string[]; passed: string[]; code: number };

async function runDoctor(sandbox: Sandbox): Promise<Verdict> {
  const { stdout, code } = await doctor(sandbox, '--json');
  const findings: Finding[] = JSON.parse(stdout);
  for (const { ok, state } of findings) assert.equal(ok, state !== 'wrong');
  const messages = (wanted: State) =>
    findings.filter(({ state }) => state === wanted).map(({ check, message }) => `${check}: ${message}`);
  const problems = messages('wrong');
  assert.equal(code, problems.length === 0 ? 0 : 1);
  return { problems, notes: messages('note'), passed: messages('ok'), code };
}

describe('doctor', () => {
  const scope = sharedScope();
  const folder = temporaryFolder(scope);
  const at = (environment: Record<string, string>): Sandbox => ({ folder, environment });
  before(() => apply({ folder }, { team: { slug: 'acme', name: 'Acme' } }));

  const GATE = {
    PASSWORD_PROTECTION: 'true',
    PASSWORD_PROTECTION_USERNAME: 'operator',
    PASSWORD_PROTECTION_PASSWORD: 'correct horse',
  };
  const { PASSWORD_PROTECTION: _, ...CREDENTIALS } = GATE;
  const PUBLIC = { HOST: '0.0.0.0', BASE_URL: 'https://log.example', TRUSTED_PROXIES: '10.0.0.1' };

  const PROBLEMS: [what: string, environment: Record<string, string>, line: RegExp][] = [
    [
      'TRUSTED_PROXIES that include all addresses',
      { TRUSTED_PROXIES: '::/0' },
      /^settings: TRUSTED_PROXIES is "::\/0"; it must be .* List only the proxies: with all addresses, every client could pretend to be another\.$/,
    ],
    [
      'credentials without PASSWORD_PROTECTION',
      CREDENTIALS,
      /^gate: credentials are set, but PASSWORD_PROTECTION is not true/,
    ],
  ];
  for (const [what, environment, line] of PROBLEMS) {
    it(`doctor reports ${what}`, async () => {
      const { problems } = await runDoctor(at(environment));
      assert.equal(problems.length, 1, problems.join('\n'));
      assert.match(problems[0] ?? '', line);
    });
  }

  it('doctor reports nothing behind a proxy and with a password', async () => {
    assert.deepEqual((await runDoctor(at({ ...PUBLIC, ...GATE }))).problems, []);
  });

  const NOTES: [environment: Record<string, string>, ...notes: RegExp[]][] = [
    [{ HOST: '0.0.0.0' }, /^settings: HOST is 0\.0\.0\.0 and BASE_URL is unset, .*http:\/\/127\.0\.0\.1:/m],
    [{ TRUSTED_PROXIES: '10.0.0.1' }, /^settings: TRUSTED_PROXIES is set and BASE_URL is unset/m],
  ];
  it('doctor prints `note` before what is odd but works, and exits with 0', async () => {
    const { code, stdout, stderr } = await doctor(at({ HOST: '0.0.0.0' }));
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^note {3}settings {5}HOST is 0\.0\.0\.0 and BASE_URL is unset/m);
    assert.match(stdout, /^ok {5}settings {5}All settings are valid\.$/m);
  });

  it('doctor notes settings that may be intended', async () => {
    for (const [environment, ...expected] of NOTES) {
      const { problems, notes } = await runDoctor(at(environment));
      assert.deepEqual(problems, []);
      for (const note of expected) assert.match(notes.join('\n'), note);
    }
  });

  it('doctor checks the style sheet of the pages', async () => {
    const check = async (css: string) => {
      writeFileSync(path.join(folder, 'brand.css'), css);
      return await runDoctor(at({ PAGE_STYLESHEET: 'brand.css' }));
    };
    assert.deepEqual((await check('a {}')).problems, []);
    assert.deepEqual((await check('a {}</style>')).problems, [
      'settings: PAGE_STYLESHEET is "brand.css", which contains "</style"; that would end the style sheet, so remove it.',
    ]);
  });

  it('doctor checks the hooks file', async () => {
    const file = path.join(folder, 'hooks.yaml');
    const check = async (text: string, settings: Record<string, string> = {}) => {
      writeFileSync(file, text);
      const usual = { BASE_URL: 'https://log.example', CHAT: 'https://chat.example/hunter2' };
      return await runDoctor(at({ HOOKS: 'hooks.yaml', ...usual, ...settings }));
    };
    const chat = (url: string) => `hooks:\n  - { name: chat, kind: slack, url: "${url}" }\n`;
    const good = await check(chat(`\${CHAT}`));
    assert.deepEqual([good.problems, good.notes], [[], []]);
    assert.ok(good.passed.includes('hooks: hooks.yaml can be used.'));
    assert.deepEqual((await check(chat(`\${CHAT}`).replace('kind', 'knd'), { CHAT: '' })).problems, [
      'hooks: hooks.yaml:2: hooks[0].knd: unknown field "knd"; did you mean "kind"?',
      'hooks: hooks.yaml:2: hooks[0].url: the variable CHAT is empty; set it in the environment or in .env.',
    ]);
    chmodSync(file, 0o644);
    assert.deepEqual((await check(chat('https://chat.example/hunter2'))).problems, [
      `permissions: Other users of this machine may read the secrets in hooks.yaml. Run chmod 600 on it, or write \${NAME} in their place.`,
    ]);
    chmodSync(file, 0o600);
    assert.deepEqual((await check(chat('https://chat.example/hunter2'))).problems, []);
  });

  it('doctor reports a .env that others can read, if it has a password', async (t) => {
    const own = { folder: temporaryFolder(t) };
    await provideMigrated(own);
    const file = path.join(own.folder, '.env');
    const write = (text: string, mode: number) => {
      writeFileSync(file, text);
      chmodSync(file, mode);
    };
    const secrets = 'DATABASE_URL=postgres://me:hunter2@127.0.0.1/x\n';
    const readable = [
      `permissions: Other users of this machine may read the passwords in ${file}. Run chmod 600 on it.`,
    ];
    write('DATABASE_URL=postgres://me@127.0.0.1/x?sslmode=require&password=hunter2\n', 0o644);
    assert.deepEqual((await runDoctor(own)).problems, readable);
    write('CHANGELOG_API_KEY=clk_1\n', 0o644);
    assert.deepEqual((await runDoctor(own)).problems, readable);
    write(secrets, 0o644);
    assert.deepEqual((await runDoctor(own)).problems, readable);
    write('PORT=0\nTOKEN=https://registry.example\n', 0o644);
    assert.deepEqual((await runDoctor(own)).problems, []);
    write(secrets, 0o600);
    assert.deepEqual((await runDoctor(own)).problems, []);
  });

  it('doctor reports a .env that cannot be read', async (t) => {
    const own = { folder: temporaryFolder(t) };
    mkdirSync(path.join(own.folder, '.env'));
    const { problems } = await runDoctor(own);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /^settings: cannot read \S+\.env: it is a directory; remove it, or/);
  });

  it('doctor reports a full disk', () => {
    assert.deepEqual([...checkDisk('/data', { bsize: 4096, bavail: 1_000_000 })], []);
    const [finding] = checkDisk('/data', { bsize: 4096, bavail: 10_000 });
    assert.match(finding?.message ?? '', /has 39 MiB left/);
  });
});
