// Tests the image without a builder: assembles the files that it would contain, and starts them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { tethered } from '../../cluster/tether.ts';
import { SETTINGS } from '../../src/config.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const STAGES = read('deploy/docker/Dockerfile')
  .split(/^(?=FROM )/m)
  .slice(1)
  .map(readInstructions);
const [BUILD = [], FINAL = []] = STAGES;

describe('deploy/docker/Dockerfile', () => {
  it('the Dockerfile copies only files that exist and that .dockerignore does not exclude', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    for (const file of [...copied(BUILD), ...copied(FINAL)]) {
      assert.ok(existsSync(path.join(ROOT, file)), file);
      assert.ok(allowed.includes(`!${file}`), file);
    }
  });

  it('the Dockerfile is based on a Node.js version that the program supports', () => {
    const [, floor] = /NODE_MAJOR_MIN = (\d+);/.exec(read('src/main.ts')) ?? [];
    for (const stage of STAGES) assert.match(only(stage, 'FROM'), new RegExp(`^node:${floor}-slim\\b`));
  });

  it('the Dockerfile installs the dependencies without running their install scripts', () => {
    assert.match(only(BUILD, 'RUN'), /^npm ci --omit=dev --ignore-scripts\b/);
  });

  it('the image does not run as root, and its user is a number', () => {
    assert.match(only(FINAL, 'USER'), /^[1-9]\d*:[1-9]\d*$/);
  });

  it('the Dockerfile sets only settings that exist', () => {
    const known = Object.values(SETTINGS).map(({ variable }) => variable);
    for (const name of Object.keys(environmentOf(FINAL))) assert.ok(known.includes(name), name);
  });

  it('the image starts with these files and production dependencies only, and exits at its stop signal', async (t) => {
    const folder = temporaryFolder(t);
    for (const file of copied(FINAL))
      cpSync(path.join(ROOT, file), path.join(folder, file), { recursive: true });
    linkProductionDependencies(folder);
    const [program, script = '', ...args] = [...list('ENTRYPOINT'), ...list('CMD')];
    assert.equal(program, 'node');
    const data = path.join(folder, 'data');
    mkdirSync(data);
    const environment = {
      ...environmentOf(FINAL),
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: environmentOf(FINAL).DATABASE_URL?.replace('/data', data),
    };
    const main = path.join(folder, path.relative(only(FINAL, 'WORKDIR'), script));
    const tied = tethered(process.execPath, ['--preserve-symlinks', main, ...args]);
    const child = spawn(tied.command, tied.args, {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'close');
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    const lines = createInterface({ input: child.stdout });
    const [line] = await Promise.race([once(lines, 'line'), ended.then(() => [errors])]);
    const [, address] = /^listening on (http:\S+)$/.exec(String(line)) ?? [];
    assert.ok(address, String(line));
    assert.equal((await fetch(`${address}/api/v1/public/teams/a/products/b/changelog`)).status, 404);
    child.kill(only(FINAL, 'STOPSIGNAL') as NodeJS.Signals);
    assert.equal((await ended)[0], 0, errors);
  });
});

type Instruction = Readonly<{ name: string; rest: string }>;

function readInstructions(text: string): Instruction[] {
  return text
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line))
    .map((line) => line.split(/ (.*)/s))
    .map(([name = '', rest = '']) => ({ name, rest }));
}

function only(stage: readonly Instruction[], wanted: string): string {
  const found = stage.filter(({ name }) => name === wanted);
  assert.equal(found.length, 1, wanted);
  return found[0]?.rest as string;
}

function list(name: string): string[] {
  return JSON.parse(only(FINAL, name));
}

/** Copies from the checkout, not from another stage. */
function copied(stage: readonly Instruction[]): string[] {
  return stage
    .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from='))
    .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
}

function environmentOf(stage: readonly Instruction[]): Record<string, string> {
  const words = stage.filter(({ name }) => name === 'ENV').flatMap(({ rest }) => rest.split(' '));
  return Object.fromEntries(words.map((word) => word.split(/=(.*)/s).slice(0, 2)));
}

/** The result of `npm ci --omit=dev`: links to the installed packages, which cannot reach the other ones. */
function linkProductionDependencies(folder: string): void {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  for (const [place, { dev }] of Object.entries(packages)) {
    const isNested = place.indexOf('node_modules/', 1) !== -1;
    if (place === '' || dev || isNested || !existsSync(path.join(ROOT, place))) continue;
    mkdirSync(path.join(folder, path.dirname(place)), { recursive: true });
    symlinkSync(path.join(ROOT, place), path.join(folder, place));
  }
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
