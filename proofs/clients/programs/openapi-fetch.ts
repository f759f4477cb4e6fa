// Calls the demo with the types of openapi-typescript and the client openapi-fetch.
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';
import { LANTERN, nextCursor, ROCKET, type Site } from './site.js';

const PUBLIC = '/api/v1/public/teams/{teamSlug}/products/{productSlug}/changelog';
const TEAM = '/api/v1/teams/{teamSlug}/products/{productSlug}/changelog';
const PUBLIC_TEAM = '/api/v1/public/teams/{teamSlug}';
const KEY_TEAM = '/api/v1/teams/{teamSlug}';
const REPO = '/api/v1/repos/{teamSlug}/{productSlug}';
const path = ROCKET;
const latest = { ...ROCKET, versionId: 'latest' };

export async function check({ baseUrl, key, password, fetch }: Site): Promise<void> {
  const gate = password === null ? {} : { Authorization: `Basic ${btoa(password)}` };
  const withKey = password === null ? { Authorization: `Bearer ${key}` } : { ...gate, 'X-API-Key': key };
  const open = createClient<paths>({ baseUrl, fetch, headers: gate });
  const team = createClient<paths>({ baseUrl, fetch, headers: withKey });

  const feed = await open.GET(PUBLIC, { params: { path } });
  const ids = feed.data?.data.versions.map(({ id }) => id) ?? [];
  assert.ok(ids.length > 3);
  const published: string | null | undefined = feed.data?.data.versions[0]?.publishedAt;
  assert.match(String(published), /Z$/);

  const query = { include: 'changes', type: ['security', 'removed'], since: '2025-01-01' } as const;
  const full = await open.GET(PUBLIC, { params: { path, query: { ...query, type: [...query.type] } } });
  // The type of the response does not depend on the query: with `include`, it is the full one.
  const { versions } = (full.data as components['schemas']['FullChangelogEnvelope']).data;
  assert.ok(versions.length > 0);
  for (const { changes } of versions) {
    assert.ok(changes.some(({ type }) => type === 'security' || type === 'removed'));
  }

  const walked: string[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const asked = { limit: 2, ...(cursor !== undefined && { cursor }) };
    const page = await open.GET(PUBLIC, { params: { path, query: asked } });
    walked.push(...(page.data?.data.versions ?? []).map(({ id }) => id));
    cursor = nextCursor(page.response);
  }
  assert.deepEqual(walked, ids);

  const etag = String(feed.response.headers.get('etag'));
  const again = await open.GET(PUBLIC, { params: { path, header: { 'If-None-Match': etag } } });
  assert.deepEqual([again.response.status, again.data], [304, undefined]);

  const version = await open.GET(`${PUBLIC}/versions/{versionId}`, { params: { path: latest } });
  assert.equal(version.data?.data.changes.length, version.data?.data.changeCount);
  const range = await open.GET(`${PUBLIC}/changes`, {
    params: { path, query: { from: '1.4.0', to: '2.1.0' } },
  });
  assert.ok(range.data?.data.groups[0]?.changes[0]?.versionId.startsWith('ver_'));
  const update = await open.GET(`${PUBLIC}/update`, { params: { path, query: { from: '1.4.1' } } });
  assert.equal(update.data?.data.latest?.version, '2.1.0');
  assert.equal(update.data?.data.from?.yanked, true);

  const json = await open.GET(`${PUBLIC}/feed.json`, { params: { path } });
  assert.ok(json.data?.items[0]?.date_published);
  const asText = { params: { path }, parseAs: 'text' } as const;
  for (const text of [
    await open.GET(`${PUBLIC}/feed.atom`, asText),
    await open.GET(`${PUBLIC}/feed.rss`, asText),
    await open.GET(`${PUBLIC}/CHANGELOG.md`, asText),
  ])
    assert.match(String(text.data), /Faster launches/);
  const badge = await open.GET(`${PUBLIC}/badge.json`, { params: { path, query: { label: 'new' } } });
  assert.deepEqual([badge.data?.label, badge.data?.message], ['new', '2.1.0']);
  for (const text of [
    await open.GET(`${PUBLIC}/releases.xml`, asText),
    await open.GET(`${PUBLIC}/latest.txt`, asText),
    await open.GET(`${PUBLIC}/badge.svg`, asText),
  ])
    assert.match(String(text.data), /2\.1\.0/);

  const notesOf = { params: { path: latest }, parseAs: 'text' } as const;
  const between = { params: { path, query: { from: '2.0.1', to: '2.1.0' } }, parseAs: 'text' } as const;
  for (const notes of [
    await open.GET(`${PUBLIC}/versions/{versionId}/notes.md`, notesOf),
    await open.GET(`${PUBLIC}/versions/{versionId}/notes.txt`, notesOf),
    await open.GET(`${PUBLIC}/versions/{versionId}/notes.html`, notesOf),
    await team.GET(`${TEAM}/versions/{versionId}/notes.md`, notesOf),
    await team.GET(`${TEAM}/versions/{versionId}/notes.txt`, notesOf),
    await team.GET(`${TEAM}/versions/{versionId}/notes.html`, notesOf),
    await open.GET(`${PUBLIC}/changes.md`, between),
    await open.GET(`${PUBLIC}/changes.txt`, between),
    await open.GET(`${PUBLIC}/changes.html`, between),
    await team.GET(`${TEAM}/changes.md`, between),
    await team.GET(`${TEAM}/changes.txt`, between),
    await team.GET(`${TEAM}/changes.html`, between),
  ])
    assert.match(String(notes.data), /can be paused/);

  const repository = await open.GET(REPO, { params: { path } });
  assert.ok(repository.data?.has_releases);
  const tagged = { ...ROCKET, tag: '2.1.0' };
  const ofGitea = await open.GET(`${REPO}/releases`, {
    params: { path, query: { limit: 2, 'pre-release': false } },
  });
  const release = ofGitea.data?.[0];
  assert.ok(release);
  assert.match(release.body, /### Added/);
  const numbered = { ...ROCKET, id: release.id };
  for (const { data } of [
    await open.GET(`${REPO}/releases/latest`, { params: { path } }),
    await team.GET(`${REPO}/releases/tags/{tag}`, { params: { path: tagged } }),
    await team.GET(`${REPO}/releases/{id}`, { params: { path: numbered } }),
  ])
    assert.deepEqual(data, release);
  const tags = await team.GET(`${REPO}/tags`, { params: { path, query: { page: 1 } } });
  const tag = await open.GET(`${REPO}/tags/{tag}`, { params: { path: tagged } });
  assert.deepEqual(tag.data, tags.data?.[0]);
  assert.match(String((await open.GET('/api/v1/version')).data?.version), /^1\./);

  const ofTeam = { path: { teamSlug: ROCKET.teamSlug } };
  const timeline = await open.GET(`${PUBLIC_TEAM}/versions`, {
    params: { ...ofTeam, query: { limit: 1, type: ['added'] } },
  });
  assert.equal(timeline.data?.data.versions[0]?.product.slug, 'rocket');
  const whole = await team.GET(`${KEY_TEAM}/versions`, {
    params: { ...ofTeam, query: { include: 'changes' } },
  });
  const { versions: all } = (whole.data as components['schemas']['FullTimelineEnvelope']).data;
  assert.deepEqual([...new Set(all.map(({ product }) => product.slug))].sort(), ['rocket', 'tower']);
  const listed = await open.GET(`${PUBLIC_TEAM}/products`, { params: ofTeam });
  assert.equal(listed.data?.data.products[0]?.latest?.version, '2.1.0');
  const ofKey = await team.GET(`${KEY_TEAM}/products`, { params: { ...ofTeam, query: { limit: 2 } } });
  assert.equal(ofKey.data?.data.products[1]?.slug, 'tower');
  const teamFeed = await open.GET(`${PUBLIC_TEAM}/feed.json`, { params: { ...ofTeam, query: { limit: 1 } } });
  assert.equal(teamFeed.data?.items[0]?.authors?.[0]?.name, 'Rocket');
  for (const text of [
    await open.GET(`${PUBLIC_TEAM}/feed.atom`, { params: ofTeam, parseAs: 'text' }),
    await open.GET(`${PUBLIC_TEAM}/feed.rss`, { params: ofTeam, parseAs: 'text' }),
  ])
    assert.match(String(text.data), /Rocket 2\.1\.0: Faster launches/);

  const drafts = await team.GET(TEAM, { params: { path } });
  assert.equal(drafts.data?.data.versions[0]?.publishedAt, null);
  const draft = await team.GET(`${TEAM}/versions/{versionId}`, {
    params: { path: { ...ROCKET, versionId: '3.0.0' } },
  });
  assert.equal(draft.data?.data.status, 'draft');
  const rangeWithDrafts = await team.GET(`${TEAM}/changes`, { params: { path, query: { from: '2.1.0' } } });
  assert.equal(rangeWithDrafts.data?.data.to, null);
  const onlyLatest = await team.GET(`${TEAM}/update`, { params: { path, query: { prerelease: true } } });
  assert.equal(onlyLatest.data?.data.from, null);
  const document = await open.GET('/api/openapi.json');
  assert.match(String(document.data?.openapi), /^3\.1/);

  const wrong = await open.GET(PUBLIC, { params: { path, query: { limit: 0 } } });
  assert.equal(wrong.error?.error.code, 'bad_request');
  const missing = await open.GET(PUBLIC, { params: { path: { ...ROCKET, productSlug: 'nothing' } } });
  assert.equal(missing.error?.error.code, 'not_found');
  const anonymous = await open.GET(TEAM, { params: { path } });
  assert.equal(anonymous.error?.error.code, 'unauthorized');
  const foreign = await team.GET(TEAM, { params: { path: LANTERN } });
  assert.equal(foreign.error?.error.code, 'forbidden');

  const heads = [
    await open.HEAD(PUBLIC, { params: { path } }),
    await open.HEAD(`${PUBLIC}/versions/{versionId}`, { params: { path: latest } }),
    await open.HEAD(`${PUBLIC}/changes`, { params: { path } }),
    await open.HEAD(`${PUBLIC}/update`, { params: { path } }),
    await open.HEAD(`${PUBLIC}/feed.atom`, { params: { path } }),
    await open.HEAD(`${PUBLIC}/feed.rss`, { params: { path } }),
    await open.HEAD(`${PUBLIC}/feed.json`, { params: { path } }),
    await open.HEAD(`${PUBLIC}/CHANGELOG.md`, { params: { path } }),
    await open.HEAD(`${PUBLIC}/releases.xml`, { params: { path } }),
    await open.HEAD(`${PUBLIC}/latest.txt`, { params: { path } }),
    await open.HEAD(`${PUBLIC}/badge.json`, { params: { path } }),
    await open.HEAD(`${PUBLIC}/badge.svg`, { params: { path } }),
    await team.HEAD(TEAM, { params: { path } }),
    await team.HEAD(`${TEAM}/versions/{versionId}`, { params: { path: latest } }),
    await team.HEAD(`${TEAM}/changes`, { params: { path } }),
    await team.HEAD(`${TEAM}/update`, { params: { path } }),
    await open.HEAD(`${PUBLIC}/versions/{versionId}/notes.md`, { params: { path: latest } }),
    await open.HEAD(`${PUBLIC}/versions/{versionId}/notes.txt`, { params: { path: latest } }),
    await open.HEAD(`${PUBLIC}/versions/{versionId}/notes.html`, { params: { path: latest } }),
    await open.HEAD(`${PUBLIC}/changes.md`, { params: { path } }),
    await open.HEAD(`${PUBLIC}/changes.txt`, { params: { path } }),
    await open.HEAD(`${PUBLIC}/changes.html`, { params: { path } }),
    await team.HEAD(`${TEAM}/versions/{versionId}/notes.md`, { params: { path: latest } }),
    await team.HEAD(`${TEAM}/versions/{versionId}/notes.txt`, { params: { path: latest } }),
    await team.HEAD(`${TEAM}/versions/{versionId}/notes.html`, { params: { path: latest } }),
    await team.HEAD(`${TEAM}/changes.md`, { params: { path } }),
    await team.HEAD(`${TEAM}/changes.txt`, { params: { path } }),
    await team.HEAD(`${TEAM}/changes.html`, { params: { path } }),
    await open.HEAD(`${PUBLIC_TEAM}/versions`, { params: ofTeam }),
    await team.HEAD(`${KEY_TEAM}/versions`, { params: ofTeam }),
    await open.HEAD(`${PUBLIC_TEAM}/products`, { params: ofTeam }),
    await team.HEAD(`${KEY_TEAM}/products`, { params: ofTeam }),
    await open.HEAD(`${PUBLIC_TEAM}/feed.atom`, { params: ofTeam }),
    await open.HEAD(`${PUBLIC_TEAM}/feed.rss`, { params: ofTeam }),
    await open.HEAD(`${PUBLIC_TEAM}/feed.json`, { params: ofTeam }),
    await open.HEAD('/api/openapi.json'),
    await open.HEAD(REPO, { params: { path } }),
    await open.HEAD(`${REPO}/releases`, { params: { path } }),
    await team.HEAD(`${REPO}/releases/latest`, { params: { path } }),
    await open.HEAD(`${REPO}/releases/tags/{tag}`, { params: { path: tagged } }),
    await open.HEAD(`${REPO}/releases/{id}`, { params: { path: numbered } }),
    await open.HEAD(`${REPO}/tags`, { params: { path } }),
    await open.HEAD(`${REPO}/tags/{tag}`, { params: { path: tagged } }),
    await team.HEAD('/api/v1/version'),
  ];
  for (const { response } of heads) assert.ok(response.ok && response.headers.has('etag'), response.url);
}
