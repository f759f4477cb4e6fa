// What `hook list`, `hook test` and `hook announce` print, send and write (R65).
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { execute, query } from '../../../../support/databases/engine.ts';
import { apply, run, runOk } from '../../../../support/program/command.ts';
import { documentOf, expectFailure, runJson } from '../../helpers.ts';
import { labelsOf, SECRET, sandboxWithHooks } from '../../hooks/receiver.ts';

const PAST = '2020-01-01T00:00:00.000Z';
/** More than a read finds at once. */
const CHANGES = 30;
const FUTURE = '2999-01-01T00:00:00.000Z';
const announce = (label: string, ...flags: string[]) => ['hook', 'announce', 'acme/rocket', label, ...flags];

const ADVICE = '`changelog hook announce TEAM/PRODUCT VERSION --hook NAME` announces one now.\n';

type Listed = {
  name: string;
  state: string;
  lastAt: string | null;
  setUpAt: string | null;
  tooOld: unknown;
};

describe('hook', () => {
  const { sandbox, take, respondWith } = sandboxWithHooks(`
  - { name: site, kind: webhook, url: URL/site, secret: "\${SECRET}" }
  - { name: chat, kind: slack, url: URL/chat, only: { breaking: true } }
  - { name: edge, kind: purge-varnish, url: URL/edge, secret: token }
`);
  before(() =>
    apply(
      sandbox,
      documentOf([
        {
          id: 'ver_2',
          version: '2.0.0',
          title: 'Two',
          status: 'published',
          publishedAt: PAST,
          changes: [{ type: 'changed', text: 'Everything', breaking: true }],
        },
        {
          id: 'ver_1',
          version: '1.0.0',
          title: 'One',
          status: 'published',
          publishedAt: PAST,
          changes: Array.from({ length: CHANGES }, (_, nth) => ({ type: 'added', text: `Change ${nth}` })),
        },
        { id: 'ver_3', version: '3.0.0', title: 'Draft' },
      ]),
    ),
  );
  beforeEach(async () => {
    respondWith(204);
    take();
    await execute(sandbox, 'delete from hook_deliveries');
  });
  const deliveries = () =>
    query(
      sandbox,
      `select hook, about, state, message_id, failure from hook_deliveries
        where kind = 'announcement' and state <> 'known' order by hook`,
    );
  const setUp = async () => {
    await execute(
      sandbox,
      `insert into hook_deliveries (hook, kind, about, state, revision, due_at, done_at)
        select h.name, 'watch', '', 'known', value, '${PAST}', '${PAST}' from revision, (
          select 'site' as name union select 'chat' union select 'edge' union select 'removed') h`,
    );
    await execute(
      sandbox,
      `insert into hook_deliveries (hook, kind, about, state, due_at)
        values ('chat', 'announcement', 'ver_2', 'known', '${PAST}')`,
    );
  };
  const insert = (version: string, state: string, rest = `'msg_old', 0, '${PAST}', null, null`) =>
    execute(
      sandbox,
      `insert into hook_deliveries (hook, kind, about, state, message_id, attempts, due_at, done_at, failure)
        values ('site', 'announcement', '${version}', '${state}', ${rest})`,
    );

  const purge = (state: string, rest: string) =>
    execute(
      sandbox,
      `insert into hook_deliveries (hook, kind, about, state, due_at, done_at, failure)
        values ('edge', 'purge', '3/1', '${state}', ${rest})`,
    );

  describe('list', () => {
    const listed = async () =>
      Object.fromEntries(
        (await runJson<Listed[]>(sandbox, ['hook', 'list'])).map((each) => [each.name, each]),
      );

    it('says which hooks no server has seen yet', async () => {
      const { stdout, stderr } = await run(sandbox, ['hook', 'list']);
      assert.match(stdout, /^NAME +KIND +STATE +ANNOUNCED +WAITING +GIVEN UP +NEXT AT +LAST AT +FAILURE$/m);
      assert.match(stdout, /^chat +slack +not set up +- +- +- +- +- +-$/m);
      assert.match(stderr, /^Hooks that are not set up, .*changelog publish-due/);
    });

    it('says what was announced, what waits and why, and what was given up with what to do', async () => {
      await setUp();
      await insert('ver_1', 'sent', `'msg_1', 1, '${PAST}', '2020-01-02T00:00:00.000Z', null`);
      await insert('ver_gone', 'sent', `'msg_0', 1, '${PAST}', '${PAST}', null`);
      await insert('ver_2', 'pending', `'msg_2', 3, '${FUTURE}', null, 'HTTP 503'`);
      await insert('ver_3', 'given_up', `'msg_3', 11, '${PAST}', '${PAST}', 'HTTP 404'`);
      await purge('sent', `'${PAST}', '${PAST}', null`);
      const { stdout, stderr } = await run(sandbox, ['hook', 'list']);
      assert.match(
        stdout,
        new RegExp(
          `^site +webhook +retrying +2 +1 +1 +${FUTURE} +2020-01-02T\\S+ +HTTP 503 acme/rocket 2\\.0\\.0$`,
          'm',
        ),
      );
      assert.match(stdout, new RegExp(`^edge +purge-varnish +up to date .* ${PAST} +-$`, 'm'));
      assert.equal(stderr, `Given up by site: acme/rocket 3.0.0 (HTTP 404).\n${ADVICE}`);
      assert.doesNotMatch(stdout, /removed|127\.0\.0\.1|token/);
      assert.deepEqual((await listed()).site, {
        name: 'site',
        kind: 'webhook',
        setUpAt: PAST,
        announced: 2,
        waiting: 1,
        givenUp: 1,
        nextAt: FUTURE,
        state: 'retrying',
        lastAt: '2020-01-02T00:00:00.000Z',
        failure: { reason: 'HTTP 503', version: 'acme/rocket 2.0.0' },
        tooOld: [],
      });
    });

    it('names the newest versions that became public with a date too old to announce', async (t) => {
      // What is public by then is not new.
      await runOk(sandbox, ['publish-due']);
      assert.deepEqual((await listed()).site?.tooOld, []);
      const day = (nth: number) => `2021-01-0${nth}T00:00:00.000Z`;
      const old = Array.from({ length: 7 }, (_, nth) => ({
        id: `ver_old${nth + 1}`,
        version: `0.${nth + 1}.0`,
        title: 'Old',
        status: 'published',
        publishedAt: day(nth + 1),
        changes: nth === 2 ? [{ type: 'changed', text: 'Everything', breaking: true }] : [],
      }));
      await apply(sandbox, documentOf(old));
      t.after(() => execute(sandbox, `delete from versions where id like 'ver_old%'`));
      await runOk(sandbox, ['publish-due']);
      assert.deepEqual(
        take().filter(({ path }) => path !== '/edge'),
        [],
      );
      const named = (version: string) => ({ team: 'acme', product: 'rocket', version });
      const { site, chat, edge } = await listed();
      assert.deepEqual(site?.tooOld, ['0.7.0', '0.6.0', '0.5.0', '0.4.0', '0.3.0'].map(named));
      assert.deepEqual([chat?.tooOld, edge?.tooOld], [[named('0.3.0')], null]);
      const { stderr } = await run(sandbox, ['hook', 'list']);
      assert.match(
        stderr,
        /^Not announced by chat, because older than maxAgeHours: acme\/rocket 0\.3\.0\.$/m,
      );
      await runOk(sandbox, announce('0.3.0', '--hook', 'chat'));
      assert.deepEqual((await listed()).chat?.tooOld, []);
    });

    it('a hook is behind after a write, or if something is due; a purge hook that failed says why', async () => {
      await setUp();
      await purge('pending', `'${FUTURE}', null, 'HTTP 500'`);
      const states = async () => Object.values(await listed()).map(({ name, state }) => `${name}: ${state}`);
      assert.deepEqual(await states(), ['site: up to date', 'chat: up to date', 'edge: retrying']);
      await insert('ver_1', 'pending');
      assert.deepEqual(await states(), ['site: behind', 'chat: up to date', 'edge: retrying']);
      await execute(
        sandbox,
        `update hook_deliveries set state = 'sending', due_at = '${FUTURE}' where about = 'ver_1'`,
      );
      assert.equal((await states())[0], 'site: behind', 'it is being sent');
      await execute(sandbox, `update hook_deliveries set about = 'ver_3' where about = 'ver_1'`);
      assert.deepEqual((await states())[0], 'site: up to date', 'a draft waits until it is public');
      await execute(sandbox, `delete from hook_deliveries where kind = 'purge'`);
      await execute(sandbox, `update hook_deliveries set revision = revision - 1 where kind = 'watch'`);
      assert.deepEqual(await states(), ['site: behind', 'chat: behind', 'edge: behind']);
    });
  });

  describe('announce', () => {
    it('sends a version however old to every hook whose filter matches, with a new id each time, and notes it', async () => {
      assert.equal(
        await runOk(sandbox, announce('2.0.0')),
        'Announced acme/rocket 2.0.0 to site.\nAnnounced acme/rocket 2.0.0 to chat.\n',
      );
      const [message] = take().filter(({ path }) => path === '/site');
      const headers = message?.headers as Record<string, string>;
      new Webhook(SECRET).verify(message?.body ?? '', headers);
      assert.deepEqual(await deliveries(), [
        {
          hook: 'chat',
          about: 'ver_2',
          state: 'sent',
          message_id: (await deliveries())[0]?.message_id,
          failure: null,
        },
        {
          hook: 'site',
          about: 'ver_2',
          state: 'sent',
          message_id: headers['webhook-id'],
          failure: null,
        },
      ]);
      const again = await runJson<unknown[]>(sandbox, announce('2.0.0', '--hook', 'site'));
      const [second, ...others] = take();
      assert.deepEqual(others, []);
      assert.notEqual(second?.headers['webhook-id'], headers['webhook-id']);
      assert.deepEqual(again, [{ hook: 'site', messageId: second?.headers['webhook-id'], failure: null }]);
    });

    it('leaves out hooks whose filter does not match, and refuses if none does', async () => {
      assert.equal(await runOk(sandbox, announce('1.0.0')), 'Announced acme/rocket 1.0.0 to site.\n');
      assert.deepEqual(labelsOf(take()), ['1.0.0']);
      assert.equal(
        await expectFailure(sandbox, announce('1.0.0', '--hook', 'chat')),
        'changelog: no hook announces acme/rocket 1.0.0: look at `only` in the hooks file; purge hooks announce nothing.\n',
      );
    });

    it('what a server has given up or not sent yet is sent, and not again by a server', async () => {
      await setUp();
      await insert('ver_1', 'given_up', `'msg_old', 11, '${PAST}', '${PAST}', 'HTTP 404'`);
      await insert('ver_2', 'pending');
      await runOk(sandbox, announce('1.0.0'));
      await runOk(sandbox, announce('2.0.0', '--hook', 'site'));
      assert.deepEqual(
        (await deliveries()).map(({ state, failure }) => [state, failure]),
        [
          ['sent', null],
          ['sent', null],
        ],
      );
      assert.ok((await deliveries()).every(({ message_id }) => message_id !== 'msg_old'));
      assert.equal(take().length, 2);
    });

    it('if it fails, exits with 1, and is retried by a server, whatever was before', async () => {
      await setUp();
      respondWith(500);
      const befores: readonly (readonly [state: string, rest: string] | null)[] = [
        null,
        ['pending', `'msg_old', 3, '${PAST}', null, 'HTTP 503'`],
        ['given_up', `'msg_old', 11, '${PAST}', '${PAST}', 'HTTP 404'`],
        ['sent', `'msg_old', 1, '${PAST}', '${PAST}', null`],
        ['known', `'', 0, '${PAST}', null, null`],
      ];
      for (const before of befores) {
        await execute(sandbox, `delete from hook_deliveries where kind = 'announcement'`);
        if (before !== null) await insert('ver_1', ...before);
        const { code, stderr } = await run(sandbox, announce('1.0.0'));
        assert.equal(code, 1);
        assert.equal(
          stderr,
          'changelog: the hook site could not announce acme/rocket 1.0.0: HTTP 500. A server or `changelog publish-due` tries again.\n',
        );
        assert.deepEqual(
          (await deliveries()).map(({ state, failure }) => [state, failure]),
          [['pending', 'HTTP 500']],
        );
      }
    });

    it('sends to the others if one fails', async () => {
      respondWith(500, '/site');
      const { code, stdout, stderr } = await run(sandbox, announce('2.0.0', '--json'));
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^changelog: the hook site could not announce acme\/rocket 2\.0\.0: HTTP 500\. [^\n]+\n$/,
      );
      const [chat, site] = await deliveries();
      assert.deepEqual([chat?.state, site?.state], ['sent', 'pending']);
      assert.deepEqual(JSON.parse(stdout), [
        { hook: 'site', messageId: null, failure: 'HTTP 500' },
        { hook: 'chat', messageId: chat?.message_id, failure: null },
      ]);
    });

    it('sends nothing while a server sends it', async () => {
      await setUp();
      await insert('ver_1', 'sending', `'msg_old', 2, '${FUTURE}', null, null`);
      assert.match(
        await expectFailure(sandbox, announce('1.0.0')),
        /another process is sending it; wait 30 seconds\. /,
      );
      assert.deepEqual(take(), []);
    });

    it('all changes of a version leave, and --dry-run shows them', async () => {
      type Event = { data: { changes: unknown[] } };
      const [preview] = await runJson<{ bodies: Event[] }[]>(sandbox, announce('1.0.0', '--dry-run'));
      assert.equal(preview?.bodies[0]?.data.changes.length, CHANGES);
      await runOk(sandbox, announce('1.0.0'));
      const [sent] = take();
      assert.equal((JSON.parse(sent?.body ?? '') as Event).data.changes.length, CHANGES);
    });

    it('--dry-run shows what would be sent, and neither sends nor writes', async () => {
      const text = await runOk(sandbox, announce('2.0.0', '--dry-run'));
      assert.match(text, /^To site \(webhook\):\n\{\n {2}"type": "version\.published",/);
      assert.match(text, /\n\nTo chat \(slack\):\n\{\n/);
      assert.doesNotMatch(text, /127\.0\.0\.1|whsec_|v1,/);
      const previews = await runJson<{ hook: string; bodies: { data: { id: string } }[] }[]>(
        sandbox,
        announce('2.0.0', '--dry-run'),
      );
      assert.equal(previews[0]?.bodies[0]?.data.id, 'ver_2');
      assert.deepEqual([take(), await query(sandbox, 'select hook from hook_deliveries')], [[], []]);
    });

    it('refuses a version that is not public, and says why', async () => {
      const notPublic = async (label: string, reason: string) => {
        for (const flags of [[], ['--dry-run']])
          assert.equal(
            await expectFailure(sandbox, announce(label, ...flags)),
            `changelog: acme/rocket ${label} is not public: ${reason}\n`,
          );
      };
      await notPublic('3.0.0', 'it is a draft; `changelog version publish acme/rocket 3.0.0` publishes it.');
      for (const [hide, show, reason] of [
        [
          `update teams set visibility = 'private'`,
          `update teams set visibility = 'public'`,
          'its team is private; `changelog team set acme --visibility public` changes that.',
        ],
        [
          `update products set status = 'locked'`,
          `update products set status = 'published'`,
          'its product is locked; `changelog product set acme/rocket --status published` changes that.',
        ],
        [
          `update changelogs set status = 'draft'`,
          `update changelogs set status = 'published'`,
          'its changelog is a draft; `changelog changelog set acme/rocket --status published` changes that.',
        ],
      ] as const) {
        await execute(sandbox, hide);
        await notPublic('2.0.0', reason);
        await execute(sandbox, show);
      }
      assert.deepEqual(take(), []);
    });

    it('refuses what does not exist, with what was probably meant', async () => {
      assert.match(
        await expectFailure(sandbox, announce('2.0.1')),
        /there is no version 2\.0\.1 of acme\/rocket/,
      );
      assert.equal(
        await expectFailure(sandbox, announce('2.0.0', '--hook', 'caht')),
        'changelog: there is no hook caht; the hooks are site, chat, edge.\n',
      );
      assert.match(
        await expectFailure(sandbox, announce('2.0.0', '--hook', 'edge')),
        /no hook announces acme\/rocket 2\.0\.0: .* purge hooks announce nothing/,
      );
    });
  });
});
