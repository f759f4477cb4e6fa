// Long responses: each client waits for its own slot (R52), work stops when nobody waits, and a body too large to keep
// is written again while it is sent.
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { CollectedBody, ContentChanged, type WriteBody } from '../../../src/http/cache/body.ts';
import type { Representation } from '../../../src/http/cache/make-response.ts';
import { createResponses } from '../../../src/http/cache/respond.ts';
import { createResponseCache } from '../../../src/http/cache/response-cache.ts';
import { ClientGone } from '../../../src/http/pipeline/exchange.ts';
import { createCounts } from '../../../src/http/telemetry/counts.ts';
import type { Reader } from '../../../src/store/engine/engine.ts';
import { DatabaseUnreachable } from '../../../src/store/engine/failures.ts';
import { fakeSource, productTouch } from '../../support/source.ts';
import { fakeClient } from './fake-response.ts';

const ORIGIN = { teamId: 1, productId: 1 };

async function settle(): Promise<void> {
  for (let round = 0; round < 20; round++) await nextTick();
}

function responding() {
  const { state, source, touch } = fakeSource((query) => query({} as Reader));
  const cache = createResponseCache(64 * 1024 * 1024);
  const responses = createResponses(source, cache, createCounts().responses);
  const reads: string[] = [];
  return {
    state,
    touch,
    cache,
    reads,
    /** A client's request, which can hang up. `isLong` is known before the rows are, or is part of what is found. */
    ask: (
      client: string,
      key: string,
      text: Representation['text'],
      { isLong = true, turnsOutLong = false, writtenAt = 1, headers = {}, method = 'GET' }: AskOptions = {},
    ) => {
      const exchange = fakeClient(client, headers, method);
      const response = responses.respond(exchange, {
        key,
        surface: 'public',
        kind: { cacheControl: 'private', contentType: 'text/plain', cdn: null },
        isLong,
        encoding: null,
        find: () => {
          reads.push(`${client} ${key}`);
          return {
            revision: state.revision,
            found: { text, isLong: turnsOutLong, origin: ORIGIN, writtenAt },
          };
        },
      });
      return {
        response,
        client: exchange.response,
        hangUp: exchange.response.hangUp,
        closeSide: () => {
          exchange.socket.readableEnded = true;
        },
        isSent: () => exchange.response.emit('finish'),
      };
    },
  };
}

type AskOptions = {
  isLong?: boolean;
  turnsOutLong?: boolean;
  writtenAt?: number;
  headers?: IncomingHttpHeaders;
  method?: string;
};

/** A text written one part at a time, when the test allows it; `parts` counts them. */
function slowText(text = 'text', partsMax = 3) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let parts = 0;
  const write: WriteBody = async (out, read) => {
    for (let part = 0; part < partsMax; part++) {
      await promise;
      await read(() => parts++);
      await out.add(text);
    }
  };
  return { write, finish: resolve, parts: () => parts };
}

const bodyOf = async (response: Promise<{ body: unknown } | null>) => String((await response)?.body);

describe('a slot for a long response', () => {
  it('a client has two, and reads nothing before it has one (R52)', async () => {
    const { ask, reads } = responding();
    const texts = Array.from({ length: 5 }, (_, number) => slowText(`${number}`));
    const asked = texts.map(({ write }, number) => ask('one', `/${number}`, write));
    await settle();
    assert.deepEqual(reads, ['one /0', 'one /1']);
    assert.equal(await bodyOf(ask('other', '/other', 'other').response), 'other');
    assert.equal(await bodyOf(ask('one', '/short', 'short', { isLong: false }).response), 'short');
    for (const { finish } of texts) finish();
    for (const [number, { response, isSent }] of asked.entries()) {
      assert.equal(await bodyOf(response), `${number}`.repeat(3));
      isSent();
    }
  });

  it('a client never waits for the slot of another client that requested the same response', async () => {
    const { ask, reads } = responding();
    const texts = [slowText(), slowText()];
    const running = texts.map(({ write }, number) => ask('one', `/${number}`, write));
    await settle();
    const waiting = ask('one', '/both', 'both');
    await settle();
    assert.equal(await bodyOf(ask('other', '/both', 'both').response), 'both');
    assert.deepEqual(reads.slice(2), ['other /both']);
    for (const { finish } of texts) finish();
    for (const { response, isSent } of running) {
      await response;
      isSent();
    }
    assert.equal(await bodyOf(waiting.response), 'both');
    assert.deepEqual(reads.slice(3), [], 'the response of the other client is cached');
  });

  it('if one client fails to get a slot, others do not fail with it', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { ask } = responding();
    const texts = [slowText(), slowText(), slowText()];
    for (const [number, { write }] of texts.slice(0, 2).entries()) ask('one', `/${number}`, write);
    const refused = ask('one', '/both', 'both');
    const refusal = assert.rejects(refused.response, { code: 'unavailable' });
    await settle();
    const shared = texts[2] as ReturnType<typeof slowText>;
    const other = ask('other', '/both', shared.write);
    await settle();
    t.mock.timers.tick(1_500);
    await refusal;
    for (const { finish } of texts) finish();
    assert.equal(await bodyOf(other.response), 'texttexttext');
  });

  it('requests share a response that is being made, whoever has the slot', async () => {
    const { ask, reads } = responding();
    const { write, finish } = slowText();
    const asked = [ask('one', '/both', write), ask('other', '/both', write)];
    await settle();
    asked.push(ask('third', '/both', write));
    finish();
    for (const { response } of asked) assert.equal(await bodyOf(response), 'texttexttext');
    assert.equal(reads.length, 1);
  });

  it('requests of one client for the same response take one place in the queue', async () => {
    const { ask, reads } = responding();
    const asked = Array.from({ length: 500 }, () => ask('one', '/same', 'same'));
    for (const { response } of asked) assert.equal(await bodyOf(response), 'same');
    assert.equal(reads.length, 1);
  });

  it('a response that turns out to be long needs one, and a short response at the same path does not', async () => {
    const { ask, reads } = responding();
    const texts = Array.from({ length: 3 }, () => slowText());
    const asked = texts.map(({ write }, number) =>
      ask('one', `/${number}`, write, { isLong: false, turnsOutLong: true }),
    );
    await settle();
    // Each was found to be long at once; only two were reread to be written.
    assert.deepEqual(reads.slice(3), ['one /0', 'one /1']);
    assert.equal(await bodyOf(ask('one', '/short', 'short', { isLong: false }).response), 'short');
    for (const { finish } of texts) finish();
    for (const { response, isSent } of asked) {
      assert.equal(await bodyOf(response), 'texttexttext');
      isSent();
    }
  });
});

describe('a client that hangs up', () => {
  it('its response is not written any further', async () => {
    const { ask, cache } = responding();
    const { write, finish, parts } = slowText();
    const { response, hangUp } = ask('one', '/a', write);
    await settle();
    hangUp();
    finish();
    await assert.rejects(response, ClientGone);
    assert.equal(parts(), 0);
    assert.equal(cache.size().responses, 0);
  });

  it('its slot is freed, and nothing is read for it if it was still waiting for one', async () => {
    const { ask, reads } = responding();
    const texts = Array.from({ length: 4 }, () => slowText());
    const asked = texts.map(({ write }, number) => ask('one', `/${number}`, write));
    await settle();
    for (const number of [0, 2]) asked[number]?.hangUp();
    for (const number of [0, 2]) {
      texts[number]?.finish();
      await assert.rejects(asked[number]?.response as Promise<unknown>, ClientGone);
    }
    await settle();
    assert.deepEqual(reads, ['one /0', 'one /1', 'one /3']);
  });

  it('a client that closed only its own side gets a response with few parts, and none with many', async () => {
    const { ask } = responding();
    for (const partsMax of [3, 1_000]) {
      const { write, finish, parts } = slowText('text', partsMax);
      const { response, closeSide } = ask('one', `/${partsMax}`, write);
      await settle();
      closeSide();
      finish();
      if (partsMax === 3) assert.equal(await bodyOf(response), 'texttexttext');
      else await assert.rejects(response, ClientGone);
      assert.ok(parts() <= 20, `${parts()} parts`);
    }
  });

  it('others waiting for the same response get it', async () => {
    const { ask, reads } = responding();
    const { write, finish, parts } = slowText();
    const first = ask('one', '/a', write);
    await settle();
    const second = ask('other', '/a', write);
    first.hangUp();
    finish();
    assert.equal(await bodyOf(second.response), 'texttexttext');
    assert.equal(parts(), 3);
    assert.equal(reads.length, 1);
  });

  it('a client that requests the response after all others hung up gets it', async () => {
    const { ask } = responding();
    const { write, finish } = slowText();
    const first = ask('one', '/a', write);
    await settle();
    first.hangUp();
    const second = ask('other', '/a', write);
    finish();
    assert.equal(await bodyOf(second.response), 'texttexttext');
  });
});

/** More than is kept, in parts of 1 MiB. */
const PARTS = 20;
const PART = 'x'.repeat(1_048_576);
const BYTES = PARTS * PART.length;

const largeText =
  (text = () => PART): WriteBody =>
  async (out, read) => {
    for (let part = 0; part < PARTS; part++) await out.add(await read(text));
  };

async function streamOf(asked: Promise<{ body: unknown } | null>): Promise<CollectedBody> {
  const body = (await asked)?.body;
  assert.ok(body instanceof CollectedBody);
  return body;
}

describe('a response of more than 16 MiB', () => {
  it('is written once for each client, and always has the same ETag', async () => {
    const { ask, cache, reads } = responding();
    const asked = ['one', 'two', 'three'].map((client) => ask(client, '/a', largeText()));
    const last = ask('four', '/a', largeText());
    const etags = new Set<string | undefined>();
    for (const { response, client } of [...asked, last]) {
      const body = await streamOf(response);
      await body.sendTo(client);
      assert.equal(client.bytes(), BYTES);
      assert.ok(client.isEnded());
      etags.add((await response)?.etag);
      client.emit('finish');
    }
    assert.equal(etags.size, 1);
    assert.equal(reads.length, 4);
    assert.ok(cache.size().bytes < 10_000);
  });

  it('has another ETag after a write, whatever its first part is', async () => {
    const { ask, touch } = responding();
    const etags = new Set<string | undefined>();
    for (const writtenAt of [1, 2]) {
      const { response } = ask(`${writtenAt}`, '/a', largeText(), { writtenAt });
      etags.add((await response)?.etag);
      (await streamOf(response)).cancel();
      touch([productTouch(1, 1)]);
    }
    assert.equal(etags.size, 2);
  });

  it('is not written for HEAD, for a 304 or a 412, once its ETag is known', async () => {
    const { ask, reads } = responding();
    const first = ask('one', '/a', largeText());
    const etag = String((await first.response)?.etag);
    await (await streamOf(first.response)).sendTo(first.client);
    for (const options of [
      { method: 'HEAD' },
      { headers: { 'if-none-match': etag } },
      { headers: { 'if-match': '"x"' } },
    ])
      assert.equal((await ask('one', '/a', largeText(), options).response)?.etag, etag);
    assert.equal(reads.length, 1);
  });

  it('is written no further if its client needs only its head', async () => {
    const { ask } = responding();
    let parts = 0;
    const counted = largeText(() => {
      parts++;
      return PART;
    });
    await ask('one', '/a', counted, { method: 'HEAD' }).response;
    await settle();
    assert.equal(parts, 17);
  });

  it('is written only as fast as its client reads', async () => {
    const { ask } = responding();
    let parts = 0;
    const counted = largeText(() => {
      parts++;
      return PART;
    });
    const { response, client } = ask('one', '/a', counted);
    const body = await streamOf(response);
    client.fill();
    const sending = body.sendTo(client);
    await settle();
    assert.ok(parts <= 18, `${parts} parts`);
    client.drain();
    await sending;
    assert.equal(client.bytes(), BYTES);
  });

  it('stops being written when its client hangs up', async () => {
    const { ask } = responding();
    let parts = 0;
    const counted = largeText(() => {
      parts++;
      return PART;
    });
    const { response, client, hangUp } = ask('one', '/a', counted);
    const body = await streamOf(response);
    client.fill();
    const sending = body.sendTo(client);
    await settle();
    hangUp();
    await assert.rejects(sending, ClientGone);
    assert.ok(parts <= 18, `${parts} parts`);
    assert.ok(!client.isEnded());
  });

  it('never reaches its last byte if its content changes meanwhile', async () => {
    for (const change of ['a touch', 'another state']) {
      const { ask, touch } = responding();
      let parts = 0;
      const { response, client } = ask(
        'one',
        '/a',
        largeText(() => {
          parts++;
          if (change === 'another state' && parts === 19) throw new ContentChanged();
          if (change === 'a touch' && parts === 20) touch([productTouch(1, 1)]);
          return PART;
        }),
      );
      const body = await streamOf(response);
      await assert.rejects(body.sendTo(client), ContentChanged);
      assert.ok(!client.isEnded());
      assert.ok(client.bytes() < BYTES, change);
    }
  });

  it('takes a slot until it is sent, even if its ETag is known', async () => {
    const { ask } = responding();
    const asked = [ask('one', '/a', largeText()), ask('one', '/a', largeText())];
    for (const { response } of asked) await response;
    const third = ask('one', '/a', largeText());
    const isMade = third.response.then(() => true);
    assert.equal(await Promise.race([isMade, settle().then(() => false)]), false);
    asked[1]?.isSent();
    assert.equal(await isMade, true);
  });

  it('is not served from the cache while the database is down, and is written again after a write', async () => {
    const { ask, state, touch, reads } = responding();
    await ask('one', '/a', largeText()).response;
    state.isConfirmed = false;
    const failing: WriteBody = () => Promise.reject(new DatabaseUnreachable('connection refused'));
    await assert.rejects(ask('two', '/a', failing).response, DatabaseUnreachable);
    state.isConfirmed = true;
    touch([productTouch(1, 1)]);
    await ask('three', '/a', largeText()).response;
    assert.equal(reads.length, 3);
  });
});
