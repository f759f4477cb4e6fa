// The files of deploy/kubernetes, and what is true of every pod in them.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { loadAll } from 'js-yaml';

export const ROOT = path.resolve(import.meta.dirname, '../../..');
export const FOLDER = path.join(ROOT, 'deploy/kubernetes');

// biome-ignore lint/suspicious/noExplicitAny: schema.ts checks the objects; here, a missing field fails the test.
export type KubernetesObject = any;

/** All files that hold objects of Kubernetes, without kustomizations and what they patch objects with. */
export const FILES = globSync('**/*.yaml', { cwd: FOLDER })
  .filter((file) => !file.endsWith('kustomization.yaml') && !file.endsWith('.patch.yaml'))
  .sort();

export function readObjects(file: string): KubernetesObject[] {
  return loadAll(readFileSync(path.join(FOLDER, file), 'utf8'));
}

/** The only object of a file. */
export function readObject(file: string): KubernetesObject {
  const [object, ...others] = readObjects(file);
  assert.deepEqual(others, [], file);
  return object;
}

/** The template of the pods that an object starts, if it starts any. */
export function podTemplate({ kind, spec }: KubernetesObject): KubernetesObject | undefined {
  return kind === 'CronJob' ? spec.jobTemplate.spec.template : spec?.template;
}

/** The restricted Pod Security Standard; and beyond it, a read-only file system, no token and a limit of memory. */
export function assertRestricted({ spec: pod }: KubernetesObject): void {
  assert.equal(pod.automountServiceAccountToken, false);
  assert.equal(pod.securityContext.runAsNonRoot, true);
  assert.notEqual(pod.securityContext.runAsUser, 0);
  assert.deepEqual(pod.securityContext.seccompProfile, { type: 'RuntimeDefault' });
  for (const name of ['hostNetwork', 'hostPID', 'hostIPC', 'initContainers', 'ephemeralContainers'])
    assert.ok(!(name in pod), name);
  for (const { name: _, ...volume } of pod.volumes)
    assert.match(Object.keys(volume).join(), /^(?:configMap|emptyDir|persistentVolumeClaim|secret)$/);
  for (const { securityContext, resources, ports = [] } of pod.containers) {
    assert.deepEqual(securityContext, {
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    assert.deepEqual(Object.keys(resources.requests), ['cpu', 'memory']);
    assert.deepEqual(Object.keys(resources.limits), ['memory']);
    for (const port of ports) assert.ok(!('hostPort' in port));
  }
}
