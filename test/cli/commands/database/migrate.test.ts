import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { STEPS } from '../../../../src/store/migrate/migrate.ts';
import {
  databaseUrl,
  describeDatabase,
  dump,
  ENGINE,
  execute,
  NO_DATABASE,
  provideMigrated,
  query,
} from '../../../../support/databases/engine.ts';
import type { Scope } from '../../../../support/processes/scope.ts';
import { apply, doctor, runOk, type Sandbox } from '../../../../support/program/command.ts';
import { spawnProgram } from '../../../../support/program/process.ts';
import { addLaterStep } from '../../../store/migrate/later-step.ts';
import { expectFailure, runJson, sandboxOf, sandboxWithoutDatabase } from '../../helpers.ts';

const NAMES = STEPS.map(({ name }) => name);
const DOCUMENT = { team: { slug: 'acme', name: 'Acme', plan: 'paid' } };
const PROCESSES = 4;

const manual = (sandbox: Sandbox): Sandbox => ({
  ...sandbox,
  environment: { AUTO_MIGRATE: 'false' },
});

/** Marks the database as migrated by a newer program. */
async function makeNewer(sandbox: Sandbox): Promise<void> {
  await execute(sandbox, `insert into schema_migrations values ('9999_later', '2030-01-01T00:00:00.000Z')`);
}

/** A database of a program that has one step less. */
async function makeOlder(sandbox: Sandbox, scope: Scope): Promise<void> {
  await provideMigrated(sandbox);
  addLaterStep(scope);
}

/** The steps of the schemas before the present one. */
const EARLIER = [
  ['0001_content_and_keys', '0002_revisions', '0014_kept_words'],
  ['0001_first_schema', '0002_breaking_and_counts'],
];

/** What these steps left behind, as far as a program looks at it. */
async function makeEarlier(sandbox: Sandbox, steps = EARLIER[1]): Promise<void> {
  await execute(
    sandbox,
    'create table schema_migrations (name varchar(255) primary key, timestamp varchar(255) not null)',
  );
  for (const step of steps ?? [])
    await execute(sandbox, `insert into schema_migrations values ('${step}', '2026-01-01T00:00:00.000Z')`);
  await execute(sandbox, 'create table teams (id integer primary key, slug text)');
  await execute(sandbox, `insert into teams values (1, 'acme')`);
}

/** The file of the database, or its rows. */
async function bytesOf(sandbox: Sandbox): Promise<unknown> {
  return ENGINE === 'sqlite'
    ? readFileSync(databaseUrl(sandbox).slice('sqlite:'.length))
    : await dump(sandbox);
}

/** A database that exists and has no tables. */
async function makeEmpty(sandbox: Sandbox): Promise<void> {
  await execute(sandbox, 'create table unrelated (id integer, name text)');
  await execute(sandbox, 'drop table unrelated');
}

describe('migrate', () => {
  it('migrate creates a database, if the engine can, and lists its steps', async (t) => {
    const sandbox = sandboxOf(t);
    assert.deepEqual(await runJson(sandbox, ['migrate']), {
      database: describeDatabase(sandbox),
      created: ENGINE === 'sqlite',
      steps: NAMES,
    });
    assert.deepEqual(await query(sandbox, 'select * from teams'), []);
  });

  it('migrate does nothing the second time and says so', async (t) => {
    const sandbox = sandboxOf(t);
    assert.match(await runOk(sandbox, ['migrate']), new RegExp(NAMES.join(', ')));
    await apply(sandbox, DOCUMENT);
    const before = await dump(sandbox);
    assert.equal(await runOk(sandbox, ['migrate']), 'The schema is up to date.\n');
    assert.deepEqual(await runJson(sandbox, ['migrate']), {
      database: describeDatabase(sandbox),
      created: false,
      steps: [],
    });
    assert.deepEqual(await dump(sandbox), before);
  });

  it('the first writing command migrates the database', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, DOCUMENT);
    assert.deepEqual((await runJson<{ steps: string[] }>(sandbox, ['migrate'])).steps, []);
  });

  it('migrate works with AUTO_MIGRATE=false', async (t) => {
    const sandbox = manual(sandboxOf(t));
    assert.deepEqual((await runJson<{ steps: string[] }>(sandbox, ['migrate'])).steps, NAMES);
    await apply(sandbox, DOCUMENT);
  });

  it(`migrate can be run by ${PROCESSES} processes concurrently without a database`, {
    timeout: 300_000,
  }, async (t) => {
    const sandbox = sandboxOf(t);
    const processes = await Promise.all(
      Array.from({ length: PROCESSES }, () => spawnProgram(t, sandbox, ['migrate', '--json'])),
    );
    const ends = await Promise.all(processes.map(({ exited }) => exited));
    const errors = processes.map(({ output }) => output().stderr).join('');
    assert.deepEqual(ends, Array(PROCESSES).fill({ code: 0, signal: null }), errors);
    assert.equal(errors, '');
    const steps = processes.flatMap(({ output }) => JSON.parse(output().stdout).steps as string[]);
    assert.deepEqual(steps, NAMES, 'each step is taken by one of them');
  });
});

describe('AUTO_MIGRATE=false', () => {
  const writing: [args: string[], input?: string][] = [
    [['apply', '-'], JSON.stringify(DOCUMENT)],
    [['team', 'set', 'acme', '--plan', 'free']],
    [['key', 'create', 'acme', '--kind', 'FULL']],
    [['serve', '--port', '0']],
  ];

  for (const [args, input] of writing) {
    it(`\`${args.join(' ')}\` fails with AUTO_MIGRATE=false and no database, and says what to do`, async (t) => {
      assert.match(await expectFailure(manual(sandboxWithoutDatabase(t)), args, input), NO_DATABASE);
    });

    it(`\`${args.join(' ')}\` fails with AUTO_MIGRATE=false and an older schema, and says what to do`, async (t) => {
      const sandbox = manual(sandboxOf(t));
      await makeOlder(sandbox, t);
      assert.match(await expectFailure(sandbox, args, input), /has an older schema: .*`changelog migrate`/);
    });

    it(`\`${args.join(' ')}\` fails with AUTO_MIGRATE=false and an empty database, and does not call it older`, async (t) => {
      const sandbox = manual(sandboxOf(t));
      await makeEmpty(sandbox);
      const stderr = await expectFailure(sandbox, args, input);
      assert.match(stderr, /has no tables of this program: check DATABASE_URL, or .*`changelog migrate`/);
      assert.doesNotMatch(stderr, /older/);
    });
  }
});

const OPENING: [args: string[], input?: string][] = [
  [['migrate']],
  [['apply', '-'], JSON.stringify(DOCUMENT)],
  [['apply', '-', '--dry-run'], JSON.stringify(DOCUMENT)],
  [['serve', '--port', '0']],
  [['team', 'list']],
  [['export', 'acme']],
  [['key', 'create', 'acme', '--kind', 'FULL']],
];

describe('a database of an earlier commit, with other schema steps', () => {
  const HOW_TO_MOVE =
    /the database was made by an earlier version of this program and cannot be upgraded; nothing was changed\. Export each team with that version \(`changelog export TEAM`\), and apply the documents to a new database with this one \(`changelog apply FILE`\)\.\n$/;
  const commands: typeof OPENING = [
    ...OPENING,
    [['import', 'acme/rocket', '-', '--create'], '## 1.0.0 - 2026-05-04\n'],
    [['publish-due']],
    ...(ENGINE === 'sqlite' ? [[['backup', 'copy.db']] satisfies [string[]]] : []),
  ];

  for (const [args, input] of commands) {
    it(`\`${args.join(' ')}\` rejects a database of an earlier commit, leaves it as it was, and says how to move`, async (t) => {
      for (const steps of EARLIER) {
        const sandbox = sandboxOf(t);
        await makeEarlier(sandbox, steps);
        const before = await bytesOf(sandbox);
        for (const each of [sandbox, manual(sandbox)])
          assert.match(await expectFailure(each, args, input), HOW_TO_MOVE);
        assert.deepEqual(await bytesOf(sandbox), before);
      }
    });
  }

  it('doctor says the same', async (t) => {
    const sandbox = sandboxOf(t);
    await makeEarlier(sandbox);
    const before = await bytesOf(sandbox);
    const { code, stdout } = await doctor(sandbox);
    assert.equal(code, 1);
    assert.match(`${/^wrong {2}database +(.*)$/m.exec(stdout)?.[1]}\n`, HOW_TO_MOVE);
    assert.deepEqual(await bytesOf(sandbox), before);
  });
});

describe('a database of a newer program', () => {
  for (const [args, input] of OPENING) {
    it(`\`${args.join(' ')}\` rejects a database of a newer program, and says what to use`, async (t) => {
      const sandbox = sandboxOf(t);
      await apply(sandbox, DOCUMENT);
      await makeNewer(sandbox);
      assert.match(await expectFailure(sandbox, args, input), /made by a newer version .*: use that version/);
    });
  }
});

describe('doctor', () => {
  type Finding = { check: string; ok: boolean; state: string; message: string };

  async function examine(sandbox: Sandbox): Promise<{ code: number; findings: Finding[]; stderr: string }> {
    const { code, stdout, stderr } = await doctor(sandbox, '--json');
    return { code, findings: JSON.parse(stdout), stderr };
  }
  const wrong = (findings: Finding[]) => findings.filter(({ ok }) => !ok).map(({ check }) => check);

  it('doctor prints a line for each check, and exits with 0 if there is no problem', async (t) => {
    const sandbox = sandboxOf(t);
    await provideMigrated(sandbox);
    const { code, stdout, stderr } = await doctor(sandbox);
    assert.deepEqual([code, stderr], [0, '']);
    const lines = stdout.trimEnd().split('\n');
    for (const line of lines) assert.match(line, /^(ok {5}|note {3})\S+ +\S/);
    for (const check of ['settings', 'database', 'schema', 'redis']) {
      assert.ok(
        lines.some((line) => line.split(/ +/)[1] === check),
        check,
      );
    }
  });

  it('doctor exits with 1 and one line on standard error if there is a problem', async (t) => {
    const sandbox = sandboxWithoutDatabase(t);
    const { code, stdout, stderr } = await doctor(sandbox);
    assert.equal(code, 1);
    assert.match(stderr, /^changelog: 1 of \d+ checks failed; [^\n]+\n$/);
    assert.match(/^wrong {2}database +(.*)$/m.exec(stdout)?.[1] ?? '', NO_DATABASE);
    assert.equal(await dump(sandbox), null, 'doctor must not create a database');
  });

  it('doctor reports every invalid setting', async (t) => {
    const sandbox = sandboxOf(t, { environment: { PORT: 'x', LOG_LEVEL: 'loud' } });
    const { code, findings } = await examine(sandbox);
    assert.equal(code, 1);
    assert.deepEqual(wrong(findings), ['settings', 'settings']);
    assert.match(findings.map(({ message }) => message).join(' '), /PORT is "x".*LOG_LEVEL is "loud"/);
  });

  const SCHEMAS: [what: string, make: (sandbox: Sandbox, scope: Scope) => Promise<void>, message: RegExp][] =
    [
      [
        'an older schema',
        makeOlder,
        /: the schema is older than this program; `changelog migrate` updates it\.$/,
      ],
      [
        'an empty database',
        makeEmpty,
        /: the database has no tables of this program; `changelog migrate` creates them\.$/,
      ],
    ];
  for (const [what, make, message] of SCHEMAS) {
    it(`doctor notes ${what}, which is wrong only with AUTO_MIGRATE=false`, async (t) => {
      const sandbox = sandboxOf(t);
      await make(sandbox, t);
      const automatic = await examine(sandbox);
      assert.deepEqual([automatic.code, wrong(automatic.findings)], [0, []]);
      const schema = automatic.findings.find(({ check }) => check === 'schema');
      assert.equal(schema?.state, 'note');
      assert.match(schema.message, message);
      const { code, findings } = await examine(manual(sandbox));
      assert.deepEqual([code, wrong(findings)], [1, ['schema']]);
      assert.match(findings.find(({ ok }) => !ok)?.message ?? '', message);
    });
  }

  it('doctor reports a newer schema', async (t) => {
    const sandbox = sandboxOf(t);
    await provideMigrated(sandbox);
    await makeNewer(sandbox);
    const { code, findings } = await examine(sandbox);
    assert.deepEqual([code, wrong(findings)], [1, ['schema']]);
  });
});
