import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { crawl, folderReader, linksIn, serverReader } from '../../support/http/crawl.ts';
import { crawlHosts, openHostClient } from '../../support/http/crawl-hosts.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';

const BASE = 'https://acme.example/rocket/';
const WHOLE = {
  'index.html': `<link rel="alternate" href="feed.atom"><meta property="og:url" content="${BASE}"><a href="versions/1%2B1.html#chg_1">1</a>
<pre>&lt;a href="no-link"&gt;</pre><a href="#top">up</a><b id="top">x</b><img src="data:image/png;base64,AA=="><a href="https://other.example/x?y">x</a>`,
  'versions/1+1.html': '<p id="chg_1"><a href="../">home</a> <a href="../changelog.json">JSON</a>',
  'changelog.json': `[{"url":"versions/1%2B1.html","page":"${BASE}","title":"x","content_html":"<a href='CHANGELOG.md'>x</a>"}]`,
  'CHANGELOG.md': '[1]: latest.txt\n\n[1] <https://other.example/>',
  'latest.txt': '1+1',
  'feed.atom': `<feed><id>tag:x</id><link href="${BASE}"/><content type="html">&lt;a href=&quot;badge.svg&quot;&gt;</content></feed>`,
  'badge.svg': '<svg/>',
  'robots.txt': `Sitemap: ${BASE}sitemap.xml`,
  'sitemap.xml': `<urlset><url><loc>${BASE}versions/1%2B1.html</loc></url></urlset>`,
  'llms.txt': `- [home](${BASE}index.html): x`,
  '404.html': '',
};

function write(t: TestContext, site: Record<string, string>): string {
  const folder = temporaryFolder(t);
  for (const [file, body] of Object.entries(site)) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), body);
  }
  return folder;
}

describe('a crawl', () => {
  it('finds every file of a site whose links are right, in a folder and on a server', async (t) => {
    const found = {
      visited: Object.keys(WHOLE).sort(),
      broken: [],
      outside: ['https://other.example/', 'https://other.example/x?y'],
    };
    assert.deepEqual(await crawl(folderReader(write(t, WHOLE)), { base: BASE }), found);
    const server = http.createServer((request, response) => {
      const file = decodeURIComponent(request.url ?? '').replace(/^\/below\//, '');
      const body = (WHOLE as Record<string, string>)[file || 'index.html'];
      response.writeHead(body === undefined ? 404 : 200).end(body);
    });
    t.after(() => server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/below/`;
    assert.deepEqual(await crawl(serverReader(root), { base: BASE }), found);
    const { broken } = await crawl(serverReader(root), { base: BASE, starts: ['', 'none.html'] });
    assert.deepEqual(broken, ['/none.html is 404']);
  });

  it('reports what is missing, leads out of the folder, needs a server or has no such place', async (t) => {
    const links = ['a.html', './', '/b', '../c', '?q=1', '#d', 'e.html#f', 'sub', `${BASE}g`, 'http://['];
    const folder = write(t, {
      'index.html': links.map((link) => `<a href="${link}">x</a>`).join(''),
      'e.html': '<form action="search"></form>',
      'sub/index.html': '',
    });
    const { broken } = await crawl(folderReader(folder), { base: BASE, starts: [''] });
    assert.deepEqual(broken, [
      '/ links to a.html, which is missing',
      '/ links to /b, which leads out of the folder',
      '/ links to ../c, which leads out of the folder',
      '/ links to ?q=1, which has a query, which needs a server',
      '/ links to #d, which has no #d',
      '/ links to e.html#f, which has no #f',
      '/ links to sub, which is a folder without a slash at the end',
      `/ links to ${BASE}g, which is missing`,
      '/ links to http://[, which is not a URL',
      '/e.html links to search, which is missing',
    ]);
  });

  it('of hosts follows links to all of them by their names, and reports what is broken or leads elsewhere', async (t) => {
    const pages: Record<string, string> = {
      'a.test/': '<a href="x?y#here">x</a><a href="https://b.test/">b</a><a href="https://c.test/">c</a>',
      'a.test/x?y': '<b id="here"><a href="?z">a filter of a filter</a><a href="/none"><a href="#none">',
      'b.test/': '<a href="https://a.test/feed">a feed</a>',
      'a.test/feed': '{"url":"https://b.test/moved"}',
    };
    const server = http.createServer(({ headers, url }, response) => {
      const body = pages[`${headers.host}${url}`];
      if (url === '/moved')
        response.writeHead(302, { location: '/', link: '<https://a.test/>; rel="x"' }).end();
      else if (body === undefined) response.writeHead(404).end();
      else response.setHeader('content-type', url === '/feed' ? 'application/json' : 'text/html').end(body);
    });
    t.after(() => server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = openHostClient({ port: (server.address() as AddressInfo).port });
    t.after(client.close);
    const found = await crawlHosts(client, ['https://a.test', 'https://b.test'], ['https://a.test/']);
    const paths = ['a.test/', 'a.test/x?y', 'b.test/', 'a.test/none', 'a.test/feed', 'b.test/moved'];
    assert.deepEqual(
      [...found.visited.keys()],
      paths.map((path) => `https://${path}`),
    );
    assert.deepEqual(found.broken, [
      'https://a.test/x?y links to https://a.test/none, which is 404',
      'https://a.test/x?y links to https://a.test/x?y#none, which has no such place',
    ]);
    assert.deepEqual(found.outside, ['https://c.test/']);
  });

  it('finds links in every kind of file', () => {
    const kinds: [file: string, body: string, links: string[]][] = [
      [
        'a.html',
        '<img src=a srcset="b 1x, c 2x"><form action="d"><button formaction="e">',
        ['a', 'b', 'c', 'd', 'e'],
      ],
      [
        'a.rss',
        '<link>a</link><guid isPermaLink="false">b</guid><guid>c</guid><enclosure url="d"/>',
        ['d', 'a', 'c'],
      ],
      ['a.rss', '<description><![CDATA[<a href="a?b&amp;c">]]></description>', ['a?b&c']],
      ['releases.xml', '<release><url>a</url></release>', ['a']],
      ['a.json', '{"feed_url":"a","items":["https://b.example","c"],"d":null}', ['a', 'https://b.example']],
      ['a.txt', 'see https://a.example/b. [c](d)', ['https://a.example/b']],
      ['llms.txt', '[a](b)', ['b']],
      ['a.js', 'href="a"', []],
    ];
    for (const [file, body, links] of kinds) assert.deepEqual(linksIn(file, body), links, file);
  });
});
