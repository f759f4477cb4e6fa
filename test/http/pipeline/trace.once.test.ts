import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { parseTraceparent } from '../../../src/http/pipeline/request.ts';
import { PRODUCT_PAGE } from '../../../support/content/pages.ts';
import { PUBLIC_FEED, TEAM_FEED } from '../../../support/content/world.ts';
import { makeUnavailable } from '../../../support/databases/engine.ts';
import { listenApp, startApp } from '../../../support/program/app.ts';
import { exchange } from '../../support/socket.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const TRACEPARENT = `00-${ID}-${SPAN}-01`;
const TRACE = { trace_id: ID, span_id: SPAN, trace_flags: '01' };

/** Each part of the header: its value, and whether the header can be valid with it. */
type Part = readonly (readonly [text: string, isValid: boolean])[];
const VERSIONS: Part = [
  ['00', true],
  ['01', true],
  ['cc', true],
  ['fe', true],
  ['ff', false],
  ['FE', false],
  ['0', false],
  ['000', false],
  ['0g', false],
];
const TRACE_IDS: Part = [
  [ID, true],
  [`${'0'.repeat(31)}1`, true],
  [`1${'0'.repeat(31)}`, true],
  ['0'.repeat(32), false],
  [ID.toUpperCase(), false],
  [ID.slice(1), false],
  [`${ID}0`, false],
  [`${ID.slice(1)}"`, false],
  ['', false],
];
const SPAN_IDS: Part = [
  [SPAN, true],
  [`${'0'.repeat(15)}1`, true],
  ['0'.repeat(16), false],
  [SPAN.toUpperCase(), false],
  [SPAN.slice(1), false],
  [`${SPAN}0`, false],
];
const FLAGS: Part = [
  ['00', true],
  ['01', true],
  ['ff', true],
  ['0', false],
  ['001', false],
  ['0A', false],
  ['', false],
];
/** Version 00 must end here. */
const ENDS: Part = [
  ['', true],
  ['-', true],
  ['-00', true],
  ['-what "the future" will be', true],
  ['.00', false],
  [' ', false],
  ['-00, 00', false],
  [`, ${TRACEPARENT}`, false],
];

describe('traceparent (W3C Trace Context)', () => {
  it('is read if each of its parts is valid, and all of it is ignored otherwise', () => {
    let valid = 0;
    for (const [version, isVersion] of VERSIONS)
      for (const [trace_id, isTraceId] of TRACE_IDS)
        for (const [span_id, isSpanId] of SPAN_IDS)
          for (const [trace_flags, isFlags] of FLAGS)
            for (const [end, isEnd] of ENDS) {
              const text = `${version}-${trace_id}-${span_id}-${trace_flags}${end}`;
              const isValid =
                isVersion && isTraceId && isSpanId && isFlags && isEnd && (version !== '00' || end === '');
              if (isValid) valid++;
              assert.deepEqual(
                parseTraceparent(text),
                isValid ? { trace_id, span_id, trace_flags } : null,
                text,
              );
            }
    assert.equal(valid, 3 * 2 * 3 * (1 + 3 * 4));
    for (const text of ['', '-', TRACEPARENT.replaceAll('-', ' '), ` ${TRACEPARENT}`, `"${TRACEPARENT}"`])
      assert.equal(parseTraceparent(text), null, text);
  });

  describe('in the log', () => {
    const suite = suiteWithWorld();
    let proxied: Awaited<ReturnType<typeof listenApp>>;
    before(async () => {
      proxied = await listenApp(suite.scope, suite.sandbox, { TRUSTED_PROXIES: '127.0.0.1' });
    });
    type Server = Pick<typeof proxied, 'port' | 'logLines'>;

    /** The messages of the request, after checking that all have the same fields of a trace, and that the response has none. */
    async function logged(
      { port, logLines }: Server,
      trace: object,
      ...request: string[]
    ): Promise<string[]> {
      const before = logLines.length;
      const [line, ...headers] = request;
      const text = [`${line} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
      const response = await exchange(port, Buffer.from(text, 'latin1'), { closing: true });
      assert.ok(!response.includes(ID), line);
      return logLines.slice(before).map((each) => {
        const { msg, reqId: _, ...fields } = JSON.parse(each);
        const found = Object.entries(fields).filter(([name]) => /^(?:trace|span)/i.test(name));
        assert.deepEqual(Object.fromEntries(found), trace, each);
        if (found.length === 0) assert.ok(!each.includes(ID), each);
        return msg;
      });
    }

    it('every line about a request from a trusted proxy has its trace', async () => {
      const sent = `TraceParent:  ${TRACEPARENT} `;
      for (const method of ['GET', 'BREW', '{"}'])
        for (const target of [PUBLIC_FEED, PRODUCT_PAGE, TEAM_FEED, '/nothing', '/docs'])
          assert.deepEqual(await logged(proxied, TRACE, `${method} ${target}`, sent), ['request'], target);
      const giveBack = await makeUnavailable(suite.sandbox);
      const authorization = `Authorization: Bearer ${suite.world.full}`;
      const failed = await logged(proxied, TRACE, `GET ${TEAM_FEED}`, authorization, sent);
      await giveBack();
      assert.deepEqual(failed, ['request failed', 'request']);
    });

    it('an invalid one, a second one, or one from anybody else does not appear', async () => {
      const sent = [
        [`traceparent: ${TRACEPARENT.toUpperCase()}`],
        [`traceparent: ${TRACEPARENT}`, `traceparent: ${TRACEPARENT}`],
        [`traceparent: 01${TRACEPARENT.slice(2)}-x`, `traceparent: ${TRACEPARENT}`],
        ['traceparent:'],
        [],
      ];
      for (const headers of sent)
        for (const method of ['GET', 'BREW'])
          assert.equal((await logged(proxied, {}, `${method} ${PUBLIC_FEED}`, ...headers)).length, 1);
      const direct = await listenApp(suite.scope, suite.sandbox);
      for (const method of ['GET', 'BREW'])
        await logged(direct, {}, `${method} ${PUBLIC_FEED}`, `traceparent: ${TRACEPARENT}`);
      const { app, logLines } = await startApp(suite.scope, suite.sandbox, { TRUSTED_PROXIES: '10.0.0.0/8' });
      const traced = async (remoteAddress: string, forwarded: string) => {
        const headers = { traceparent: TRACEPARENT, 'x-forwarded-for': forwarded };
        await app.inject({ url: PUBLIC_FEED, remoteAddress, headers });
        return JSON.parse(logLines.at(-1) ?? '{}').trace_id;
      };
      assert.equal(await traced('10.1.2.3', '192.0.2.1'), ID);
      assert.equal(await traced('192.0.2.1', '10.1.2.3'), undefined);
    });
  });
});
