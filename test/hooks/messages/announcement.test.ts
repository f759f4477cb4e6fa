// A version as hooks announce it: what the public API has at the URLs that the announcement names.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { visibleRows } from '../../../src/domain/access/visibility.ts';
import { presentAnnouncement } from '../../../src/hooks/messages/announcement.ts';
import { OUTPUTS } from '../../../src/http/app.ts';
import { serverLinks } from '../../../src/present/links.ts';
import { findVersion } from '../../../src/store/read/find-version.ts';
import type { VersionDetail } from '../../../src/store/read/reads.ts';
import { renderAtOnce } from '../../../src/text/parse.ts';
import { databaseUrl } from '../../../support/databases/engine.ts';
import { openReader } from '../../../support/databases/open.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const BASE = 'http://changes.example.com';

describe('an announcement', () => {
  const suite = suiteWithWorld({ BASE_URL: BASE });
  let found: VersionDetail;
  before(async () => {
    const db = await openReader(databaseUrl(suite.sandbox));
    const path = { team: 'acme', product: 'rocket' };
    found = (await findVersion(db, path, 'ver_210', visibleRows('public'))).found as VersionDetail;
    await db.destroy();
  });
  const present = (detail = found, hasTeamPages = true) =>
    presentAnnouncement(detail, renderAtOnce, { links: serverLinks(BASE), outputs: OUTPUTS, hasTeamPages });

  it('has the record of the public API', async () => {
    const { record, head, urls } = await present();
    const { data } = (await suite.app.inject(urls.record.slice(BASE.length))).json();
    assert.deepEqual(record, data);
    assert.equal(head.language, 'en');
  });

  it('has the URLs of the page, the changelog, the notes and all feeds that it is in', async () => {
    const { urls } = await present();
    assert.equal(urls.page, `${BASE}/changelog/acme/rocket/versions/2.1.0`);
    for (const url of [urls.page, urls.changelog, urls.notes, ...urls.feeds]) {
      const { statusCode, body } = await suite.app.inject(url.slice(BASE.length));
      assert.equal(statusCode, 200, url);
      assert.match(body, /countdown/, url);
    }
    const api = `${BASE}/api/v1/public/teams/acme`;
    const files = ['feed.atom', 'feed.rss', 'feed.json'];
    const ofProduct = files.map((file) => `${api}/products/rocket/changelog/${file}`);
    assert.deepEqual(urls.feeds, [...ofProduct, ...files.map((file) => `${api}/${file}`)]);
    assert.deepEqual((await present(found, false)).urls.feeds, ofProduct);
  });

  it("is on the product's own domain, except for the feeds of the team", async () => {
    const { urls } = await present({ ...found, head: { ...found.head, domain: 'rocket.example' } });
    const { feeds, ...others } = urls;
    const onDomain = [...Object.values(others), ...feeds.slice(0, 3)];
    for (const url of onDomain) assert.equal(URL.parse(url)?.hostname, 'rocket.example', url);
    for (const url of feeds.slice(3)) assert.ok(url.startsWith(`${BASE}/api/`), url);
  });

  it('has the first changes of a very long version, and counts all', async () => {
    const { record } = await present({ ...found, version: { ...found.version, changeCount: 999 } });
    assert.deepEqual([record.changes.length, record.changeCount], [2, 999]);
  });
});
