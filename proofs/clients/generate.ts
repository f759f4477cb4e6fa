// Makes clients from an OpenAPI document with each generator, together with the programs that use them, and compiles
// everything with strict TypeScript.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

type NpmCi = (folder: string, interruption: AbortSignal) => Promise<void>;

const HERE = import.meta.dirname;
const { npmCi } = createRequire(import.meta.url)('../../bin/npm.cjs') as { npmCi: NpmCi };
const execute = promisify(execFile);

const COMPILER_OPTIONS = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  outDir: 'compiled',
};

/** The folders of the clients, each with its program. */
export const CLIENTS = {
  'openapi-typescript': 'openapi-fetch',
  'hey-api': 'hey-api',
  zod: 'hey-api',
} as const;

/** Those of orval, which are only compiled. */
export const ORVAL_CLIENTS = ['fetch', 'zod'];

export async function installGenerators(): Promise<void> {
  await installPackages(HERE, 'the generators');
}

/** What only this proof needs has lockfiles of its own, and is installed on first use. */
export async function installPackages(folder: string, what: string): Promise<void> {
  const stamp = path.join(folder, 'node_modules/.installed');
  const lockfile = createHash('sha256')
    .update(readFileSync(path.join(folder, 'package-lock.json')))
    .digest('hex');
  if (readStamp(stamp) === lockfile) return;
  console.log(`installing ${what} …`);
  await npmCi(folder, new AbortController().signal);
  writeFileSync(stamp, lockfile);
}

function readStamp(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Returns the folder of the compiled clients. Fails if anything does not compile. */
export async function generateClients(name: string, document: string): Promise<string> {
  const folder = path.join(HERE, 'generated', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'openapi.json'), document);
  for (const [client, program] of Object.entries(CLIENTS)) {
    mkdirSync(path.join(folder, client));
    for (const file of [program, 'site']) copyProgram(file, path.join(folder, client));
  }
  copyProgram('zod', path.join(folder, 'zod'));
  const hey = ['@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-p', '@hey-api/typescript'];
  await run(folder, ['openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'openapi-typescript/api.ts']);
  await run(folder, [...hey, '@hey-api/sdk', '@hey-api/client-fetch', '-o', 'hey-api/sdk']);
  writeFileSync(path.join(folder, 'openapi-ts.config.mjs'), ZOD_CONFIG);
  await run(folder, ['@hey-api/openapi-ts/bin/run.js', '-f', 'openapi-ts.config.mjs']);
  const orval = ['orval/dist/bin/orval.mjs', '--input', './openapi.json', '--client'];
  for (const kind of ORVAL_CLIENTS) await run(folder, [...orval, kind, '--output', `./orval/${kind}.ts`]);
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
  await run(folder, ['typescript/bin/tsc', '-p', 'tsconfig.json']);
  return path.join(folder, COMPILER_OPTIONS.outDir);
}

/** Not on the command line: the client validates requests and responses, and accepts timestamps in other time zones. */
const ZOD_CONFIG = `export default {
  input: 'openapi.json',
  output: 'zod/sdk',
  plugins: [
    '@hey-api/typescript',
    '@hey-api/client-fetch',
    { name: '@hey-api/sdk', validator: true },
    { name: 'zod', dates: { offset: true } },
  ],
};
`;

function copyProgram(name: string, folder: string): void {
  copyFileSync(path.join(HERE, 'programs', `${name}.ts`), path.join(folder, `${name}.ts`));
}

async function run(cwd: string, [tool = '', ...args]: readonly string[]): Promise<void> {
  await execute(process.execPath, [path.join(HERE, 'node_modules', tool), ...args], { cwd }).catch(
    ({ stdout, stderr }) => {
      throw new Error(`${tool} failed\n${stdout}${stderr}`);
    },
  );
}
