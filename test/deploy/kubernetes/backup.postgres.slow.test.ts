// The commands of the backup and of the restore, with real PostgreSQL programs instead of their images.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { postgresProgram } from '../../../cluster/debian.ts';
import { databaseUrl, environmentOf, execute, query } from '../../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { apply, createKey, runOk, type Sandbox } from '../../../support/program/command.ts';
import { DOCUMENT } from '../ci-user.ts';
import { podTemplate, readObject } from './objects.ts';

const containerOf = (file: string) => podTemplate(readObject(file)).spec.containers[0];
const BACKUP = containerOf('components/backup/cron-job.yaml');
const RESTORE = containerOf('restore.yaml');

const READER = `backup-${randomUUID().slice(0, 8)}`;
const OWNER = `owner-${randomUUID().slice(0, 8)}`;
const PASSWORD = 'a password';

describe('backup and restore on Kubernetes', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  const restored: Sandbox = { folder: temporaryFolder(scope) };
  const backups = temporaryFolder(scope);
  before(async () => {
    await apply(sandbox, DOCUMENT);
    await createKey(sandbox, 'acme', '--kind', 'FULL');
    await environmentOf(restored);
    const name = variablesOf(sandbox, OWNER).PGDATABASE;
    // As docs/kubernetes.md has it: a user that can only read, and an owner that is no superuser.
    await execute(
      sandbox,
      `create role "${READER}" login password '${PASSWORD}'; grant pg_read_all_data to "${READER}";
       revoke all on database "${name}" from public; grant connect on database "${name}" to "${READER}";
       create role "${OWNER}" login password '${PASSWORD}';
       alter database "${variablesOf(restored, OWNER).PGDATABASE}" owner to "${OWNER}"`,
    );
  });

  it('the backup makes a dump, and keeps the newest ones', () => {
    for (const day of ['01', '02', '03'])
      writeFileSync(path.join(backups, `changelog-202601${day}T031700Z.dump`), '');
    writeFileSync(path.join(backups, 'changelog-20260104T031700Z.dump.partial'), 'of a pod that was killed');
    const { status, stdout, stderr } = backUp({ KEEP: '3' });
    assert.deepEqual([status, stderr], [0, '']);
    const names = readdirSync(backups).sort();
    assert.deepEqual(names, [
      'changelog-20260102T031700Z.dump',
      'changelog-20260103T031700Z.dump',
      /^changelog-\d{8}T\d{6}Z\.dump$/.exec(names.at(-1) ?? '')?.[0],
    ]);
    for (const name of names) assert.ok(stdout.includes(name));
  });

  it('a backup that fails fails the job, says why, and removes nothing', () => {
    const names = dumps();
    const { status, stderr } = backUp({ KEEP: '1', PGDATABASE: 'missing' });
    assert.equal(status, 1);
    assert.match(stderr, /database "missing" does not exist/);
    assert.deepEqual(dumps(), names);
  });

  it('a dump restores everything into an empty database, and nothing into one that is not', async () => {
    assert.deepEqual(restore(), { status: 0, stderr: '' });
    const original = await contentOf(sandbox);
    assert.deepEqual(await contentOf(restored), original);
    const again = restore();
    assert.equal(again.status, 1);
    assert.match(again.stderr, /already exists/);
    assert.deepEqual(await contentOf(restored), original);
  });

  function dumps(): string[] {
    return readdirSync(backups)
      .filter((name) => name.endsWith('.dump'))
      .sort();
  }

  function backUp(changes: Record<string, string>) {
    const [shell, ...args] = BACKUP.command;
    const env = { ...variablesOf(sandbox, READER), ...changes };
    return spawnSync(shell, args, { cwd: backups, env, encoding: 'utf8' });
  }

  function restore() {
    const env = variablesOf(restored, OWNER);
    const args = RESTORE.args.map((arg: string) =>
      arg.replace('$(PGDATABASE)', env.PGDATABASE).replace(/^changelog-.*\.dump$/, dumps().at(-1) ?? ''),
    );
    const { status, stderr } = spawnSync(RESTORE.command[0], args, { cwd: backups, env, encoding: 'utf8' });
    return { status, stderr };
  }
});

/** The variables that the containers get from their secrets. */
function variablesOf(sandbox: Sandbox, user: string) {
  const { hostname, port, pathname } = new URL(databaseUrl(sandbox));
  return {
    PATH: `${path.dirname(postgresProgram('pg_dump'))}:${process.env.PATH}`,
    PGHOST: hostname,
    PGPORT: port,
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGUSER: user,
    PGPASSWORD: PASSWORD,
  };
}

async function contentOf(sandbox: Sandbox): Promise<unknown> {
  return [
    await runOk(sandbox, ['export', 'acme']),
    await query(sandbox, 'select * from api_keys order by id'),
  ];
}
