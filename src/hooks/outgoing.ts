// What each kind of hook is sent: when a version became public (R65), and when something public changed (R66).
import { createHmac } from 'node:crypto';
import type { AnnouncementHook, MessageHook, PurgeHook } from '../domain/hook.ts';
import { batches } from '../store/engine/batches.ts';
import type { Announcement, Message } from './messages/announcement.ts';
import { discordMessage } from './messages/discord.ts';
import { mastodonStatus } from './messages/mastodon.ts';
import { slackMessage } from './messages/slack.ts';
import { teamsMessage } from './messages/teams.ts';
import type { Outgoing, OutgoingRequest } from './send.ts';

/** Several only for `websub`: hubs do not agree on how to name more than one feed. */
export function outgoingFor(
  hook: AnnouncementHook,
  announcement: Announcement,
  message: Message,
): readonly Outgoing[] {
  if (hook.kind !== 'command') return REQUESTS[hook.kind](hook, announcement, message);
  const hidden = Object.fromEntries(hook.hiddenVariables.map((name) => [name, undefined]));
  const variables = { ...hidden, CHANGELOG_HOOK: hook.name, CHANGELOG_MESSAGE_ID: message.id };
  return [{ command: hook.command, input: writeEvent(announcement, message), variables }];
}

type Write = (hook: MessageHook, announcement: Announcement, message: Message) => readonly OutgoingRequest[];

const REQUESTS: Readonly<Record<MessageHook['kind'], Write>> = {
  webhook: (hook, announcement, message) => {
    const body = writeEvent(announcement, message);
    return [post(hook.url, JSON_TYPE, body, signatureOf(hook, message, body))];
  },
  slack: ({ url }, announcement) => [postJson(url, slackMessage(announcement))],
  discord: ({ url }, announcement) => [postJson(url, discordMessage(announcement))],
  teams: ({ url }, announcement) => [postJson(url, teamsMessage(announcement))],
  mastodon: ({ url, secret }, announcement, { id }) => [
    postJson(`${url.replace(/\/+$/, '')}/api/v1/statuses`, mastodonStatus(announcement), {
      'idempotency-key': id,
      ...(secret !== null && { authorization: `Bearer ${secret}` }),
    }),
  ],
  // WebSub leaves open how a hub is told: some take the feed as `hub.url`, as PubSubHubbub did, others as `hub.topic`.
  websub: ({ url }, { urls }) =>
    urls.feeds.map((feed) => {
      const form = new URLSearchParams({ 'hub.mode': 'publish', 'hub.url': feed, 'hub.topic': feed });
      return post(url, 'application/x-www-form-urlencoded', form.toString());
    }),
};

const JSON_TYPE = 'application/json';

function post(url: string, type: string, body: string, headers: Headers = {}): OutgoingRequest {
  return { method: 'POST', url, headers: { 'content-type': type, ...headers }, body };
}

const postJson = (url: string, body: object, headers?: Headers) =>
  post(url, JSON_TYPE, JSON.stringify(body), headers);

type Headers = OutgoingRequest['headers'];

/** The version record of the public API, with its URLs. */
function writeEvent({ record, urls }: Announcement, { sentAt }: Message): string {
  const { feeds: _, ...pages } = urls;
  return JSON.stringify({
    type: 'version.published',
    timestamp: sentAt.toISOString(),
    data: { ...record, urls: pages },
  });
}

const SECRET_PREFIX = /^whsec_/;

/** As Standard Webhooks defines it. */
function signatureOf({ secret }: MessageHook, { id, sentAt }: Message, body: string): Headers {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const named = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (secret === null) return named;
  const key = Buffer.from(secret.replace(SECRET_PREFIX, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { ...named, 'webhook-signature': `v1,${signature}` };
}

/** What Fastly takes in one request. Within the 8 KiB of a header in Varnish, too. */
const KEYS_MAX = 256;
/** What Cloudflare takes in one request. */
const CLOUDFLARE_TAGS_MAX = 100;

/** Without tags there is nothing to purge. */
export function purgesFor({ kind, url, secret }: PurgeHook, tags: readonly string[]): OutgoingRequest[] {
  const bearer: Headers = secret === null ? {} : { authorization: `Bearer ${secret}` };
  const purge = (headers: Headers): OutgoingRequest => ({ method: 'PURGE', url, headers, body: '' });
  const inBatches = (max: number, write: (batch: string[]) => OutgoingRequest) =>
    [...batches(tags, max)].map(write);
  switch (kind) {
    case 'purge-varnish':
      return inBatches(KEYS_MAX, (batch) => purge({ 'xkey-purge': batch.join(' '), ...bearer }));
    case 'purge-fastly': {
      const key: Headers = secret === null ? {} : { 'Fastly-Key': secret };
      const headersOf = (batch: readonly string[]) => ({ 'Surrogate-Key': batch.join(' '), ...key });
      return inBatches(KEYS_MAX, (batch) => ({ ...purge(headersOf(batch)), method: 'POST' }));
    }
    case 'purge-cloudflare':
      return inBatches(CLOUDFLARE_TAGS_MAX, (batch) => postJson(url, { tags: batch }, bearer));
    // A cache without tags forgets everything. A list of URLs would miss some: other parameters, an old slug or domain that
    // is nowhere in the database any more, another way to escape a path.
    case 'purge-url':
      return tags.length === 0 ? [] : [purge(bearer)];
  }
}
