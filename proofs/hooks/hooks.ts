// R65 under kills: every version is announced, none twice but after a kill, none early, and nothing hidden.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { CLAIM_MS } from '../../src/hooks/store/deliveries.ts';
import { until } from '../../support/processes/poll.ts';
import type { Outage } from '../schedule/fleet.ts';
import type { Fleet, Kill } from './fleet.ts';
import type { Instance, Publications } from './publications.ts';
import type { Arrival, Line } from './receiver.ts';

/** A receiver that was killed often is asked again after minutes. */
const ARRIVED_MS_MAX = 600_000;
/** A process that is killed may have sent its last bytes. */
const ON_ITS_WAY_MS = 1_000;

export type Outcome = Readonly<{
  versions: number;
  /** Arrivals that were not the first of their message, by what was killed before. */
  repeats: Readonly<Record<'sender' | 'receiver', number>>;
}>;

type Expected = Readonly<{
  count: number;
  /** How long a message that was on its way is left alone. */
  claimMs?: number;
  /** When the database was down. */
  outages?: readonly Outage[];
}>;

/** Publishes so many versions, and waits a little between them. */
export async function publish({ publishNext }: Publications, count: number, pauseMs: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await publishNext();
    await delay(Math.random() * pauseMs);
  }
}

/** Waits until the messages of all so many versions are noted as sent, and judges what arrived. */
export async function assertAnnounced(
  { query }: Instance,
  { published }: Publications,
  fleet: Fleet,
  { count, claimMs = CLAIM_MS, outages = [] }: Expected,
): Promise<Outcome> {
  await until('every version is public', async () => (await published()).length >= count);
  const expected = await published();
  assert.equal(expected.length, count);
  await fleet.untilArrived(expected, ARRIVED_MS_MAX);
  const pending = `select 1 from hook_deliveries where state in ('pending', 'sending')`;
  await until('everything is noted', async () => (await query(pending)).length === 0, {
    withinMs: ARRIVED_MS_MAX,
    everyMs: 200,
  });
  const noted = new Map(
    (
      await query<{ about: string; state: string; done_at: string }>(
        `select about, state, done_at from hook_deliveries where state <> 'known'`,
      )
    ).map(({ about, ...row }) => [about, row]),
  );
  const lines = fleet.arrivals();
  const arrivals = lines.filter((line) => 'version' in line);
  const wasDown = (at: number) =>
    outages.some(({ from, until }) => from <= at && at <= until + ON_ITS_WAY_MS);
  for (const arrival of arrivals) {
    const { version, problem, isPublic, at } = arrival;
    assert.equal(problem, null, JSON.stringify(arrival));
    assert.ok(expected.includes(version), `${version} was announced, and is not public`);
    assert.ok(isPublic ?? wasDown(at), `${version} was announced early`);
  }
  const repeats = { sender: 0, receiver: 0 };
  for (const [version, own] of Map.groupBy(arrivals, (arrival) => arrival.version)) {
    assert.equal(new Set(own.map(({ id }) => id)).size, 1, `${version} was announced with several ids`);
    const { state, done_at: doneAt } = noted.get(version) ?? assert.fail(`${version} was not noted`);
    assert.equal(state, 'sent', version);
    for (const [index, { at }] of own.entries()) {
      assert.ok(at <= Date.parse(doneAt), `${version} was sent after it was noted as sent`);
      if (index > 0)
        repeats[explain(own[index - 1] as Arrival, at, { lines, kills: fleet.kills, claimMs })]++;
    }
  }
  assert.equal(noted.size, count, 'a version that is not public was noted');
  return { versions: count, repeats };
}

/** Who was killed between two arrivals of one message, so that the first was not noted. */
function explain(
  first: Arrival,
  againAt: number,
  { lines, kills, claimMs }: Readonly<{ lines: readonly Line[]; kills: readonly Kill[]; claimMs: number }>,
): 'sender' | 'receiver' {
  const hasResponse = lines.some(
    (line) => 'responded' in line && line.responded === first.id && line.at >= first.at && line.at <= againAt,
  );
  const isCause = ({ target, pids, at }: Kill) => {
    if (at < first.at - ON_ITS_WAY_MS || at > againAt) return false;
    if (target === 'receiver') return !hasResponse;
    return first.sender === null ? at <= first.at + ON_ITS_WAY_MS : pids.includes(first.sender);
  };
  const afterMs = againAt - first.at;
  const again = `${first.version} was sent again after ${afterMs} ms`;
  // What is killed while a message is held is killed right after it arrived.
  const distance = ({ at }: Kill) => Math.abs(at - first.at);
  const causes = kills.filter(isCause).sort((one, other) => distance(one) - distance(other));
  assert.ok(causes.length > 0, `${again}, and no kill explains it`);
  const cause = causes.find(({ target }) => target === 'receiver' || afterMs >= claimMs);
  assert.ok(cause !== undefined, `${again}, while it was claimed`);
  return cause.target === 'receiver' ? 'receiver' : 'sender';
}

/** As if time had passed: pauses after failures end, and the claims of killed processes, of these messages or of all. */
export async function hurry({ execute }: Instance, ids: readonly string[] | 'all' = []): Promise<void> {
  const isDead = ids === 'all' ? '1 = 1' : `message_id in (${['', ...ids].map((id) => `'${id}'`).join()})`;
  await execute(
    `update hook_deliveries set due_at = '2000-01-01T00:00:00.000Z'
      where (state = 'pending' and failure is not null) or (state = 'sending' and ${isDead})`,
  );
}

export function describeOutcome({ versions, repeats }: Outcome, kills: readonly Kill[]): string {
  const killed = Map.groupBy(kills, ({ target }) => target);
  const counts = [...killed].map(([target, some]) => `${some.length} of a ${target}`).join(', ');
  return [
    `${versions} versions, ${kills.length} kills (${counts}): all announced, none early, nothing hidden`,
    `sent again with the same id: ${repeats.sender} after a kill of the sender, ${repeats.receiver} of the receiver; otherwise 0`,
  ].join('\n');
}
