// What each kind of hook is sent (R65). Signatures are verified by the library of Standard Webhooks.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { AnnouncementHook, MessageHook } from '../../src/domain/hook.ts';
import type { Announcement } from '../../src/hooks/messages/announcement.ts';
import { outgoingFor } from '../../src/hooks/outgoing.ts';
import type { OutgoingRequest } from '../../src/hooks/send.ts';
import { TEXT_HEAD } from '../../support/content/texts.ts';

const SECRET = `whsec_${Buffer.from('a key of 24 bytes or more').toString('base64')}`;
const MESSAGE = { id: 'msg_1', sentAt: new Date() };
const ANNOUNCEMENT: Announcement = {
  record: {
    id: 'ver_1',
    object: 'changelog.version',
    version: '2.1.0',
    title: 'Fäster “launches”',
    status: 'published',
    publishedAt: '2026-05-04T09:00:00.000Z',
    changeCount: 1,
    description: null,
    descriptionHtml: null,
    yanked: false,
    updatedAt: '2026-05-04T09:00:00.000Z',
    team: { slug: 'acme', name: 'Acme' },
    product: { slug: 'rocket', name: 'Rocket' },
    changelog: { id: 'cl_1', name: 'Rocket changelog', status: 'published' },
    changes: [
      {
        id: 'chg_1',
        object: 'changelog.change',
        type: 'added',
        text: 'Pause',
        html: '<p>Pause</p>',
        breaking: false,
      },
    ],
  },
  head: TEXT_HEAD,
  urls: {
    page: 'https://changes.example.com/changelog/acme/rocket/versions/2.1.0',
    changelog: 'https://changes.example.com/changelog/acme/rocket',
    record: 'https://changes.example.com/api/v1/public/…/versions/ver_1',
    notes: 'https://changes.example.com/api/v1/public/…/versions/ver_1/notes.md',
    feeds: ['https://changes.example.com/feed.atom?a=1&b=2', 'https://changes.example.com/team/feed.rss'],
  },
};

const hookOf = (kind: MessageHook['kind'], secret: string | null = SECRET): MessageHook => ({
  name: 'site',
  kind,
  url: 'https://site.example/hook',
  secret,
  only: {},
  maxAgeHours: 72,
});
const requestsFor = (hook: AnnouncementHook) =>
  outgoingFor(hook, ANNOUNCEMENT, MESSAGE) as readonly OutgoingRequest[];
function requestFor(hook: AnnouncementHook): OutgoingRequest {
  const [request, ...others] = requestsFor(hook);
  assert.ok(request && others.length === 0);
  return request;
}

describe('a webhook', () => {
  it('is the event with the record of the version and its pages, signed as Standard Webhooks says', () => {
    const { method, url, headers, body } = requestFor(hookOf('webhook'));
    assert.deepEqual([method, url], ['POST', 'https://site.example/hook']);
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['webhook-id'], MESSAGE.id);
    const { feeds: _, ...urls } = ANNOUNCEMENT.urls;
    const event = {
      type: 'version.published',
      timestamp: MESSAGE.sentAt.toISOString(),
      data: { ...ANNOUNCEMENT.record, urls },
    };
    assert.deepEqual(new Webhook(SECRET).verify(body, headers), event);
  });

  it('does not verify if it is changed, repeated later, or signed with another secret', () => {
    const { headers, body } = requestFor(hookOf('webhook'));
    const verify = (changes: object, text = body, secret = SECRET) =>
      new Webhook(secret).verify(text, { ...headers, ...changes });
    assert.throws(() => verify({}, body.replace('2.1.0', '2.1.1')), /No matching signature/);
    assert.throws(() => verify({ 'webhook-id': 'msg_2' }), /No matching signature/);
    assert.throws(() => verify({}, body, `whsec_${btoa('another key')}`), /No matching signature/);
    const sentAt = new Date(Date.now() - 600_000);
    const [old] = outgoingFor(hookOf('webhook'), ANNOUNCEMENT, { ...MESSAGE, sentAt }) as OutgoingRequest[];
    assert.throws(
      () => new Webhook(SECRET).verify(old?.body ?? '', { ...old?.headers }),
      /timestamp too old/,
    );
  });

  it('has an id and no signature without a secret', () => {
    const names = Object.keys(requestFor(hookOf('webhook', null)).headers);
    assert.deepEqual(names, ['content-type', 'webhook-id', 'webhook-timestamp']);
  });
});

describe('a message for people', () => {
  it('is JSON for the URL of Slack, Discord or Teams', () => {
    for (const kind of ['slack', 'discord', 'teams'] as const) {
      const { url, headers, body } = requestFor(hookOf(kind));
      assert.equal(url, 'https://site.example/hook');
      assert.deepEqual(headers, { 'content-type': 'application/json' });
      assert.match(body, /^\{.*2\.1\.0.*\}$/);
    }
  });

  it('is a status of Mastodon with the token; the id keeps it from being posted twice', () => {
    const hook = { ...hookOf('mastodon', 'token'), url: 'https://social.example/' };
    const { url, headers, body } = requestFor(hook);
    assert.equal(url, 'https://social.example/api/v1/statuses');
    assert.equal(headers.authorization, 'Bearer token');
    assert.equal(headers['idempotency-key'], MESSAGE.id);
    assert.match(JSON.parse(body).status, /2\.1\.0/);
  });
});

describe('a hub', () => {
  it('is told of each feed, as the older and the newer hubs read it', () => {
    const forms = requestsFor(hookOf('websub')).map(({ headers, body }) => {
      assert.equal(headers['content-type'], 'application/x-www-form-urlencoded');
      return [...new URLSearchParams(body)];
    });
    assert.deepEqual(
      forms,
      ANNOUNCEMENT.urls.feeds.map((feed) => [
        ['hub.mode', 'publish'],
        ['hub.url', feed],
        ['hub.topic', feed],
      ]),
    );
  });
});

describe('a command', () => {
  it('gets the event of a webhook as its input, and the hook and the id as variables, but none of other hooks', () => {
    const command = ['/usr/local/bin/mail', '--to', 'all'] as const;
    const announcing = { name: 'mail', only: {}, maxAgeHours: 72 };
    const hook = { ...announcing, kind: 'command', command, hiddenVariables: ['CHAT_URL'] } as const;
    assert.deepEqual(outgoingFor(hook, ANNOUNCEMENT, MESSAGE), [
      {
        command,
        input: requestFor(hookOf('webhook')).body,
        variables: { CHAT_URL: undefined, CHANGELOG_HOOK: 'mail', CHANGELOG_MESSAGE_ID: 'msg_1' },
      },
    ]);
  });
});
