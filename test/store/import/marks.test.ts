import assert from 'node:assert/strict';
import { it } from 'node:test';
import { execute, provideMigrated, query } from '../../../support/databases/engine.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import type { Sandbox } from '../../../support/program/command.ts';
import { SEED } from '../triggers/touch-table.ts';

it('an import mark is deleted with its version, whichever program deletes it', async (t) => {
  const sandbox: Sandbox = { folder: temporaryFolder(t) };
  await provideMigrated(sandbox);
  for (const statement of SEED.split(';')) if (statement.trim() !== '') await execute(sandbox, statement);
  await execute(
    sandbox,
    `insert into import_marks (version_id, mark) values ('ver_11', 'a'), ('ver_21', 'b')`,
  );
  await execute(sandbox, `delete from versions where id = 'ver_11'`);
  await execute(sandbox, `delete from teams where slug = 'vault'`);
  assert.deepEqual(await query(sandbox, 'select * from import_marks'), []);
});
