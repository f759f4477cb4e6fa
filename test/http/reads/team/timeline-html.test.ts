import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { execute } from '../../../../support/databases/engine.ts';
import { startApp } from '../../../../support/program/app.ts';
import { apply } from '../../../../support/program/command.ts';
import { becomes } from '../../../support/becomes.ts';
import { suiteWithWorld } from '../../../support/suite.ts';
import { applyFamily, FAMILY, PUBLIC_TEAM, productOf, SHARED } from './family.ts';

const BASE_URL = 'https://changes.example.com';
const PAGE = '/changelog/family';

describe('the page of a team (R64)', () => {
  const suite = suiteWithWorld({ BASE_URL });

  before(() => applyFamily(suite.sandbox));

  const textOf = async (url: string) => {
    const { statusCode, body } = await suite.app.inject(url);
    assert.equal(statusCode, 200, url);
    return body;
  };
  const unescaped = (text: string) => text.replaceAll('&amp;', '&');
  const articlesIn = (body: string) =>
    body
      .split('<article ')
      .slice(1)
      .map((text) => text.slice(0, text.indexOf('</article>')));
  /** The product and the label of each version. */
  const namesIn = (body: string) =>
    articlesIn(body).map((article) =>
      [/class="sr" dir="auto">([^<]*)/, /class="label" dir="auto">(.*?)<\/span>/]
        .map((part) => part.exec(article)?.[1]?.replaceAll(/<\/?mark>/g, ''))
        .join(' '),
    );
  const olderIn = (body: string) => unescaped(/<a rel="next" href="([^"]*)"/.exec(body)?.[1] ?? '');

  it('shows the products, then the versions of all of them by date, 20 on a page', async () => {
    const body = await textOf(PAGE);
    const cards = [...body.matchAll(/<li class="item">.*?<h2><a href="([^"]*)"/gs)].map(([, url]) => url);
    assert.deepEqual(cards, ['family/rocket', 'family/lander', 'family/probe']);
    assert.deepEqual(namesIn(body).slice(0, 3), ['Rocket 2.0.0', 'Lander 1.2.0', 'Probe 0.9.0']);
    assert.equal(namesIn(body).length, 7);
    assert.match(articlesIn(body)[0] ?? '', /<a class="name of" href="family\/rocket">/);
    assert.match(
      articlesIn(body)[0] ?? '',
      /<h2><a class="u-url p-name" href="family\/rocket\/versions\/2\.0\.0">/,
    );
    assert.doesNotMatch(body, /Hidden|9\.0\.0|3\.0\.0|rel="next"|noindex/);
    assert.match(body, /<link rel="canonical" href="https:\/\/changes\.example\.com\/changelog\/family">/);
    for (const [file, type] of [
      ['feed.atom', 'application/atom+xml'],
      ['feed.rss', 'application/rss+xml'],
      ['feed.json', 'application/feed+json'],
    ]) {
      const url = `${BASE_URL}${PUBLIC_TEAM}/${file}`;
      assert.match(
        body,
        new RegExp(
          `<link rel="alternate" type="${RegExp.escape(type ?? '')}" title="[^"]+" href="${RegExp.escape(url)}">`,
        ),
      );
      assert.equal(body.split(`href="${url}"`).length, 3, 'also behind the button');
    }
    const many = Array.from({ length: 21 }, (_, index) => [`1.0.${index}`, 5_000 + index, []] as const);
    const team = { slug: 'many', name: 'Many', visibility: 'public', plan: 'free' };
    await apply(suite.sandbox, { team, products: [productOf('only', many)] });
    const first = await textOf('/changelog/many');
    assert.equal(namesIn(first).length, 20);
    const last = await textOf(`/changelog/many${olderIn(first)}`);
    assert.deepEqual(namesIn(last), ['Only 1.0.20']);
    assert.match(last, /<meta name="robots" content="noindex, follow">/);
    assert.match(last, /<a href="many">Newest versions<\/a>/);
    assert.doesNotMatch(last, /class="item"/);
  });

  it('a shared change is shown once on a page, and names the others', async () => {
    const body = await textOf(PAGE);
    const [rocket = '', lander = '', probe = ''] = articlesIn(body);
    assert.match(
      rocket,
      new RegExp(
        `${RegExp.escape(SHARED)}.*<div class="also"><p>Also in <a href="family/lander/versions/1\\.2\\.0" dir="auto">Lander 1\\.2\\.0</a></p></div>`,
        's',
      ),
    );
    // It is breaking in one of them.
    assert.match(rocket, /2 breaking changes/);
    assert.ok(!lander.includes(SHARED));
    assert.match(
      lander,
      /A leg\..*<div class="also"><p>Shared changes are listed under <a href="family\/rocket\/versions\/2\.0\.0" dir="auto">Rocket 2\.0\.0<\/a>/s,
    );
    assert.ok(probe.includes(SHARED), 'published too late');
    const second = await textOf(`${PAGE}${olderIn(await textOf(`${PAGE}?limit=1`))}`);
    assert.deepEqual(namesIn(second), ['Lander 1.2.0']);
    assert.ok(second.includes(SHARED), 'on another page');
  });

  it('filters select what they select in the API, and the page has whole versions', async () => {
    for (const query of [
      '?type=security',
      '?type=fixed&type=added',
      '?breaking=true',
      '?prerelease=false',
      '?from=0.9.0&to=1.2.0',
      '?q=leak',
      '?since=2026-05-04T07:00:00Z&until=2026-05-04T11:30:00Z',
    ]) {
      const { data } = (await suite.app.inject(`${PUBLIC_TEAM}/versions${query}`)).json();
      const names = data.versions.map(
        ({ version, product }: { version: string; product: { name: string } }) =>
          `${product.name} ${version}`,
      );
      const body = await textOf(PAGE + query);
      assert.deepEqual(namesIn(body), names, query);
      assert.match(body, new RegExp(`<p>${names.length} versions? match`));
      assert.match(body, /noindex, follow/);
      assert.doesNotMatch(body, /class="item"/);
      assert.match(unescaped(body), new RegExp(`${RegExp.escape(`${PUBLIC_TEAM}/feed.atom?`)}\\w`));
    }
    assert.match(await textOf(`${PAGE}?breaking=true&type=removed`), /A leg|The fuse/);
    assert.match(await textOf(`${PAGE}?q=camera`), /No versions match/);
    assert.match(await textOf(`${PAGE}?q=telemetry`), /<mark>Telemetry<\/mark>/);
    const body = await textOf(PAGE);
    assert.match(
      body,
      /<input class="field" type="search" id="q" name="q" placeholder="Search all products"/,
    );
    assert.match(body, /<a class="dot security" href="\?type=security" rel="nofollow">Security<\/a>/);
    assert.doesNotMatch(body, /id="from"/);
    assert.match(await textOf(`${PAGE}?from=1.0.0`), /id="from"/);
  });

  it('a wrong value is a 400 page with the form as it was filled in', async () => {
    for (const [query, message] of [
      ['q=leak&since=yesterday', /id="since-problem">Enter a date/],
      ['q=leak&type=new', /id="type-problem"/],
      ['q=leak&limit=0', /Enter a whole number from 1 to 100/],
      ['q=leak&products=some', /<li>Enter all\.<\/li>/],
      ['q=leak&cursor=x', /This link to older versions is not valid/],
      ['q=leak&tpye=added', /Did you mean type\?/],
    ] as const) {
      const { statusCode, body } = await suite.app.inject(`${PAGE}?${query}`);
      assert.equal(statusCode, 400, query);
      assert.match(body, message);
      assert.match(body, /value="leak" placeholder="Search all products"/);
      assert.doesNotMatch(body, /name="from"/);
    }
    const older = olderIn(await textOf(`${PAGE}?limit=1`)).replace('limit=1&', '');
    assert.equal((await suite.app.inject(`${PAGE}${older}&type=fixed`)).statusCode, 400);
    assert.equal((await suite.app.inject(`/changelog/acme${older}`)).statusCode, 400);
  });

  it('more than twelve products are listed on a page of their own, which has pages too', async () => {
    const team = { slug: 'large', name: 'Large', visibility: 'public', plan: 'free' };
    const products = Array.from({ length: 101 }, (_, index) => productOf(`p-${1000 + index}`, []));
    await apply(suite.sandbox, { team, products: products.slice(0, 13) });
    const body = await textOf('/changelog/large');
    assert.equal(body.match(/<li class="item">/g)?.length, 12);
    assert.match(body, /Nothing is published yet/);
    assert.match(body, /<a class="button" href="\?products=all" rel="nofollow">More products<\/a>/);
    assert.doesNotMatch(body, /type="search"/);
    await apply(suite.sandbox, { team, products });
    const listed = async () =>
      (await textOf('/changelog/large?products=all')).match(/<li class="item">/g)?.length;
    await becomes(listed, 100);
    const all = await textOf('/changelog/large?products=all');
    assert.match(all, /noindex, follow/);
    const more = olderIn(all);
    assert.match(more, /^\?products=all&cursor=/);
    assert.equal((await textOf(`/changelog/large${more}`)).match(/<li class="item">/g)?.length, 1);
    // The cursor of one list is none of the other.
    const cursor = more.replace('products=all&', '');
    assert.equal((await suite.app.inject(`/changelog/large${cursor}`)).statusCode, 400);
  });

  it('every version speaks the language of its changelog, and is marked with it', async () => {
    const team = { slug: 'tongues', name: 'Tongues', visibility: 'public', plan: 'free' };
    const inLanguage = (slug: string, language: string) => {
      const { changelog, ...product } = productOf(slug, [['1.0.0', 5, [`fixed ${slug}.`]]]);
      return { ...product, changelog: { ...changelog, language } };
    };
    await apply(suite.sandbox, { team, products: [inLanguage('eins', 'de')] });
    const german = await textOf('/changelog/tongues');
    assert.match(german, /<html lang="de">/);
    assert.match(german, /<article class="version h-entry" id="[^"]+">/);
    await apply(suite.sandbox, { team, products: [inLanguage('zwei', 'ar'), inLanguage('drei', 'fi')] });
    await becomes(async () => /<html lang="en">/.test(await textOf('/changelog/tongues')), true);
    const articles = articlesIn(await textOf('/changelog/tongues'));
    const ofProduct = (name: string) => articles.find((article) => article.includes(`>${name}<`)) ?? '';
    assert.match(ofProduct('Eins'), /^class="version h-entry" id="[^"]+" lang="de">[\s\S]*Behoben/);
    assert.match(ofProduct('Zwei'), /^class="version h-entry" id="[^"]+" lang="ar" dir="rtl">/);
    assert.match(
      ofProduct('Drei'),
      /^class="version h-entry" id="[^"]+">[\s\S]*<span lang="fi" dir="auto">Drei/,
    );
  });

  it('leads to the pages of a product on its own domain', async () => {
    const team = { slug: 'hosts', name: 'Hosts', visibility: 'public', plan: 'free' };
    const shared = ['fixed A bug.'];
    const products = [
      productOf('one', [['1.0.0', 0, shared]], { domain: 'one.example' }),
      productOf('two', [['2.0.0', 1, shared]]),
    ];
    await apply(suite.sandbox, { team, products });
    const [one = '', two = ''] = articlesIn(await textOf('/changelog/hosts'));
    assert.match(one, /<a class="name of" href="https:\/\/one\.example\/">/);
    assert.match(one, /href="https:\/\/one\.example\/versions\/1\.0\.0">/);
    assert.match(one, /Also in <a href="hosts\/two\/versions\/2\.0\.0"/);
    assert.match(two, /listed under <a href="https:\/\/one\.example\/versions\/1\.0\.0"/);
  });

  it('shows what was published or hidden in any product, and no edit of a draft', async () => {
    const labels = async () => namesIn(await textOf(PAGE));
    const [before, { headers }] = [await labels(), await suite.app.inject(PAGE)];
    await execute(suite.sandbox, "update versions set title = 'Other' where label = '3.0.0'");
    await execute(suite.sandbox, "update products set name = 'Other' where slug = 'hidden'");
    assert.equal((await suite.app.inject(PAGE)).headers.etag, headers.etag);
    await execute(suite.sandbox, "update versions set status = 'published' where label = '1.1.0'");
    await becomes(async () => (await labels()).includes('Lander 1.1.0'), true);
    await execute(suite.sandbox, "update versions set status = 'draft' where label = '1.1.0'");
    await becomes(labels, before);
  });

  it('a team whose products are all hidden is the same as a missing one', async (t) => {
    const products = FAMILY.products.map((product) => ({ ...product, status: 'locked' }));
    await apply(suite.sandbox, { team: { ...FAMILY.team, slug: 'shut', name: 'Shut' }, products });
    const { app, queries } = await startApp(t, suite.sandbox, { BASE_URL });
    const seen = async (url: string) => {
      queries.length = 0;
      const { statusCode, headers, body } = await app.inject(url);
      const { date, ratelimit, 'x-request-id': id, ...rest } = headers;
      return { statusCode, rest, body, queries: queries.map(({ query }) => query.sql) };
    };
    for (const query of ['', '?q=leak', '?products=all']) {
      const missing = await seen(`/changelog/nobody${query}`);
      assert.equal(missing.statusCode, 404);
      assert.equal(missing.queries.length, 1);
      for (const team of ['shut', 'vault'])
        assert.deepEqual(await seen(`/changelog/${team}${query}`), missing);
    }
    for (const [LISTING, status] of [
      ['none', 404],
      ['team', 200],
      ['all', 200],
    ] as const) {
      const { app } = await startApp(t, suite.sandbox, { LISTING });
      assert.equal((await app.inject(PAGE)).statusCode, status, LISTING);
    }
  });
});
