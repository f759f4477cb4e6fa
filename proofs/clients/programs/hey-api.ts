// Calls the demo with a client of Hey API; in the folder `zod`, that client validates requests and responses with zod.
import assert from 'node:assert/strict';
import { createClient, createConfig } from './sdk/client/index.js';
import * as api from './sdk/index.js';
import { LANTERN, nextCursor, ROCKET, type Site } from './site.js';

const path = ROCKET;
const latest = { ...ROCKET, versionId: 'latest' };

export async function check({ baseUrl, key, password, fetch }: Site): Promise<void> {
  const clientWith = (credential: string | undefined) =>
    createClient(
      createConfig({
        baseUrl,
        fetch,
        auth: ({ scheme }) => (scheme === 'basic' ? (password ?? undefined) : credential),
      }),
    );
  const client = clientWith(undefined);
  const withKey = clientWith(key);

  const feed = await api.getPublicChangelog({ client, path });
  const ids = feed.data?.data.versions.map(({ id }) => id) ?? [];
  assert.ok(ids.length > 3, String(feed.error));
  const published: string | null | undefined = feed.data?.data.versions[0]?.publishedAt;
  assert.match(String(published), /Z$/);

  for (const since of ['2025-01-01', '2025-01-01T00:00:00Z']) {
    const query: NonNullable<api.GetPublicChangelogData['query']> = {
      include: 'changes',
      type: ['security', 'removed'],
      since,
    };
    const full = await api.getPublicChangelog({ client, path, query });
    // The type of the response does not depend on the query: with `include`, it is the full one.
    const { versions } = (full.data as api.FullChangelogEnvelope).data;
    assert.ok(versions.length > 0, String(full.error));
    for (const { changes } of versions) {
      assert.ok(changes.some(({ type }) => type === 'security' || type === 'removed'));
    }
  }

  const walked: string[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const asked = { limit: 2, ...(cursor !== undefined && { cursor }) };
    const page = await api.getPublicChangelog({ client, path, query: asked });
    walked.push(...(page.data?.data.versions ?? []).map(({ id }) => id));
    cursor = page.response && nextCursor(page.response);
  }
  assert.deepEqual(walked, ids);

  const etag = String(feed.response?.headers.get('etag'));
  const again = await api.getPublicChangelog({ client, path, headers: { 'If-None-Match': etag } });
  assert.deepEqual([again.response?.status, again.data], [304, undefined]);

  const version = await api.getPublicVersion({ client, path: latest });
  assert.equal(version.data?.data.changes.length, version.data?.data.changeCount);
  const range = await api.getPublicChanges({ client, path, query: { from: '1.4.0', to: '2.1.0' } });
  assert.ok(range.data?.data.groups[0]?.changes[0]?.versionId.startsWith('ver_'));
  const update = await api.getPublicUpdate({ client, path, query: { from: '1.4.1' } });
  assert.equal(update.data?.data.latest?.version, '2.1.0');
  assert.equal(update.data?.data.from?.yanked, true);

  const json = await api.getPublicJsonFeed({ client, path });
  assert.ok(json.data?.items[0]?.date_published);
  const asText = { client, path, parseAs: 'text' } as const;
  for (const text of [
    await api.getPublicAtomFeed(asText),
    await api.getPublicRssFeed(asText),
    await api.getPublicMarkdownChangelog({ client, path }),
  ])
    assert.match(String(text.data), /Faster launches/);
  const badge = await api.getPublicBadge({ client, path, query: { label: 'new' } });
  assert.deepEqual([badge.data?.label, badge.data?.message], ['new', '2.1.0']);
  for (const text of [
    await api.getPublicAppStreamReleases(asText),
    await api.getPublicLatestLabel({ client, path }),
    await api.getPublicBadgeImage(asText),
  ])
    assert.match(String(text.data), /2\.1\.0/);

  const between = { from: '2.0.1', to: '2.1.0' };
  for (const notes of [
    await api.getPublicNotesMarkdown({ client, path: latest }),
    await api.getPublicNotesText({ client, path: latest }),
    await api.getPublicNotesHtml({ client, path: latest }),
    await api.getNotesMarkdown({ client: withKey, path: latest }),
    await api.getNotesText({ client: withKey, path: latest }),
    await api.getNotesHtml({ client: withKey, path: latest }),
    await api.getPublicChangesMarkdown({ client, path, query: between }),
    await api.getPublicChangesText({ client, path, query: between }),
    await api.getPublicChangesHtml({ client, path, query: between }),
    await api.getChangesMarkdown({ client: withKey, path, query: between }),
    await api.getChangesText({ client: withKey, path, query: between }),
    await api.getChangesHtml({ client: withKey, path, query: between }),
  ])
    assert.match(String(notes.data), /can be paused/);

  const team = { teamSlug: ROCKET.teamSlug };
  const timeline = await api.getPublicTimeline({ client, path: team, query: { limit: 1, type: ['added'] } });
  assert.equal(timeline.data?.data.versions[0]?.product.slug, 'rocket');
  const whole = await api.getTimeline({ client: withKey, path: team, query: { include: 'changes' } });
  const { versions: all } = (whole.data as api.FullTimelineEnvelope).data;
  assert.deepEqual([...new Set(all.map(({ product }) => product.slug))].sort(), ['rocket', 'tower']);
  const listed = await api.getPublicProducts({ client, path: team });
  assert.equal(listed.data?.data.products[0]?.latest?.version, '2.1.0');
  const ofKey = await api.getProducts({ client: withKey, path: team, query: { limit: 2 } });
  assert.equal(ofKey.data?.data.products[1]?.slug, 'tower');
  const ofTeam = await api.getPublicTeamJsonFeed({ client, path: team, query: { limit: 1 } });
  assert.equal(ofTeam.data?.items[0]?.authors?.[0]?.name, 'Rocket');
  for (const text of [
    await api.getPublicTeamAtomFeed({ client, path: team, parseAs: 'text' }),
    await api.getPublicTeamRssFeed({ client, path: team, parseAs: 'text' }),
  ])
    assert.match(String(text.data), /Rocket 2\.1\.0: Faster launches/);

  const repository = await api.getGiteaRepository({ client, path });
  assert.ok(repository.data?.has_releases, String(repository.error));
  const tagged = { ...ROCKET, tag: '2.1.0' };
  const ofGitea = await api.getGiteaReleases({ client, path, query: { limit: 2, 'pre-release': false } });
  const release = ofGitea.data?.[0];
  assert.ok(release, String(ofGitea.error));
  assert.match(release.body, /### Added/);
  const numbered = { ...ROCKET, id: release.id };
  for (const { data } of [
    await api.getGiteaLatestRelease({ client, path }),
    await api.getGiteaReleaseByTag({ client: withKey, path: tagged }),
    await api.getGiteaRelease({ client: withKey, path: numbered }),
  ])
    assert.deepEqual(data, release);
  const tags = await api.getGiteaTags({ client: withKey, path, query: { page: 1 } });
  assert.deepEqual((await api.getGiteaTag({ client, path: tagged })).data, tags.data?.[0]);
  assert.match(String((await api.getGiteaVersion({ client })).data?.version), /^1\./);

  const drafts = await api.getChangelog({ client: withKey, path });
  assert.equal(drafts.data?.data.versions[0]?.publishedAt, null);
  const draft = await api.getVersion({ client: withKey, path: { ...ROCKET, versionId: '3.0.0' } });
  assert.equal(draft.data?.data.status, 'draft');
  const rangeWithDrafts = await api.getChanges({ client: withKey, path, query: { from: '2.1.0' } });
  assert.equal(rangeWithDrafts.data?.data.to, null);
  const onlyLatest = await api.getUpdate({ client: withKey, path, query: { prerelease: true } });
  assert.equal(onlyLatest.data?.data.from, null);
  const document = await api.getDescription({ client });
  assert.match(String(document.data?.openapi), /^3\.1/);

  const wrong = await api.getPublicChangelog({ client, path, query: { cursor: 'wrong' } });
  assert.equal(wrong.error && 'error' in wrong.error && wrong.error.error.code, 'bad_request');
  const missing = await api.getPublicVersion({ client, path: { ...ROCKET, versionId: '9.9.9' } });
  assert.equal(missing.error && 'error' in missing.error && missing.error.error.code, 'not_found');
  const anonymous = await api.getChangelog({ client, path });
  assert.equal(anonymous.error && 'error' in anonymous.error && anonymous.error.error.code, 'unauthorized');
  const foreign = await api.getChangelog({ client: withKey, path: LANTERN });
  assert.equal(foreign.error && 'error' in foreign.error && foreign.error.error.code, 'forbidden');

  const heads = [
    await api.headPublicChangelog({ client, path }),
    await api.headPublicVersion({ client, path: latest }),
    await api.headPublicChanges({ client, path }),
    await api.headPublicUpdate({ client, path }),
    await api.headPublicAtomFeed({ client, path }),
    await api.headPublicRssFeed({ client, path }),
    await api.headPublicJsonFeed({ client, path }),
    await api.headPublicMarkdownChangelog({ client, path }),
    await api.headPublicAppStreamReleases({ client, path }),
    await api.headPublicLatestLabel({ client, path }),
    await api.headPublicBadge({ client, path }),
    await api.headPublicBadgeImage({ client, path }),
    await api.headChangelog({ client: withKey, path }),
    await api.headVersion({ client: withKey, path: latest }),
    await api.headChanges({ client: withKey, path }),
    await api.headUpdate({ client: withKey, path }),
    await api.headPublicNotesMarkdown({ client, path: latest }),
    await api.headPublicNotesText({ client, path: latest }),
    await api.headPublicNotesHtml({ client, path: latest }),
    await api.headPublicChangesMarkdown({ client, path }),
    await api.headPublicChangesText({ client, path }),
    await api.headPublicChangesHtml({ client, path }),
    await api.headNotesMarkdown({ client: withKey, path: latest }),
    await api.headNotesText({ client: withKey, path: latest }),
    await api.headNotesHtml({ client: withKey, path: latest }),
    await api.headChangesMarkdown({ client: withKey, path }),
    await api.headChangesText({ client: withKey, path }),
    await api.headChangesHtml({ client: withKey, path }),
    await api.headPublicTimeline({ client, path: team }),
    await api.headTimeline({ client: withKey, path: team }),
    await api.headPublicProducts({ client, path: team }),
    await api.headProducts({ client: withKey, path: team }),
    await api.headPublicTeamAtomFeed({ client, path: team }),
    await api.headPublicTeamRssFeed({ client, path: team }),
    await api.headPublicTeamJsonFeed({ client, path: team }),
    await api.headDescription({ client }),
    await api.headGiteaRepository({ client, path }),
    await api.headGiteaReleases({ client, path }),
    await api.headGiteaLatestRelease({ client: withKey, path }),
    await api.headGiteaReleaseByTag({ client, path: tagged }),
    await api.headGiteaRelease({ client, path: numbered }),
    await api.headGiteaTags({ client, path }),
    await api.headGiteaTag({ client, path: tagged }),
    await api.headGiteaVersion({ client: withKey }),
  ];
  for (const { response } of heads) assert.ok(response?.ok && response.headers.has('etag'), response?.url);
}
