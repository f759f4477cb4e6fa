// Checks objects against the types of the package kubernetes-types, which are made from the OpenAPI document of one version
// of Kubernetes. The compiler refuses unknown fields, wrong types and missing fields.
import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Scope, temporaryFolder } from '../../../support/processes/scope.ts';
import { type KubernetesObject, ROOT } from './objects.ts';

const COMPILER = path.join(ROOT, 'node_modules/typescript/bin/tsc');
const OPTIONS = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', ''];

/** What is wrong with each object; nothing for those that are right. */
export function schemaErrors(scope: Scope, objects: readonly KubernetesObject[]): string[] {
  const folder = temporaryFolder(scope);
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const files = objects.map((object, index) => {
    writeFileSync(path.join(folder, `${index}.ts`), asSource(object));
    return `${index}.ts`;
  });
  const { stdout, stderr, status } = spawnSync(process.execPath, [COMPILER, ...OPTIONS, ...files], {
    cwd: folder,
    encoding: 'utf8',
  });
  const errors = stdout.split('\n').filter((line) => line !== '');
  if (stderr !== '' || (status === 0) !== (errors.length === 0)) throw new Error(`tsc: ${stdout}${stderr}`);
  return files.map((file) => errors.filter((line) => line.startsWith(`${file}(`)).join('\n'));
}

function asSource(object: KubernetesObject): string {
  const group = object.apiVersion === 'v1' ? 'core/v1' : object.apiVersion.replace('.k8s.io', '');
  return `import type { ${object.kind} as Kind } from 'kubernetes-types/${group}';
export const object: Kind & Required<Pick<Kind, 'apiVersion' | 'kind' | 'metadata'>> = ${JSON.stringify(object)};
`;
}
