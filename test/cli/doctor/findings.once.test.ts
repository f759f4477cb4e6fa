// Each problem that doctor reports. Those of PostgreSQL are in doctor.postgres.test.ts.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { checkDisk } from '../../../src/cli/doctor/machine.ts';
import { provideMigrated } from '../../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { listenApp } from '../../../support/program/app.ts';
import { apply, createKey, doctor, runOk, type Sandbox } from '../../../support/program/command.ts';

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
      'one port for both listeners',
      { PORT: '3456', OPS_PORT: '3456' },
      /^settings: OPS_PORT and PORT are both/,
    ],
    [
      'a BASE_URL that ends in the path of the API',
      { BASE_URL: 'http://127.0.0.1/api/v1' },
      /^settings: BASE_URL ends in \/api\/v1/,
    ],
    [
      'TRUSTED_PROXIES that include all addresses',
      { TRUSTED_PROXIES: '::/0' },
      /^settings: TRUSTED_PROXIES includes all/,
    ],
    [
      'credentials without PASSWORD_PROTECTION',
      CREDENTIALS,
      /^gate: .*are set, but PASSWORD_PROTECTION is not true/,
    ],
    ['a short password', { ...GATE, PASSWORD_PROTECTION_PASSWORD: 'short' }, /^gate: .*fewer than 8/],
    ['a HOST of another machine', { HOST: '192.0.2.1', PORT: '3456' }, /^listeners: 192\.0\.2\.1 is not an/],
  ];
  for (const [what, environment, line] of PROBLEMS) {
    it(`doctor reports ${what}`, async () => {
      const { problems } = await runDoctor(at(environment));
      assert.equal(problems.length, 1, problems.join('\n'));
      assert.match(problems[0] ?? '', line);
    });
  }

  it('doctor reports nothing behind a proxy and with a long password', async () => {
    assert.deepEqual((await runDoctor(at({ ...PUBLIC, ...GATE }))).problems, []);
  });

  const NOTES: [environment: Record<string, string>, ...notes: RegExp[]][] = [
    [{ BASE_URL: 'http://log.example/log' }, /has the path \/log/],
    [{ HOST: '0.0.0.0' }, /^settings: HOST is 0\.0\.0\.0 and BASE_URL is unset, .*http:\/\/127\.0\.0\.1:/m],
    [{ TRUSTED_PROXIES: '10.0.0.1' }, /^settings: TRUSTED_PROXIES is set and BASE_URL is unset/m],
    [{ BASE_URL: 'https://log.example' }, /^settings: .*TRUSTED_PROXIES is unset/m],
  ];
  it('doctor prints `note` before what is odd but works, and exits with 0', async () => {
    const { code, stdout, stderr } = await doctor(at({ BASE_URL: 'http://log.example/log' }));
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^note {3}settings {5}BASE_URL has the path \/log/m);
    assert.match(stdout, /^note {3}content {6}Nothing is public/m);
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
    assert.ok(
      (await check('a {}')).passed.includes('pages: brand.css is added to the style sheet of the pages.'),
    );
    assert.match((await check('@import "x.css";')).notes.join('\n'), /^pages: brand\.css has an @import, /m);
    assert.deepEqual((await check('a {}</style>')).problems, [
      'pages: PAGE_STYLESHEET is "brand.css", which contains "</style"; that would end the style sheet, so remove it.',
    ]);
  });

  it('doctor says whether a port is free, served by this program or used by another', async (t) => {
    const { address } = await listenApp(t, { folder });
    const own = await runDoctor(at({ PORT: new URL(address).port }));
    assert.match(own.passed.join('\n'), /^listeners: http:\/\/127\.0\.0\.1:\d+ is served by this program/m);
    const gated = await listenApp(t, { folder }, GATE);
    const behind = await runDoctor(at({ PORT: new URL(gated.address).port, ...GATE }));
    assert.match(behind.passed.join('\n'), /^listeners: .* is served by this program/m);

    const other = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const PORT = String((other.address() as AddressInfo).port);
    const taken = await runDoctor(at({ PORT }));
    assert.match(
      taken.problems.join(),
      /^listeners: port \d+ on 127\.0\.0\.1 is already in use; .* with PORT\.$/,
    );
    await new Promise((resolve) => other.close(resolve));
    assert.match((await runDoctor(at({ PORT }))).passed.join('\n'), /^listeners: .* is free/m);
  });

  it('doctor reports a .env that others can read, and notes misspelled names in it', async (t) => {
    const own = { folder: temporaryFolder(t) };
    await provideMigrated(own);
    const file = path.join(own.folder, '.env');
    const write = (text: string, mode: number) => {
      writeFileSync(file, text);
      chmodSync(file, mode);
    };
    write('REDIS_ULR=redis://127.0.0.1\nBASEURL=x\nNODE_ENV=production\nPASSWORD=x\nHOSTS=a\n', 0o644);
    const named = await runDoctor(own);
    assert.deepEqual(named.problems, []);
    assert.deepEqual(
      named.notes.filter((note) => note.includes('not a known setting')),
      [
        `settings: ${file} sets BASEURL, which is not a known setting. Did you mean BASE_URL?`,
        `settings: ${file} sets HOSTS, which is not a known setting. Did you mean HOST?`,
        `settings: ${file} sets REDIS_ULR, which is not a known setting. Did you mean REDIS_URL?`,
      ],
    );
    const secrets = 'DATABASE_URL=postgres://me:hunter2@127.0.0.1/x\n';
    const readable = [
      `permissions: Other users of this machine may read the passwords in ${file}. Run chmod 600 on it.`,
    ];
    write('DATABASE_URL=postgres://me@127.0.0.1/x?sslmode=require&password=hunter2\n', 0o644);
    assert.deepEqual((await runDoctor(own)).problems, readable);
    write('CHANGELOG_API_KEY=clk_1\n', 0o644);
    assert.deepEqual((await runDoctor(own)).problems, readable);
    write(secrets, 0o644);
    const { problems, notes } = await runDoctor(own);
    assert.deepEqual(problems, readable);
    assert.match(notes.join('\n'), /The environment sets DATABASE_URL, which overrides .*\.env/);
    assert.doesNotMatch(problems.join() + notes.join(), /hunter2/);
    write(secrets, 0o600);
    assert.deepEqual((await runDoctor(own)).problems, []);
  });

  it('doctor reports lines of .env that set nothing, and prints only names of settings', async (t) => {
    const own = { folder: temporaryFolder(t) };
    await provideMigrated(own);
    const file = path.join(own.folder, '.env');
    const settingsOf = async (text: string) => {
      writeFileSync(file, text, { mode: 0o600 });
      const { problems, notes } = await runDoctor(own);
      assert.doesNotMatch([...problems, ...notes].join(), /hunter2/);
      return [problems, notes.filter((note) => note.startsWith('settings'))];
    };
    assert.deepEqual(await settingsOf('LOG_LEVEL: info\nHOST=::1\nBASE_URL http://h\n'), [
      [
        `settings: ${file}, line 1 has : instead of = after LOG_LEVEL, so LOG_LEVEL is not set. Write LOG_LEVEL=….`,
        `settings: ${file}, line 3 has no = after BASE_URL, so BASE_URL is not set. Write BASE_URL=….`,
      ],
      [],
    ]);
    assert.deepEqual(await settingsOf('hunter2\n'), [
      [],
      [`settings: ${file} sets nothing on line 1. Write NAME=VALUE, or begin a comment with #.`],
    ]);
    assert.deepEqual(await settingsOf(`${'my hunter2: x\n'.repeat(7)}WORKERS=1#2\n`), [
      [],
      [
        `settings: ${file}, line 8: the value of WORKERS ends at its #. If the # belongs to the value, put the value in quotes.`,
        `settings: ${file} sets nothing on lines 1, 2, 3, 4, 5 and 2 more. Write NAME=VALUE, or begin a comment with #.`,
      ],
    ]);
    assert.deepEqual(await settingsOf('\uFEFFWORKERS=1\nexport HOST=127.0.0.1\n'), [
      [],
      [
        `settings: ${file} begins with a byte order mark, which other programs may take for a part of the first name. Save it as UTF-8 without one.`,
      ],
    ]);
  });

  it('doctor reports a .env that cannot be read', async (t) => {
    const own = { folder: temporaryFolder(t) };
    mkdirSync(path.join(own.folder, '.env'));
    const { problems } = await runDoctor(own);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /^settings: cannot read \S+\.env: it is a directory; remove it, or/);
  });

  it('doctor reports a full disk and a network file system', () => {
    const roomy = { bsize: 4096, bavail: 1_000_000, type: 0xef53 };
    assert.deepEqual(checkDisk('/data', roomy), []);
    assert.match(checkDisk('/data', { ...roomy, bavail: 10_000 })[0]?.message ?? '', /has 39 MiB left/);
    assert.match(
      checkDisk('/data', { ...roomy, type: 0x6969 })[0]?.message ?? '',
      /\(NFS\), which can corrupt/,
    );
    assert.match(checkDisk('/data', { ...roomy, type: 0xff534d42 | 0 })[0]?.message ?? '', /\(SMB\)/);
  });

  it('doctor notes why there is nothing to read, with the command that changes it', async (t) => {
    const own = { folder: temporaryFolder(t) };
    await provideMigrated(own);
    const notesOf = async () => (await runDoctor(own)).notes.filter((note) => note.startsWith('content: '));
    assert.match((await notesOf()).join('\n'), /^content: There is no team yet. `changelog init`[^\n]*$/);

    const product = (slug: string, changelog?: object) => ({
      slug,
      name: slug,
      status: 'published',
      ...(changelog && { changelog }),
    });
    const versions = [{ version: '1.0.0', title: '', status: 'published' }];
    await apply(own, { team: { slug: 'acme', name: 'Acme', plan: 'free' } });
    assert.match(
      (await notesOf())[1] ?? '',
      /no key\. Keys need a paid plan: after `changelog team set acme --plan paid`, `changelog key create acme --kind FULL`/,
    );
    await runOk(own, ['team', 'set', 'acme', '--plan', 'paid']);
    const [nothing, noKey] = await notesOf();
    assert.match(nothing ?? '', /Nothing is public/);
    assert.match(noKey ?? '', /acme is private and has no key. `changelog key create acme --kind FULL`/);
    const { id } = await createKey(own, 'acme', '--kind', 'FULL');
    await runOk(own, ['key', 'disable', id]);
    assert.match(
      (await notesOf())[1] ?? '',
      new RegExp(`all of its keys are disabled. \`changelog key enable ${id}`),
    );

    await apply(own, {
      team: { slug: 'acme', name: 'Acme', visibility: 'public' },
      products: [
        product('bare'),
        product('empty', { status: 'published' }),
        product('hidden', { status: 'draft', versions }),
        product('rocket', { status: 'published', versions }),
      ],
    });
    const notes = await notesOf();
    assert.equal(notes.length, 3, notes.join('\n'));
    assert.match(notes[0] ?? '', /acme\/bare is published but has no changelog/);
    assert.match(
      notes[1] ?? '',
      /acme\/empty is public but has no published version. `changelog version list/,
    );
    assert.match(notes[2] ?? '', /`changelog changelog set acme\/hidden --status published`/);
    for (const slug of ['bare', 'empty', 'hidden'])
      await runOk(own, ['product', 'delete', `acme/${slug}`, '--yes']);
    const { notes: none, passed } = await runDoctor(own);
    assert.deepEqual(none, []);
    assert.ok(passed.includes('content: Every published product has a public version to read.'));
  });
});
