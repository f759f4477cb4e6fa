import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { ensureServers, serverProgram } from '../../cluster/debian.ts';
import { freePort } from '../../cluster/port.ts';
import { readConfig, SETTINGS } from '../../src/config.ts';
import { clientAddress } from '../../src/domain/access/client-address.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';

type Service = Readonly<{
  image: string;
  pull_policy?: string;
  build?: { context: string; dockerfile: string };
  environment?: Record<string, string>;
  command?: string[];
  volumes?: string[];
  ports?: string[];
  depends_on?: Record<string, unknown> | string[];
  networks?: { default: { ipv4_address: string } };
  healthcheck?: { test: string[] };
  stop_grace_period?: string;
}>;

const ROOT = path.resolve(import.meta.dirname, '../..');
const TEXT = read('compose.yaml');
// biome-ignore lint/suspicious/noExplicitAny: compose files have no types here.
const FILE = load(TEXT, { schema: YAML11_SCHEMA }) as any;
const SERVICES: Record<string, Service> = FILE.services;
const NODES = ['node1', 'node2'].map((name) => SERVICES[name] as Service);
const [NODE] = NODES as [Service, Service];
const NGINX = SERVICES.nginx as Service;
const SITE = 'deploy/nginx/changelog.conf';

describe('compose.yaml', () => {
  it('compose.yaml refers only to services, volumes and files that exist, and checks the health of all', () => {
    for (const [name, { depends_on = [], volumes = [], build, healthcheck }] of Object.entries(SERVICES)) {
      for (const other of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on))
        assert.ok(other in SERVICES, other);
      for (const [source = ''] of volumes.map((volume) => volume.split(':')))
        assert.ok(
          source.startsWith('./') ? existsSync(path.join(ROOT, source)) : source in FILE.volumes,
          source,
        );
      if (build) assert.ok(existsSync(path.join(ROOT, build.context, build.dockerfile)));
      assert.equal(healthcheck?.test[0], 'CMD', name);
    }
  });

  it('docker-compose 1.29 takes the file: it knows no other keys at the top', () => {
    for (const name of Object.keys(FILE)) assert.match(name, /^(?:services|networks|volumes|x-\w+)$/);
  });

  it('the image is built once, because two builds at once cannot both name it, and never pulled', () => {
    const [builder, ...others] = NODES.toSorted((a, b) => Number('build' in b) - Number('build' in a));
    assert.ok(builder?.build);
    for (const { image, build, pull_policy } of others)
      assert.deepEqual([image, build, pull_policy], [builder.image, undefined, 'never']);
  });

  it('the lines that set the password keep what is in .env', () => {
    for (const file of ['compose.yaml', 'docs/docker.md'])
      assert.match(read(file), /^(?:# {3})?echo "POSTGRES_PASSWORD=\$\([^)]+\)" >> \.env$/m);
  });

  it('compose.yaml has only settings that exist, with valid values, the same on both nodes', () => {
    const [first, second] = NODES.map(({ environment }) => environment);
    assert.deepEqual(first, second);
    const known = Object.values(SETTINGS).map(({ variable }) => variable);
    for (const [name, value] of Object.entries(first ?? {})) {
      assert.ok(known.includes(name), name);
      assert.equal(typeof value, 'string', name);
    }
    const config = readConfig(interpolated(NODE.environment));
    assert.match(config.databaseUrls[0], /^postgres:\/\/changelog:abc123@postgres:/);
    assert.ok(config.databaseUrls[0].endsWith(`/${SERVICES.postgres?.environment?.POSTGRES_DB}`));
    assert.ok(JSON.stringify(NODE.healthcheck?.test).includes(`127.0.0.1:${config.opsPort}/readyz`));
  });

  it('compose.yaml contains no password, and does not start without one', () => {
    const uses = TEXT.match(/\$\{POSTGRES_PASSWORD[^}]*\}/g) ?? [];
    assert.equal(uses.length, 2);
    for (const use of uses) assert.match(use, /:\?\S/);
    assert.equal(SERVICES.postgres?.environment?.POSTGRES_PASSWORD, uses[1]);
  });

  it('links lead to the published port of nginx, and only nginx is published', () => {
    const published = Object.values(SERVICES).flatMap(({ ports = [] }) => ports);
    assert.deepEqual(published, NGINX.ports);
    const { baseUrl } = readConfig(interpolated(NODE.environment));
    assert.equal(published[0], `127.0.0.1:${new URL(baseUrl ?? '').port}:80`);
  });

  it('the nodes trust nginx, and only nginx', () => {
    const { trustedProxies } = readConfig(interpolated(NODE.environment));
    const clientOf = (peer: string) => clientAddress(peer, '203.0.113.7', trustedProxies);
    assert.equal(clientOf(addressOf(NGINX)), '203.0.113.7');
    for (const peer of [...NODES.map(addressOf), '172.31.250.1']) assert.equal(clientOf(peer), peer);
  });

  it('a node gets enough time to drain', () => {
    const [, drainMs = ''] = /DRAIN_MS_MAX = ([\d_]+);/.exec(read('src/serve/listen.ts')) ?? [];
    const seconds = Number(NODE.stop_grace_period?.replace(/s$/, ''));
    assert.ok(seconds * 1_000 > Number(drainMs.replaceAll('_', '')) + 5_000);
  });

  it('nginx has the site of deploy/nginx with the addresses of the nodes, and accepts it', async (t) => {
    const folder = temporaryFolder(t);
    const file = path.join(folder, 'default.conf');
    const [shell = '', flag = '', script = ''] = NGINX.command ?? [];
    const [derive = '', start] = script.split(' && ');
    assert.equal(start, "exec nginx -g 'daemon off;'");
    const local = derive
      .replace('/changelog.conf', path.join(ROOT, SITE))
      .replace('/etc/nginx/conf.d/default.conf', file);
    execFileSync(shell, [flag, local]);
    const site = readFileSync(file, 'utf8');

    const isServer = (line: string) => /^ *server [\d.]+:/.test(line);
    const servers = site
      .split('\n')
      .filter(isServer)
      .map((line) => line.trim().split(' ')[1]);
    const addresses = NODES.map((node) => `${addressOf(node)}:${SETTINGS.port.defaultText}`);
    assert.deepEqual(servers, [...addresses, ...addresses]);
    const others = (text: string) => text.split('\n').filter((line) => !isServer(line));
    assert.deepEqual(others(site), others(read(SITE)));

    await ensureServers(['nginx']);
    writeFileSync(
      file,
      site
        .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
        .replace('/var/cache/changelog', path.join(folder, 'cache'))
        .replace('/var/log/nginx', folder),
    );
    const main = path.join(folder, 'nginx.conf');
    writeFileSync(main, `pid ${folder}/pid; events {} http { access_log off; include ${file}; }`);
    execFileSync(serverProgram('nginx'), ['-t', '-q', '-e', 'stderr', '-p', folder, '-c', main]);
  });
});

function addressOf({ networks }: Service): string {
  return networks?.default.ipv4_address ?? '';
}

/** As Compose does it with a password and nothing else in the environment. */
function interpolated(environment: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, variable: string, kind: string, text: string) =>
        kind === '-' ? text : variable === 'POSTGRES_PASSWORD' ? 'abc123' : assert.fail(variable),
      ),
    ]),
  );
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
