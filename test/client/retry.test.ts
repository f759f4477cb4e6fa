// Retries, timeouts and aborts.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ChangelogClient, type ChangelogClientOptions, ChangelogError } from '../../client/index.js';
import { type StandInAnswer, startStandIn } from './stand-in.ts';

const EMPTY: StandInAnswer = { body: { data: { versions: [] } } };

function open(baseUrl: string, options: Partial<ChangelogClientOptions> = {}): ChangelogClient {
  return new ChangelogClient({ baseUrl, team: 'acme', product: 'rocket', ...options });
}

function busy(status: number, retryAfter?: string): StandInAnswer {
  return {
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    body: { error: { code: status === 429 ? 'rate_limited' : 'unavailable', message: 'Later.' } },
  };
}

/** The part of a second that retries wait longer. */
function withJitter(t: TestContext, fraction: number): void {
  t.mock.method(Math, 'random', () => fraction);
}

/** A `fetch` that gives these answers in turn, with no socket and thus no timer of its own. */
function answering(...answers: StandInAnswer[]) {
  const state = { asked: 0 };
  const fetch = async () => {
    const { status = 200, headers = {}, body } = answers[state.asked++] ?? assert.fail('asked too often');
    return new Response(JSON.stringify(body), { status, headers });
  };
  return { fetch, state };
}

describe('retry', () => {
  it('the client does not retry by default', async (t) => {
    const { address, requests } = await startStandIn(t, () => busy(429, '0'));
    await assert.rejects(open(address).feed(), isCode('rate_limited'));
    await assert.rejects(open(address, { retry: false }).feed(), isCode('rate_limited'));
    assert.equal(requests.length, 2);
  });

  it('the client retries after 429 and 503 when Retry-After has passed, in seconds or as a date', async (t) => {
    withJitter(t, 0);
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse('2026-01-01T00:00:00Z') });
    const { fetch, state } = answering(busy(429, '7'), busy(503, 'Thu, 01 Jan 2026 00:00:10 GMT'), EMPTY);
    const reading = open('https://example.com', { retry: true, fetch }).feed();
    for (const [ms, asked] of [
      [6_999, 1],
      [1, 2],
      [2_999, 2],
      [1, 3],
    ] as const) {
      await setImmediate();
      t.mock.timers.tick(ms);
      await setImmediate();
      assert.equal(state.asked, asked);
    }
    assert.deepEqual((await reading).versions, []);
  });

  it('a retry waits a random part of a second longer than Retry-After', async (t) => {
    withJitter(t, 0.25);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { fetch, state } = answering(busy(503, '1'), busy(503, '0'), EMPTY);
    const reading = open('https://example.com', { retry: true, fetch }).feed();
    for (const [ms, asked] of [
      [1_249, 1],
      [1, 2],
      [249, 2],
      [1, 3],
    ] as const) {
      await setImmediate();
      t.mock.timers.tick(ms);
      await setImmediate();
      assert.equal(state.asked, asked);
    }
    await reading;
  });

  it('the random part never exceeds waitSecondsMax, nor fails a call that Retry-After allows', async (t) => {
    withJitter(t, 0.9);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { fetch, state } = answering(busy(503, '2'), EMPTY);
    const reading = open('https://example.com', { retry: { waitSecondsMax: 2.5 }, fetch }).feed();
    await setImmediate();
    t.mock.timers.tick(2_499);
    await setImmediate();
    assert.equal(state.asked, 1);
    t.mock.timers.tick(1);
    await reading;
  });

  it('a wait that no timer can take is not cut short', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { fetch, state } = answering(busy(503, '9999999'));
    const { controller } = watchedController();
    const retry = { waitSecondsMax: Number.POSITIVE_INFINITY };
    const reading = open('https://example.com', { retry, fetch }).feed({}, controller);
    await setImmediate();
    t.mock.timers.tick(86_400_000);
    await setImmediate();
    assert.equal(state.asked, 1);
    controller.abort(new Error('enough'));
    await assert.rejects(reading, { message: 'enough' });
  });

  it('a Retry-After date in the past causes no wait', async () => {
    const { fetch } = answering(busy(503, 'Thu, 01 Jan 2026 00:00:00 GMT'));
    await assert.rejects(open('https://example.com', { fetch }).feed(), { retryAfterSeconds: 0 });
  });

  it('the client retries over a real socket, whatever a proxy responds', async (t) => {
    withJitter(t, 0);
    const { address } = await startStandIn(t, (_, count) =>
      count < 3 ? { status: 503, headers: { 'retry-after': '0' }, body: '<h1>Busy</h1>' } : EMPTY,
    );
    assert.deepEqual((await open(address, { retry: true }).feed()).versions, []);
  });

  it('the client gives up after three attempts, or attemptsMax', async (t) => {
    withJitter(t, 0);
    const { address, requests } = await startStandIn(t, () => busy(503, '0'));
    await assert.rejects(open(address, { retry: true }).feed(), isCode('unavailable'));
    assert.equal(requests.length, 3);
    await assert.rejects(open(address, { retry: { attemptsMax: 5 } }).feed(), isCode('unavailable'));
    assert.equal(requests.length, 8);
  });

  it('the client fails immediately if the wait would be too long', async () => {
    const { fetch, state } = answering(busy(429, '61'), busy(429, '1'));
    await assert.rejects(open('https://example.com', { retry: true, fetch }).feed(), (error) => {
      assert.ok(error instanceof ChangelogError);
      assert.equal(error.retryAfterSeconds, 61);
      return true;
    });
    const retry = { waitSecondsMax: 0.5 };
    await assert.rejects(open('https://example.com', { retry, fetch }).feed(), isCode('rate_limited'));
    assert.equal(state.asked, 2);
  });

  it('all waits of a call count together', async (t) => {
    withJitter(t, 0);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { fetch, state } = answering(busy(429, '40'), busy(429, '21'));
    const reading = open('https://example.com', { retry: true, fetch }).feed();
    await setImmediate();
    t.mock.timers.tick(40_000);
    await assert.rejects(reading, isCode('rate_limited'));
    assert.equal(state.asked, 2);
  });

  it('other errors, and those without Retry-After, are not retried', async (t) => {
    for (const answer of [busy(500, '0'), busy(503), busy(429, 'soon')]) {
      const { address, requests } = await startStandIn(t, () => answer);
      await assert.rejects(open(address, { retry: true }).feed(), ChangelogError);
      assert.equal(requests.length, 1);
    }
  });

  it('a retry can be aborted while it waits', async () => {
    const { fetch, state } = answering(busy(429, '50'));
    const { controller, waits } = watchedController();
    const reading = open('https://example.com', { retry: true, fetch }).feed({}, controller);
    await waits.until(2);
    controller.abort(new Error('enough'));
    await assert.rejects(reading, { name: 'Error', message: 'enough' });
    assert.equal(state.asked, 1);
  });

  it('a retry can be aborted just before the wait begins', async () => {
    const controller = new AbortController();
    const { fetch, state } = answering(busy(429, '50'));
    const abortingFetch = async () => {
      const response = await fetch();
      const body = await response.text();
      const text = async () => {
        controller.abort(new Error('enough'));
        return body;
      };
      return Object.assign(response, { text });
    };
    const client = open('https://example.com', { retry: true, fetch: abortingFetch });
    await assert.rejects(client.feed({}, controller), { name: 'Error', message: 'enough' });
    assert.equal(state.asked, 1);
  });

  it('a retry leaves no listener on the signal', async (t) => {
    withJitter(t, 0);
    const { fetch } = answering(busy(503, '0'), EMPTY);
    const { controller, waits } = watchedController();
    await open('https://example.com', { retry: true, fetch }).feed({}, controller);
    await waits.until(3);
    assert.equal(waits.listeners, 0);
  });
});

describe('timeout', () => {
  const never = () => new Promise<Response>(() => {});

  it('an attempt ends after timeoutSeconds, whether the head or the body is late', async (t) => {
    const { address } = await startStandIn(t, () => ({ body: '{"data":', isCut: true }));
    for (const options of [{}, { fetch: never }]) {
      const client = open(address, { timeoutSeconds: 0.05, retry: true, ...options });
      await assert.rejects(client.feed(), (error) => {
        assert.ok(error instanceof ChangelogError && error.is('timeout'), String(error));
        assert.equal(error.status, 0);
        assert.match(String(error.url), /changelog$/);
        assert.match(
          error.message,
          /changelog took longer than 0\.05 s; try again later, or raise timeoutSeconds\.$/,
        );
        return true;
      });
    }
  });

  it('the default is 10 seconds for each attempt', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const reading = open('https://example.com', { fetch: never }).feed();
    t.mock.timers.tick(9_999);
    const isSettled = await Promise.race([reading.catch(() => true), setImmediate(false)]);
    assert.equal(isSettled, false);
    t.mock.timers.tick(1);
    await assert.rejects(reading, isCode('timeout'));
  });

  it('a late fetch is stopped', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const fetch = (_: string, { signal }: RequestInit) => {
      signal?.addEventListener('abort', () => resolve());
      return never();
    };
    await assert.rejects(
      open('https://example.com', { timeoutSeconds: 0.01, fetch }).feed(),
      isCode('timeout'),
    );
    await promise;
  });

  it('0, Infinity and what no timer can wait for are no limit', async (t) => {
    for (const timeoutSeconds of [0, Number.POSITIVE_INFINITY, 1e9]) {
      const { address } = await startStandIn(t, () => EMPTY);
      assert.deepEqual((await open(address, { timeoutSeconds }).feed()).versions, []);
    }
  });

  it('no timer and no listener is left after a call, whatever its result', async (t) => {
    const set = t.mock.method(globalThis, 'setTimeout');
    const clear = t.mock.method(globalThis, 'clearTimeout');
    for (const answer of [EMPTY, busy(500)]) {
      const { controller, waits } = watchedController();
      const { fetch } = answering(answer);
      await open('https://example.com', { fetch })
        .feed({}, controller)
        .catch(() => {});
      assert.equal(waits.listeners, 0);
    }
    const timers = set.mock.calls.map(({ result }) => result);
    assert.equal(timers.length, 2);
    const cleared = clear.mock.calls.map(({ arguments: [timer] }) => timer);
    for (const timer of timers) assert.ok(cleared.some((other) => other === timer));
  });
});

describe('abort', () => {
  it('an aborted call rejects with the reason of the signal', async (t) => {
    const controller = new AbortController();
    const { address, requests } = await startStandIn(t, () => {
      controller.abort(new RangeError('left the page'));
      return EMPTY;
    });
    const client = open(address);
    const { signal } = controller;
    await assert.rejects(client.feed({}, { signal }), { name: 'RangeError', message: 'left the page' });
    for (const read of [
      () => client.latest({ signal }),
      () => client.version('1.0.0', { signal }),
      () => client.changesBetween('1.0.0', null, { signal }),
      () => client.checkForUpdate('1.0.0', { signal }),
      () => client.pages({}, { signal }).next(),
      () => client.versions({}, { signal }).next(),
    ]) {
      await assert.rejects(read(), { name: 'RangeError', message: 'left the page' });
    }
    assert.equal(requests.length, 1);
    await assert.rejects(client.feed({}, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  });
});

/** Says when somebody listened to its signal so many times, and how many still do. */
function watchedController() {
  const controller = new AbortController();
  const { signal } = controller;
  const waits = { listeners: 0, added: 0, until };
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    add(...args);
    waits.listeners++;
    waits.added++;
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    remove(...args);
    waits.listeners--;
  };
  async function until(count: number) {
    while (waits.added < count) await setImmediate();
  }
  return { controller, waits };
}

function isCode(code: string) {
  return (error: unknown) => error instanceof ChangelogError && error.code === code;
}
