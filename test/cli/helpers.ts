// Shared by the tests of the command line: sandboxes, and assertions on failed commands.
import assert from 'node:assert/strict';
import { dump } from '../../support/databases/engine.ts';
import { type Scope, temporaryFolder } from '../../support/processes/scope.ts';
import { run, runOk, type Sandbox } from '../../support/program/command.ts';

/** An empty folder; all commands in it use the same database. */
export function sandboxOf(scope: Scope, more: Omit<Sandbox, 'folder'> = {}): Sandbox {
  return { folder: temporaryFolder(scope), ...more };
}

/** The same without a database, also on PostgreSQL. */
export function sandboxWithoutDatabase(scope: Scope, more: Omit<Sandbox, 'folder'> = {}): Sandbox {
  return sandboxOf(scope, { ...more, withoutDatabase: true });
}

/** Runs a command that must fail with exit 1, one line on standard error, and nothing written. */
export async function expectFailure(sandbox: Sandbox, args: readonly string[], input = ''): Promise<string> {
  const before = await dump(sandbox);
  const { code, stdout, stderr } = await run(sandbox, args, input);
  assert.equal(code, 1, `changelog ${args.join(' ')} exited with ${code}: ${stdout}${stderr}`);
  assert.equal(stdout, '');
  assert.match(stderr, /^changelog: [^\n]+\n$/);
  assert.deepEqual(await dump(sandbox), before, 'a failed command must change nothing');
  return stderr;
}

/** Runs a command that must exit with 2, a message on standard error, and nothing written. */
export async function expectMisuse(sandbox: Sandbox, args: readonly string[]): Promise<string> {
  const before = await dump(sandbox);
  const { code, stdout, stderr } = await run(sandbox, args);
  assert.equal(code, 2, `changelog ${args.join(' ')} exited with ${code}: ${stdout}${stderr}`);
  assert.equal(stdout, '');
  assert.notEqual(stderr.trim(), '');
  assert.deepEqual(await dump(sandbox), before, 'wrong usage must change nothing');
  return stderr;
}

/** Runs a command with `--json` and parses its output. */
export async function runJson<T>(sandbox: Sandbox, args: readonly string[], input = ''): Promise<T> {
  return JSON.parse(await runOk(sandbox, [...args, '--json'], input)) as T;
}

export type ChangeDocument = { id?: string; type: string; text: string; breaking?: boolean };
export type VersionDocument = {
  id?: string;
  version: string;
  title: string;
  status?: string;
  publishedAt?: string | null;
  publishAt?: string | null;
  updatedAt?: string | null;
  description?: string | null;
  image?: string;
  yanked?: boolean;
  changes?: ChangeDocument[];
};
export type ProductDocument = {
  slug: string;
  name: string;
  status?: string;
  domain?: string;
  links?: { home?: string; base?: string; repository?: string };
  image?: string;
  logo?: string;
  accent?: string;
  changelog?: {
    id?: string;
    name?: string;
    language?: string;
    status?: string;
    versions?: VersionDocument[];
  };
};
export type TeamDocument = {
  team: { slug: string; name: string; visibility?: string; plan?: string };
  products?: ProductDocument[];
};

/** A published product of a public team on the paid plan, with these versions. */
export function documentOf(versions: VersionDocument[], more: Partial<ProductDocument> = {}): TeamDocument {
  return {
    team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
    products: [
      {
        slug: 'rocket',
        name: 'Rocket',
        status: 'published',
        changelog: { name: 'Rocket changelog', status: 'published', versions },
        ...more,
      },
    ],
  };
}

export async function exported(sandbox: Sandbox, team = 'acme'): Promise<Required<TeamDocument>> {
  return await runJson(sandbox, ['export', team]);
}

/** The versions of acme/rocket by label. */
export async function versionsByLabel(sandbox: Sandbox): Promise<Map<string, VersionDocument>> {
  const { products } = await exported(sandbox);
  const versions = products.find(({ slug }) => slug === 'rocket')?.changelog?.versions ?? [];
  return new Map(versions.map((version) => [version.version, version]));
}
