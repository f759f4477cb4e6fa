import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openScope } from '../../cluster/scope.ts';
import { anyWalk, setStage, startWriter, walk } from '../../proofs/queries/paging.ts';
import { FILTERS } from '../../proofs/queries/steady.ts';
import { listenApp } from '../../support/program/app.ts';

const WALKS = 12;

describe('paging', () => {
  it('neither misses nor repeats what stays published while another process writes', async (t) => {
    const stage = await setStage(t);
    const { address } = await listenApp(t, stage.workplace);
    const stop = await startWriter(t, stage);
    for (let round = 0; round < WALKS; round++) await walk(stage, () => address, anyWalk());
    assert.notDeepEqual(await stop(), {}, 'nothing was written meanwhile');
  });

  it('goes on where it was on another node', async (t) => {
    const stage = await setStage(t);
    const nodes = [await listenApp(t, stage.workplace), await listenApp(t, stage.workplace)];
    const inTurn = (page: number) => nodes[page % 2]?.address ?? '';
    for (const surface of ['public', 'team'] as const)
      for (const filter of FILTERS) assert.ok((await walk(stage, inTurn, { surface, filter, limit: 4 })) > 1);
  });

  it('goes on where it was after a restart of the server', async (t) => {
    const stage = await setStage(t);
    let running = openScope();
    t.after(() => running.close());
    const restarted = async () => {
      await running.close();
      running = openScope();
      return (await listenApp(running, stage.workplace)).address;
    };
    const [filter] = FILTERS;
    assert.ok(filter !== undefined);
    assert.equal(await walk(stage, restarted, { surface: 'public', filter, limit: 30 }), 2);
  });
});
