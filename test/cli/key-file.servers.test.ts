// A key in a file is never visible in the list of processes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { ensureServers } from '../../cluster/debian.ts';
import { startApp } from '../../support/program/app.ts';
import { apply, runOk } from '../../support/program/command.ts';
import { section } from '../support/markdown.ts';
import { documentOf, sandboxOf } from './helpers.ts';

const CLI = readFileSync(path.resolve(import.meta.dirname, '../../docs/cli.md'), 'utf8');

describe('a key in a file', () => {
  before(() => ensureServers(['curl']));

  const shown = section(CLI, '### `changelog key create <team>`');
  const [, , piped = ''] = [...shown.matchAll(/```sh\n([^`]*)```/g)]
    .map(([, text]) => text ?? '')
    .join('')
    .split('\n');
  const [, configured = ''] = /`(sed [^`]+ --config - URL)`/.exec(shown) ?? [];

  for (const [how, line] of Object.entries({ 'a header': piped, 'an option file': configured })) {
    it(`the documented command sends a key from a file as ${how}, and keeps it out of the list of processes`, async (t) => {
      const sandbox = sandboxOf(t);
      await apply(sandbox, documentOf([]));
      const { app } = await startApp(t, sandbox);
      await runOk(sandbox, ['key', 'create', 'acme', '--kind', 'FULL', '--out', 'acme.key']);
      const key = readFileSync(path.join(sandbox.folder, 'acme.key'), 'utf8').trim();
      let seen: string[] = [];
      // Read while curl waits for the response.
      const server = createServer(async ({ url = '', headers }, response) => {
        seen = processes();
        const { statusCode, body } = await app.inject({
          url,
          headers: { authorization: headers.authorization },
        });
        response.writeHead(statusCode).end(body);
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      t.after(() => server.close());
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const url = `${address}/api/v1/teams/acme/products/rocket/changelog`;
      const command = line.replace(/http:\S+|URL$/, url).replace('curl', 'curl -fsS');
      const child = spawn('sh', ['-c', command], {
        cwd: sandbox.folder,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let body = '';
      child.stdout.on('data', (chunk) => {
        body += chunk;
      });
      const [code] = await once(child, 'close');
      assert.equal(code, 0);
      assert.equal(JSON.parse(body).data.object, 'changelog');
      assert.ok(seen.some((commandLine) => commandLine.startsWith('curl')));
      assert.ok(!seen.some((commandLine) => commandLine.includes(key)));
    });
  }
});

function processes(): string[] {
  return globSync('/proc/[0-9]*/cmdline').flatMap((file) => {
    try {
      return [readFileSync(file, 'utf8')];
    } catch {
      return [];
    }
  });
}
