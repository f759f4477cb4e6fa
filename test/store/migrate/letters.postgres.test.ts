import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SPACED_LETTERS } from '../../../src/domain/letters.ts';
import { query } from '../../../support/databases/engine.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { runOk, type Sandbox } from '../../../support/program/command.ts';

const SOURCE = `select prosrc from pg_proc where oid = 'words_of(text)'::regprocedure`;

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
      rangesIn(String((await query(sandbox, SOURCE))[0]?.prosrc)),
      SPACED_LETTERS.trim().split(/\s+/),
      'words_of and src/domain/letters.ts differ; add a schema step',
    );
  });
});
