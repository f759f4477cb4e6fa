// Earlier releases created `words_of` with the Unicode tables of the Node.js that migrated.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SPACED_LETTERS } from '../../../src/domain/letters.ts';
import { execute, query } from '../../../support/databases/engine.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { runOk, type Sandbox } from '../../../support/program/command.ts';
import { makeEarlier } from './earlier.ts';

const SOURCE = `select prosrc from pg_proc where oid = 'words_of(text)'::regprocedure`;
const REVISION = 'select value from revision';
const WORDS = `select words::text from version_facts where version_id = 'ver_21'`;

async function sourceOf(sandbox: Sandbox): Promise<string> {
  return String((await query(sandbox, SOURCE))[0]?.prosrc);
}

function rangesIn(source: string): string[] {
  const [, letters = ''] = /\(\?:\[(.*?)\]\[/.exec(source) ?? [];
  return [...letters.matchAll(/\\U0*([0-9a-f]+)-\\U0*([0-9a-f]+)/g)].map(([, first, last]) =>
    first === last ? `${first}` : `${first}-${last}`,
  );
}

describe('the letters of words in PostgreSQL', () => {
  it('words_of has the letters by which the server splits a search', async (t) => {
    const sandbox: Sandbox = { folder: temporaryFolder(t) };
    await runOk(sandbox, ['migrate']);
    assert.deepEqual(
      rangesIn(await sourceOf(sandbox)),
      SPACED_LETTERS.trim().split(/\s+/),
      'words_of and src/domain/letters.ts differ; add a schema step',
    );
  });

  it('step 0008 changes neither words_of nor the revision if the letters are the same', async (t) => {
    const sandbox: Sandbox = { folder: temporaryFolder(t) };
    await makeEarlier(sandbox, '0007_public_rows');
    const before = [await sourceOf(sandbox), await query(sandbox, REVISION)];
    assert.match(await runOk(sandbox, ['migrate']), /0008_fixed_letters/);
    assert.deepEqual([await sourceOf(sandbox), await query(sandbox, REVISION)], before);
  });

  it('step 0008 replaces letters from another Node.js, and indexes all versions again', async (t) => {
    const sandbox: Sandbox = { folder: temporaryFolder(t) };
    await makeEarlier(sandbox, '0007_public_rows');
    const fixed = await sourceOf(sandbox);
    const others = fixed.replace('\\U00000061-\\U0000007a', '\\U00000062-\\U0000007a');
    await execute(
      sandbox,
      `create or replace function words_of(body text) returns text immutable language sql as $f$${others}$f$`,
    );
    await execute(sandbox, `update versions set title = 'banana' where id = 'ver_21'`);
    assert.doesNotMatch(String((await query(sandbox, WORDS))[0]?.words), /'banana'/);
    const [before] = await query(sandbox, REVISION);
    await runOk(sandbox, ['migrate']);
    assert.equal(await sourceOf(sandbox), fixed);
    assert.match(String((await query(sandbox, WORDS))[0]?.words), /'banana'/);
    assert.deepEqual(
      await query(sandbox, `select team_id, product_id from touches where revision > ${before?.value}`),
      [{ team_id: 0, product_id: 0 }],
    );
  });
});
