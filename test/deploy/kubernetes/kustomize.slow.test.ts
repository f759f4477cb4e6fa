// What kubectl makes of the kustomizations.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { loadAll } from 'js-yaml';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { fetchKubectl } from './kubectl.ts';
import { assertRestricted, FOLDER, type KubernetesObject, podTemplate, ROOT } from './objects.ts';
import { schemaErrors } from './schema.ts';

describe('kubectl kustomize', () => {
  const scope = sharedScope();
  let version: string;
  let base: KubernetesObject[];
  let example: KubernetesObject[];
  let withHooks: KubernetesObject[];
  before(async () => {
    const kubectl = await fetchKubectl(scope);
    const build = async (folder: string) => loadAll(await kubectl('kustomize', folder));
    [version, base, example, withHooks] = await Promise.all([
      kubectl('version', '--client'),
      build(path.join(FOLDER, 'base')),
      build(path.join(FOLDER, 'overlays/example')),
      build(copyWithHooks()),
    ]);
  });

  function copyWithHooks(): string {
    const folder = temporaryFolder(scope);
    cpSync(FOLDER, folder, { recursive: true });
    const overlay = path.join(folder, 'overlays/example');
    const file = path.join(overlay, 'kustomization.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('# - ../../components', '- ../../components'));
    return overlay;
  }

  it('it is of the oldest version of Kubernetes that the page names', () => {
    const [, minor] = /Client Version: v(\d+\.\d+)\./.exec(version) ?? [];
    const page = readFileSync(path.join(ROOT, 'docs/kubernetes.md'), 'utf8');
    assert.ok(page.includes(`- Kubernetes ${minor} or later`), version);
  });

  it('what it makes is valid, and every pod is restricted', () => {
    const objects = [...base, ...example, ...withHooks];
    schemaErrors(scope, objects).forEach((error, index) => {
      assert.equal(error, '', `${objects[index].kind} ${objects[index].metadata.name}`);
    });
    const pods = objects.flatMap((object) => podTemplate(object) ?? []);
    assert.equal(pods.length, 5);
    for (const pod of pods) assertRestricted(pod);
  });

  it('the base has an object of each kind', () => {
    assert.deepEqual([...new Set(base.map(({ kind }) => kind))].sort(), [
      'ConfigMap',
      'Deployment',
      'HorizontalPodAutoscaler',
      'Ingress',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
    ]);
  });

  it('the example changes image, settings, host and namespace, and adds the backup', () => {
    const [container] = find(example, 'Deployment').spec.template.spec.containers;
    assert.match(container.image, /^registry\.example\.com\/changelog:/);
    const settings = find(example, 'ConfigMap');
    assert.match(settings.metadata.name, /^changelog-\w+$/);
    assert.deepEqual(container.envFrom, [{ configMapRef: { name: settings.metadata.name } }]);
    assert.deepEqual(settings.data, {
      BASE_URL: 'https://changes.example.org',
      TRUSTED_PROXIES: '10.244.0.0/16',
    });
    const { rules, tls, ingressClassName } = find(example, 'Ingress').spec;
    assert.deepEqual(
      [rules[0].host, tls[0].hosts, ingressClassName],
      ['changes.example.org', ['changes.example.org'], 'nginx'],
    );
    find(example, 'CronJob', 'changelog-backup');
    find(example, 'PersistentVolumeClaim', 'changelog-backups');
    for (const { kind, metadata } of example)
      assert.equal(metadata.namespace, kind === 'Namespace' ? undefined : 'changelog');
  });

  it('with hooks, pods have the file and may connect to port 443', () => {
    const { containers, volumes } = find(withHooks, 'Deployment').spec.template.spec;
    const { env, volumeMounts } = containers[0];
    const { value } = env.find(({ name }: KubernetesObject) => name === 'HOOKS');
    const { mountPath } = volumeMounts.find(({ name }: KubernetesObject) => name === 'hooks');
    assert.equal(path.dirname(value), mountPath);
    assert.deepEqual(volumes.map(({ name }: KubernetesObject) => name).sort(), ['data', 'hooks']);
    assert.equal(find(withHooks, 'NetworkPolicy', 'changelog-hooks').spec.egress[0].ports[0].port, 443);
  });
});

function find(objects: readonly KubernetesObject[], kind: string, name = 'changelog'): KubernetesObject {
  const found = objects.find((object) => object.kind === kind && object.metadata.name.startsWith(name));
  assert.ok(found, `${kind} ${name}`);
  return found;
}
