// The home page of a server that lists everything: its only product, or all of them (R40).
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { execute } from '../../../support/databases/engine.ts';
import { startApp } from '../../../support/program/app.ts';
import { becomes } from '../../support/becomes.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const BASE_URL = 'https://changes.example.com';
const PAGE = 'changelog/acme/rocket';

describe('the home page', () => {
  const suite = suiteWithWorld({ BASE_URL, LISTING: 'all' });
  const read = (url: string) => suite.app.inject(url);
  const setNew = (status: string) =>
    execute(suite.sandbox, `update products set status = '${status}' where slug = 'new'`);
  const headingIs = (heading: string) =>
    becomes(async () => /<h1[^>]*>([^<]*)/.exec((await read('/')).body)?.[1], heading);
  const linksIn = (body: string) =>
    [...body.matchAll(/ (?:href|action)="(?!#|data:)([^"]*)"/g)].map(([, url = '']) =>
      url.replaceAll('&amp;', '&'),
    );

  before(async () => {
    await setNew('draft');
    await headingIs('Rocket changelog');
  });

  it('shows the only public product, with the URL of its own page as the canonical one', async () => {
    const [home, own] = [await read('/'), await read(`/${PAGE}`)];
    const articlesOf = (body: string) =>
      body
        .slice(body.indexOf('<article'), body.indexOf('</main>'))
        .replaceAll(/ (?:href|action)="[^"]*"/g, '');
    assert.equal(articlesOf(home.body), articlesOf(own.body));
    assert.ok(home.body.includes(`<link rel="canonical" href="${BASE_URL}/${PAGE}">`));
    assert.doesNotMatch(home.body, /noindex|hush-hush/);
    assert.equal(home.headers['content-security-policy'], own.headers['content-security-policy']);
    const [twin, ownTwin] = [await read('/index.md'), await read(`/${PAGE}.md`)];
    assert.deepEqual([twin.body, home.headers.link], [ownTwin.body, own.headers.link]);
    assert.match(twin.body, /^# Rocket changelog\n/);
    assert.doesNotMatch((await read('/sitemap.xml')).body, /example\.com\/<\/loc>/);
  });

  it('has links that lead somewhere, to the product’s own page where they have filters', async () => {
    const checked = new Set<string>();
    for (const url of ['/', '/?limit=1', '/?q=countdown&type=added', '/?q=nothing']) {
      const { statusCode, body } = await read(url);
      assert.equal(statusCode, 200, url);
      const links = linksIn(body).map((link) => new URL(link, BASE_URL));
      for (const { href, pathname, search } of links) {
        assert.ok(search === '' || pathname !== '/', `${href} on ${url}`);
        if (checked.has(href)) continue;
        checked.add(href);
        assert.equal((await read(pathname + search)).statusCode, 200, `${href} on ${url}`);
      }
    }
  });

  it('takes the parameters of the product’s page, and its cursors', async () => {
    const first = await read('/?limit=1');
    const older = /<a rel="next" href="([^"]*)"/.exec(first.body)?.[1]?.replaceAll('&amp;', '&') ?? '';
    assert.ok(older.startsWith(`${PAGE}?`), older);
    for (const url of [`/${older}`, older.slice(PAGE.length).replace(/^/, '/')]) {
      const { body } = await read(url);
      assert.match(body, /id="ver_100"/, url);
      assert.doesNotMatch(body, /id="ver_210"/);
      assert.match(body, /noindex, follow/);
    }
    assert.match((await read('/?q=countdown')).body, /<mark>countdown<\/mark>/);
    const { statusCode, body } = await read('/?since=yesterday&q=a');
    assert.equal(statusCode, 400);
    assert.match(body, /aria-describedby="since-problem"/);
  });

  it('leads to the product’s own domain, if it has one', async () => {
    const relativeLinks = async () =>
      linksIn((await read('/?limit=1')).body).filter((link) => !link.startsWith('https://')).length;
    const relative = await relativeLinks();
    await execute(suite.sandbox, "update products set domain = 'rocket.example' where name = 'Rocket'");
    await becomes(relativeLinks, 0);
    assert.match((await read('/?limit=1')).body, /<link rel="canonical" href="https:\/\/rocket\.example\/">/);
    await execute(suite.sandbox, 'update products set domain = null');
    await becomes(relativeLinks, relative);
  });

  it('lists all of them as soon as there is another, and nothing if there is none', async () => {
    await setNew('published');
    await headingIs('Changelogs');
    const { body } = await read('/');
    assert.match(body, new RegExp(`href="${PAGE}"`));
    assert.match(body, /href="changelog\/acme\/new"/);
    assert.doesNotMatch(body, /hush-hush|<article/);
    await setNew('draft');
    await headingIs('Rocket changelog');
    await execute(suite.sandbox, "update teams set visibility = 'private' where slug = 'acme'");
    await headingIs('Changelogs');
    assert.match((await read('/')).body, /Nothing is published yet/);
  });

  it('is a 404 unless LISTING is all', async (t) => {
    const { app } = await startApp(t, suite.sandbox, { BASE_URL });
    assert.equal((await app.inject('/')).statusCode, 404);
  });
});
