// Static sites on hosts that know nothing, below a path as on GitHub Pages.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { serverProgram } from '../../cluster/debian.ts';
import { crawl, serverReader } from '../../support/http/crawl.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { run } from '../../support/program/command.ts';
import { HOSTS, type StaticHost, startHost } from '../client/static-hosts.ts';
import { filesIn } from './files.ts';

const CHANGELOG = Array.from(
  { length: 25 },
  (_, number) =>
    `## ${25 - number}.0.0+build - 20${String(26 - number).padStart(2, '0')}-01-01\n\n### Added\n\n- Something.\n`,
).join('\n');

for (const name of HOSTS)
  describe(`a static site on ${name}, below a path`, () => {
    const scope = sharedScope();
    let host: StaticHost;
    before(async () => {
      host = await startHost(scope, name);
    });

    const buildInto = async (folder: string, ...args: string[]) => {
      const sandbox = { folder: temporaryFolder(scope), withoutDatabase: true };
      const out = path.join(host.folder, folder);
      const { code, stderr } = await run(sandbox, ['build', '-', '--out', out, ...args], CHANGELOG);
      assert.equal(code, 0, stderr);
      return out;
    };

    it('has no broken link, with and without a base', async () => {
      const base = `${host.address}/based/`;
      const [without, based] = [await buildInto('rocket'), await buildInto('based', '--base', base)];
      for (const [folder, url] of [[without, `${host.address}/rocket/`] as const, [based, base] as const]) {
        const { visited, broken, outside } = await crawl(serverReader(url), { base: url });
        assert.deepEqual(broken, []);
        assert.deepEqual(
          outside.filter((link) => link.startsWith(host.address)),
          [],
        );
        const pages = filesIn(folder).filter((file) => /\.html$/.test(file) && !file.endsWith('notes.html'));
        assert.deepEqual(
          pages.filter((file) => !visited.includes(file)),
          [],
        );
      }
    });

    if (name === 'nginx')
      it('has the types of its files, in UTF-8, and nginx gives no warning', async () => {
        const config = path.join(path.dirname(host.folder), 'nginx.conf');
        const { stderr } = await promisify(execFile)(serverProgram('nginx'), [
          '-t',
          '-e',
          'stderr',
          '-c',
          config,
        ]);
        assert.doesNotMatch(stderr, /\[(?:warn|error|emerg)\]/);
        await buildInto('types', '--base', `${host.address}/types/`);
        const typeOf = async (file: string) =>
          (await fetch(`${host.address}/types/${file}`)).headers.get('content-type');
        for (const [file, type] of [
          ['index.html', 'text/html; charset=utf-8'],
          ['changelog.json', 'application/json; charset=utf-8'],
          ['feed.atom', 'application/atom+xml; charset=utf-8'],
          ['CHANGELOG.md', 'text/markdown; charset=utf-8'],
          ['style.css', 'text/css; charset=utf-8'],
          ['sitemap.xml', 'application/xml'],
        ] as const)
          assert.equal(await typeOf(file), type);
      });

    // Python's server has a page of its own.
    if (name === 'nginx')
      it('has a page for what is missing, at any depth, that leads to the changelog', async () => {
        const base = `${host.address}/missing/`;
        const folder = await buildInto('missing', '--base', base);
        // The host's page for all paths, as GitHub has one for each project.
        copyFileSync(path.join(folder, '404.html'), path.join(host.folder, '404.html'));
        const response = await fetch(`${base}versions/none/notes.md`);
        assert.equal(response.status, 404);
        const body = await response.text();
        const links = [...body.matchAll(/<a (?!class="skip")[^>]*href="([^"]*)"/g)].map(([, link]) => link);
        assert.deepEqual(links, [base, base]);
        assert.match(body, />All versions<\/a>/);
        assert.match(await (await fetch(base)).text(), /<h1/);
      });
  });
