// The guide on the reference page: everything it shows works.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { asRead } from '../../support/content/written-html.ts';
import { listenApp } from '../../support/program/app.ts';
import { suiteWithWorld } from '../support/suite.ts';

const CLIENT = pathToFileURL(path.resolve(import.meta.dirname, '../../client/index.js')).href;

describe('the guide at /docs', () => {
  const suite = suiteWithWorld();
  let page: string;
  let guide: Readonly<Record<'first' | 'response' | 'paged' | 'link' | 'client', string>>;
  let urls: readonly string[];

  before(async () => {
    const { address } = await listenApp(suite.scope, suite.sandbox);
    page = await (await fetch(`${address}/docs`)).text();
    const [, section = ''] = /<h2[^>]* id="guide">(.*?)<\/section>/s.exec(page) ?? [];
    const blocks = [...section.matchAll(/<pre\b[^>]*>(.*?)<\/pre>/gs)].map(([, html = '']) => textOf(html));
    const [first = '', response = '', , , , , paged = '', link = '', , client = ''] = blocks;
    guide = { first, response, paged, link, client };
    urls =
      blocks
        .filter((each) => /^(?:curl|const response)/.test(each))
        .join('\n')
        .match(/http:[^\s']+/g) ?? [];
  });

  const textOf = (html: string) => asRead(html.replaceAll(/<[^>]*>/g, '').trim());

  it('the guide starts with a request, and shows a response of the same form', async () => {
    const [, url = ''] = /^curl (\S+)$/.exec(guide.first) ?? [];
    const response = (await (await fetch(url)).json()) as { data: { versions: object[] } };
    const shown = JSON.parse(guide.response) as typeof response;
    assert.deepEqual(Object.keys(shown.data), Object.keys(response.data));
    assert.deepEqual(Object.keys(shown.data.versions[0] ?? {}), Object.keys(response.data.versions[0] ?? {}));
  });

  it('every request in the guide returns 200', async () => {
    assert.equal(urls.length, 7);
    for (const url of urls) {
      const headers: Record<string, string> = url.includes('/public/')
        ? {}
        : { authorization: `Bearer ${suite.world.full}` };
      assert.equal((await fetch(url, { headers })).status, 200, url);
    }
  });

  it('the guide shows the Link header as servers send it', async () => {
    const [, url = ''] = /'(.*)'/.exec(guide.paged) ?? [];
    const link = (await fetch(url.replace('limit=2', 'limit=1'))).headers.get('link') ?? '';
    const form = /^<\S+\?limit=\d&cursor=[\w-]+>; rel="next"$/;
    assert.match(link, form);
    assert.match(guide.link.replace('link: ', ''), form);
  });

  it('the client code runs', async () => {
    const code = guide.client.replace("'changelog-read-client'", JSON.stringify(CLIENT));
    const file = path.join(suite.sandbox.folder, 'guide.mjs');
    writeFileSync(file, `${code}\nexport default { latest, groups };`);
    const { default: found } = await import(pathToFileURL(file).href);
    assert.equal(found.latest.version, '2.1.0');
    assert.ok(found.groups.length > 0);
  });

  it('the guide names the pages of a product', () => {
    assert.ok(page.includes('<code>/changelog/{team}/{product}</code>'));
  });

  it('an operation on both surfaces has a command for each, and one example', () => {
    const [operation = ''] =
      /<details[^>]* id="operation-getpublicversion".*?(?=<details class)/s.exec(page) ?? [];
    const commands = [...operation.matchAll(/<pre\b[^>]*>(curl .*?)<\/pre>/gs)].map(([, html = '']) =>
      textOf(html),
    );
    assert.equal(commands.length, 2);
    assert.match(commands[0] ?? '', /^curl http\S+\/public\/\S+\/versions\/latest$/);
    assert.match(
      commands[1] ?? '',
      /^curl -H "Authorization: Bearer \$KEY" \\\n {2}http\S+\/versions\/latest$/,
    );
    assert.equal(operation.match(/<summary>Example/g)?.length, 1);
    assert.match(textOf(operation), /Statuses: 200, 304, 400, 401, 403, 404, 405, .*503\./);
  });
});
