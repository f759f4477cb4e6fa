import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { loadAll } from 'js-yaml';
import { readConfig, SETTINGS } from '../../src/config.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
// biome-ignore lint/suspicious/noExplicitAny: Kubernetes has no types here.
const [deployment, service, budget] = loadAll(read('deploy/kubernetes/changelog.yaml')) as any[];
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const PROBES = ['startupProbe', 'livenessProbe', 'readinessProbe'] as const;

describe('deploy/kubernetes/changelog.yaml', () => {
  it('changelog.yaml has a Deployment, a Service and a PodDisruptionBudget for the same pods', () => {
    assert.deepEqual(
      [deployment, service, budget].map(({ kind }) => kind),
      ['Deployment', 'Service', 'PodDisruptionBudget'],
    );
    const { labels } = deployment.spec.template.metadata;
    assert.deepEqual(deployment.spec.selector.matchLabels, labels);
    assert.deepEqual(budget.spec.selector.matchLabels, labels);
    assert.deepEqual(service.spec.selector, labels);
  });

  it('changelog.yaml has only settings that exist, with valid values', () => {
    const known = Object.values(SETTINGS).map(({ variable }) => variable);
    const entries: { name: string; value?: string }[] = container.env;
    for (const { name, value } of entries) {
      assert.ok(known.includes(name), name);
      // Kubernetes accepts only strings.
      if (value !== undefined) assert.equal(typeof value, 'string', name);
    }
    const given = entries.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]));
    const config = readConfig(Object.fromEntries(given));
    assert.match(config.baseUrl ?? '', /^https:/);
    assert.equal(config.opsPort, portCalled('ops'));
    assert.equal(config.port, portCalled('http'));
  });

  it('the probes use paths and the port of the operations listener', () => {
    const listener = read('src/serve/operations.ts');
    for (const probe of PROBES) {
      const { path: probed, port } = container[probe].httpGet;
      assert.ok(listener.includes(`'${probed}'`), probed);
      assert.equal(port, 'ops');
    }
  });

  it('the Service exposes only the public port', () => {
    assert.deepEqual(
      service.spec.ports.map(({ targetPort }: { targetPort: string }) => targetPort),
      ['http'],
    );
  });

  it('a pod without a database stays in the Service as long as it may serve cached responses', () => {
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    assert.equal(
      periodSeconds * failureThreshold * 1_000,
      constantIn('src/http/cache/respond.ts', 'STALE_WHILE_DOWN_MS_MAX'),
    );
  });

  it('a pod gets enough time to drain', () => {
    const [, preStop] = container.lifecycle.preStop.exec.command;
    const drainMs = constantIn('src/serve/listen.ts', 'DRAIN_MS_MAX');
    assert.ok(pod.terminationGracePeriodSeconds * 1_000 > Number(preStop) * 1_000 + drainMs + 5_000);
  });

  it('a pod can write to the data folder of the image, and its user owns it', () => {
    const image = read('deploy/docker/Dockerfile');
    const [mount] = container.volumeMounts;
    assert.deepEqual(
      pod.volumes.map(({ name }: { name: string }) => name),
      [mount.name],
    );
    assert.ok(image.includes(`\nVOLUME ${mount.mountPath}\n`));
    assert.ok(image.includes(`\nUSER ${pod.securityContext.fsGroup}:`));
  });

  it('a pod runs without privileges and with a read-only file system', () => {
    assert.equal(pod.securityContext.runAsNonRoot, true);
    assert.deepEqual(container.securityContext, {
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
  });
});

describe('deploy/kubernetes/import.yaml', () => {
  // biome-ignore lint/suspicious/noExplicitAny: Kubernetes has no types here.
  const [job, ...others] = loadAll(read('deploy/kubernetes/import.yaml')) as any[];
  const { containers, volumes, ...jobPod } = job.spec.template.spec;

  it('the job imports the file of its ConfigMap, with the database URL from a Secret', () => {
    assert.deepEqual([others, job.kind], [[], 'Job']);
    const [{ args, env, volumeMounts }] = containers;
    const { mountPath } = volumeMounts.find(({ name }: { name: string }) => name === 'import');
    const { configMap } = volumes.find(({ name }: { name: string }) => name === 'import');
    const page = read('docs/ci.md');
    const [, map, file] = /^kubectl create configmap (\S+) --from-file=(\S+) .*apply/m.exec(page) ?? [];
    assert.equal(configMap.name, map);
    assert.deepEqual(args, ['import', 'acme/rocket', `${mountPath}/${file}`]);
    assert.deepEqual(
      env.map(({ name, valueFrom }: { name: string; valueFrom: object }) => [name, Object.keys(valueFrom)]),
      [['DATABASE_URL', ['secretKeyRef']]],
    );
  });

  it('the job runs like the server: without privileges, and with a read-only file system', () => {
    assert.deepEqual(containers[0].securityContext, container.securityContext);
    assert.equal(jobPod.securityContext.runAsNonRoot, true);
    assert.equal(jobPod.automountServiceAccountToken, false);
  });
});

function portCalled(wanted: string): number {
  return container.ports.find(({ name }: { name: string }) => name === wanted)?.containerPort;
}

function constantIn(file: string, name: string): number {
  const [, digits = ''] = new RegExp(`\\b${name} = ([\\d_]+);`).exec(read(file)) ?? [];
  return Number(digits.replaceAll('_', ''));
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
