import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openScope } from '../../cluster/scope.ts';
import { anyWalk, setUp, startWriter, walk } from '../../proofs/queries/paging.ts';
import { FILTERS } from '../../proofs/queries/steady.ts';
import { listenApp } from '../../support/program/app.ts';

const WALKS = 12;

describe('paging', () => {
  it('paging neither skips nor repeats versions while another process writes', async (t) => {
    const setup = await setUp(t);
    const { address } = await listenApp(t, setup.sandbox);
    const stop = await startWriter(t, setup);
    for (let round = 0; round < WALKS; round++) await walk(setup, () => address, anyWalk());
    assert.notDeepEqual(await stop(), {}, 'the writer wrote nothing');
  });

  it('paging continues on another node', async (t) => {
    const setup = await setUp(t);
    const nodes = [await listenApp(t, setup.sandbox), await listenApp(t, setup.sandbox)];
    const inTurn = (page: number) => nodes[page % 2]?.address ?? '';
    for (const surface of ['public', 'team'] as const)
      for (const filter of FILTERS) assert.ok((await walk(setup, inTurn, { surface, filter, limit: 4 })) > 1);
  });

  it('paging continues after a restart of the server', async (t) => {
    const setup = await setUp(t);
    let running = openScope();
    t.after(() => running.close());
    const restarted = async () => {
      await running.close();
      running = openScope();
      return (await listenApp(running, setup.sandbox)).address;
    };
    const [filter] = FILTERS;
    assert.ok(filter !== undefined);
    assert.equal(await walk(setup, restarted, { surface: 'public', filter, limit: 30 }), 2);
  });
});
