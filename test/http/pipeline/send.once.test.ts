// How responses are sent, including some that no stage would make.
import assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import inject from 'light-my-request';
import { collectLines } from '../../../cluster/lines.ts';
import { ApiError } from '../../../src/errors.ts';
import { Exchange, type Stage, startStages } from '../../../src/http/pipeline/exchange.ts';
import { createSend, createSendError, jsonError, type Send } from '../../../src/http/pipeline/send.ts';
import { createLog } from '../../../src/http/telemetry/log.ts';

function serving(stagesOf: (send: Send) => Stage[]) {
  const lines = collectLines();
  const log = createLog('info', { write: lines.add });
  const sent: number[] = [];
  const send = createSend(log, [(_exchange, status) => sent.push(status)]);
  const sendError = createSendError(log, send, (_path, error) => jsonError(error));
  const handle: RequestListener = (request: IncomingMessage, response: ServerResponse) => {
    const exchange = new Exchange('id', request, response);
    startStages(stagesOf(send), exchange, sendError);
  };
  return { ask: () => inject(handle, '/'), handle, lines, sent };
}

const BUSY = new ApiError('unavailable', { cause: new Error('busy') });

describe('a response', () => {
  it('a response is sent once, whatever fails afterwards', async () => {
    const { ask, sent } = serving((send) => [
      (exchange) => {
        send(exchange, 200, 'first');
        throw new Error('too late');
      },
    ]);
    const { statusCode, body } = await ask();
    assert.deepEqual([statusCode, body, sent], [200, 'first', [200]]);
  });

  it('a response is a 500 if a stage throws, synchronously or later', async () => {
    const stages: Stage[] = [
      () => {
        throw new Error('a secret');
      },
      () => Promise.reject(new Error('a secret')),
    ];
    for (const stage of stages) {
      const { ask, lines } = serving(() => [stage]);
      const { statusCode, body } = await ask();
      assert.equal(statusCode, 500);
      assert.doesNotMatch(body, /secret/);
      assert.match(lines.all.join(), /"msg":"request failed"/);
    }
  });

  it('a 503 asks clients to retry in 1, 2 or 3 seconds, at random', async () => {
    const { ask } = serving(() => [() => BUSY]);
    const responses = await Promise.all(Array.from({ length: 200 }, ask));
    const seconds = responses.map(({ headers }) => headers['retry-after']);
    assert.deepEqual([...new Set(seconds)].sort(), ['1', '2', '3']);
  });

  it('a response that cannot be sent is a 500 and is logged', async () => {
    const broken = serving((send) => [
      (exchange) => {
        exchange.head.push('x-broken', 'a\nb');
        send(exchange, 200, 'never');
        return undefined;
      },
    ]);
    const { statusCode, headers } = await broken.ask();
    assert.deepEqual([statusCode, headers['x-request-id'], broken.sent], [500, 'id', [500]]);
    assert.match(broken.lines.all.join(), /"msg":"response not sent"/);
  });
});

describe('responses to simultaneous requests', () => {
  it('all of 100 simultaneous requests get their response', async () => {
    const { ask, sent } = serving((send) => [
      (exchange) => {
        send(exchange, 200, 'x');
        return undefined;
      },
    ]);
    const responses = await Promise.all(Array.from({ length: 100 }, ask));
    assert.ok(responses.every(({ statusCode, body }) => statusCode === 200 && body === 'x'));
    assert.equal(sent.length, 100);
  });
});
