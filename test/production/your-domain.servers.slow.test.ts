// Follows docs/production/your-domain.md with real proxies.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { daemon } from '../../cluster/daemon.ts';
import { ensureServers, serverProgram } from '../../cluster/debian.ts';
import { type Node, startNode } from '../../cluster/nodes.ts';
import { onLoopback } from '../../cluster/on-loopback.ts';
import { freePort } from '../../cluster/port.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { runOk } from '../../support/program/command.ts';
import { codeBlocks, section } from '../support/markdown.ts';
import { startSite } from './nginx-site.ts';
import { ROOT, readPage, replaceShown } from './page.ts';

const PAGE = readPage('your-domain.md');
const scope = sharedScope();
const CURL = /^curl (.*)$/gm;

const stepOf = (heading: string) =>
  codeBlocks(section(PAGE, heading))
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text)
    .join('');
const hereDocument = (step: string) => /<<'END'\n(.*?)^END$/ms.exec(stepOf(step))?.[1] ?? '';

describe('docs/production/your-domain.md', () => {
  const folder = temporaryFolder(scope);
  const sandbox = { folder, environment: { DATABASE_URL: `sqlite:${path.join(folder, 'changelog.db')}` } };
  let node: Node;
  before(async () => {
    await ensureServers(['curl', 'nginx', 'caddy']);
    await runOk(sandbox, ['apply', path.join(ROOT, 'demo/acme.yaml')]);
    const command = /^changelog (product set .*)$/m.exec(stepOf('## 2. Declare the domain'))?.[1] ?? '';
    await runOk(sandbox, command.split(' '));
    const settings = hereDocument('## 3. Tell the server where it is').trim().split('\n');
    const environment = Object.fromEntries(settings.map((line) => line.split('=')));
    node = await startNode(scope, { folder, environment: { ...sandbox.environment, ...environment } });
  });

  /** Runs the curl commands of a step, with `--resolve` for what DNS would do. */
  async function curl(step: string, args: readonly string[], edit = (line: string) => line): Promise<string> {
    const lines = [...stepOf(step).matchAll(CURL)].map(([, line = '']) => edit(line));
    assert.ok(lines.length > 0);
    let printed = '';
    for (const line of lines) {
      const words = `curl --silent --fail ${args.join(' ')} ${line}`;
      printed += (await promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', words])).stdout;
    }
    return printed;
  }
  const SHOWN = /^2\.1\.0\n<link rel="canonical" href="https:\/\/changes\.rocket\.example\/">$/;

  it('the domain answers before DNS knows it', async () => {
    const printed = await curl('## 2. Declare the domain', [], (line) =>
      line.replace('http://127.0.0.1:3000', node.address),
    );
    assert.equal(printed, '2.1.0\n');
  });

  it('Caddy serves both names with TLS', async () => {
    const { port, authority } = await onLoopback(scope, 'caddy', async (httpsPort, place) => {
      const options = [
        'admin off',
        'local_certs',
        'skip_install_trust',
        `http_port ${await freePort()}`,
        `https_port ${httpsPort}`,
      ];
      const site = replaceShown(hereDocument('## 4. With Caddy'), [
        ['127.0.0.1:3000', `127.0.0.1:${node.port}`],
      ]);
      writeFileSync(path.join(place, 'Caddyfile'), `{\n${options.join('\n')}\n}\n${site}`);
      const { start, stop } = daemon({
        command: serverProgram('caddy'),
        args: ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'],
        folder: place,
        environment: { HOME: place, XDG_DATA_HOME: place },
        ready: /serving initial configuration/,
      });
      await start();
      return {
        port: httpsPort,
        authority: path.join(place, 'caddy/pki/authorities/local/root.crt'),
        stop: () => stop('SIGTERM'),
      };
    });
    const args = [
      '--connect-to',
      `::127.0.0.1:${port}`,
      '--cacert',
      authority,
      '--retry',
      '5',
      '--retry-all-errors',
    ];
    assert.match((await curl('## 5. Look at it', args)).trim(), SHOWN);
  });

  it('the site for nginx that sed writes serves both names', async () => {
    const command = /^sed .*?changelog\.conf > \S+$/ms.exec(stepOf('## 4. With nginx'))?.[0] ?? '';
    const written = path.join(folder, 'changelog.conf');
    execFileSync(
      'sh',
      [
        '-ec',
        replaceShown(command, [
          ['/etc/nginx/conf.d/changelog.conf', written],
          ['/srv/changelog', ROOT],
        ]),
      ],
      {
        cwd: ROOT,
      },
    );
    const { port } = await startSite(scope, (listening, place) =>
      replaceShown(readFileSync(written, 'utf8'), [
        ['listen 80;', `listen 127.0.0.1:${listening};`],
        ['127.0.0.1:3000', `127.0.0.1:${node.port}`],
        ['/var/cache/changelog', path.join(place, 'cache')],
        ['/var/log/nginx/access.log', path.join(place, 'access.log')],
      ]),
    );
    const printed = await curl('## 5. Look at it', ['--connect-to', `::127.0.0.1:${port}`], (line) =>
      line.replace('https:', 'http:'),
    );
    assert.match(printed.trim(), SHOWN);
  });
});
