import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { ensureServers, serverProgram } from '../../cluster/debian.ts';
import { freePort } from '../../cluster/port.ts';
import { readConfig, SETTINGS } from '../../src/config.ts';
import { clientAddress } from '../../src/domain/access/client-address.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';

type Service = Readonly<{
  image: string;
  pull_policy?: string;
  build?: { context: string; dockerfile: string };
  environment?: Record<string, string>;
  command?: string[];
  volumes?: string[];
  ports?: string[];
  networks?: { default: { ipv4_address: string } };
  healthcheck?: { test: string[] };
  stop_grace_period?: string;
}>;

const ROOT = path.resolve(import.meta.dirname, '../..');
const TEXT = read('compose.yaml');
const PASSWORD = { POSTGRES_PASSWORD: 'abc123' };
const SITE = 'deploy/nginx/changelog.conf';
/** A linter that contains the schema of the Compose specification, which is not on npm by itself. */
const LINTER = 'dclint@3.1.0';
const LINTER_HASH =
  'sha512-afTGdzRFUXK4yCpIiEW/LOR+9TOMEDhNldDp56VCWzn7JDmD451PcUi640GGlMHgbHKJ10rDBm4PtpcBbjqlXw==';

describe('compose.yaml', () => {
  let services: Record<string, Service>;
  let nodes: Service[];
  let node: Service;
  let nginx: Service;
  const noSettings = path.join(temporaryFolder(sharedScope()), '.env');
  /** The file as docker-compose reads it, with this environment only. */
  const compose = (environment: Record<string, string>, text = TEXT): string => {
    const args = ['--project-directory', ROOT, '--env-file', noSettings, '--file', '-', 'config'];
    const env = { PATH: process.env.PATH, ...environment };
    return execFileSync(serverProgram('docker-compose'), args, {
      env,
      input: text,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  };
  before(async () => {
    writeFileSync(noSettings, '');
    await ensureServers(['docker-compose']);
    services = (load(compose(PASSWORD)) as { services: typeof services }).services;
    nodes = ['node1', 'node2'].map((name) => services[name] as Service);
    [node, nginx] = [nodes[0] as Service, services.nginx as Service];
  });

  it('docker-compose 1.29 takes the file, its files exist, and it checks the health of all services', () => {
    assert.equal(Object.keys(services).length, 5);
    for (const [name, { volumes = [], build, healthcheck }] of Object.entries(services)) {
      for (const [source = ''] of volumes.map((volume) => volume.split(':')))
        if (source.startsWith('/')) assert.ok(existsSync(source), source);
      if (build) assert.ok(existsSync(path.join(build.context, build.dockerfile)));
      assert.equal(healthcheck?.test[0], 'CMD', name);
    }
    assert.deepEqual(node.healthcheck?.test, ['CMD', 'healthcheck']);
  });

  it('docker-compose reports what is wrong with a file', () => {
    assert.throws(
      () => compose(PASSWORD, TEXT.replace('read_only:', 'readonly:')),
      /Unsupported config option.*readonly/,
    );
  });

  it('the schema of the Compose specification allows the file', (t) => {
    const folder = temporaryFolder(t);
    const packed = execFileSync('npm', ['pack', LINTER, '--json'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    const [{ filename, integrity }] = JSON.parse(packed);
    assert.equal(integrity, LINTER_HASH);
    execFileSync('tar', ['-xf', filename], { cwd: folder });
    const { $schema: _, ...schema } = JSON.parse(
      readFileSync(path.join(folder, 'package/schemas/compose.schema.json'), 'utf8'),
    );
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    const parse = (text: string) => load(text, { schema: YAML11_SCHEMA });
    assert.ok(validate(parse(TEXT)), JSON.stringify(validate.errors));
    assert.ok(!validate(parse(TEXT.replace('read_only:', 'readonly:'))));
  });

  it('the image is built once, because two builds at once cannot both name it, and never pulled', () => {
    const [builder, ...others] = nodes.toSorted((a, b) => Number('build' in b) - Number('build' in a));
    assert.ok(builder?.build);
    for (const { image, build, pull_policy } of others)
      assert.deepEqual([image, build, pull_policy], [builder.image, undefined, 'never']);
  });

  it('the lines that set the password keep what is in .env', () => {
    for (const file of ['compose.yaml', 'docs/docker.md'])
      assert.match(read(file), /^(?:# {3})?echo "POSTGRES_PASSWORD=\$\([^)]+\)" >> \.env$/m);
  });

  it('compose.yaml has only settings that exist, with valid values, the same on both nodes', () => {
    const [first, second] = nodes.map(({ environment }) => environment);
    assert.deepEqual(first, second);
    const known = Object.values(SETTINGS).map(({ variable }) => variable);
    for (const name of Object.keys(first ?? {})) assert.ok(known.includes(name), name);
    const { databaseUrls } = readConfig(first ?? {});
    assert.equal(
      databaseUrls[0],
      `postgres://changelog:abc123@postgres:5432/${services.postgres?.environment?.POSTGRES_DB}`,
    );
  });

  it('compose.yaml contains no password, and does not start without one', () => {
    assert.throws(() => compose({}), /set it in \.env, letters and digits only/);
    assert.equal(services.postgres?.environment?.POSTGRES_PASSWORD, 'abc123');
  });

  it('links lead to the published port of nginx, and only nginx is published', () => {
    const published = Object.values(services).flatMap(({ ports = [] }) => ports);
    assert.deepEqual(published, nginx.ports);
    const { baseUrl } = readConfig(node.environment ?? {});
    assert.equal(published[0], `127.0.0.1:${new URL(baseUrl ?? '').port}:80/tcp`);
  });

  it('the nodes trust nginx, and only nginx', () => {
    const { trustedProxies } = readConfig(node.environment ?? {});
    const clientOf = (peer: string) => clientAddress(peer, '203.0.113.7', trustedProxies);
    assert.equal(clientOf(addressOf(nginx)), '203.0.113.7');
    for (const peer of [...nodes.map(addressOf), '172.31.250.1']) assert.equal(clientOf(peer), peer);
  });

  it('a node gets enough time to drain', () => {
    const [, drainMs = ''] = /DRAIN_MS_MAX = ([\d_]+);/.exec(read('src/serve/listen.ts')) ?? [];
    const seconds = Number(node.stop_grace_period?.replace(/s$/, ''));
    assert.ok(seconds * 1_000 > Number(drainMs.replaceAll('_', '')) + 5_000);
  });

  it('nginx has the site of deploy/nginx with the addresses of the nodes, and accepts it', async (t) => {
    const folder = temporaryFolder(t);
    const file = path.join(folder, 'default.conf');
    const [shell = '', flag = '', script = ''] = nginx.command ?? [];
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
    const addresses = nodes.map((node) => `${addressOf(node)}:${SETTINGS.port.defaultText}`);
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

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
