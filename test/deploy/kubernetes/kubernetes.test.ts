import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { load } from 'js-yaml';
import { readConfig, SETTINGS } from '../../../src/config.ts';
import {
  assertRestricted,
  FILES,
  FOLDER,
  type KubernetesObject,
  podTemplate,
  ROOT,
  readObject,
  readObjects,
} from './objects.ts';

const deployment = readObject('base/deployment.yaml');
const service = readObject('base/service.yaml');
const ingress = readObject('base/ingress.yaml');
const autoscaler = readObject('base/autoscaler.yaml');
const policies = readObjects('base/network-policy.yaml');
const cronJob = readObject('components/backup/cron-job.yaml');
const importJob = readObject('import.yaml');
const restoreJob = readObject('restore.yaml');
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const { labels } = deployment.spec.template.metadata;
const KUSTOMIZATIONS = globSync('**/kustomization.yaml', { cwd: FOLDER }).sort();
const EXAMPLE = 'overlays/example/kustomization.yaml';
const PODS = FILES.flatMap(readObjects).flatMap((object) => podTemplate(object) ?? []);
const PAGES = ['docs/kubernetes.md', 'docs/ci.md'].map(read).join('\n');
const BLOCKS = PAGES.match(/^ *```sh\n[^`]*```$/gm) ?? [];

describe('deploy/kubernetes', () => {
  it('every file belongs to a kustomization, or is a job that a page says how to create', () => {
    const named = KUSTOMIZATIONS.flatMap((file) => {
      const { resources = [], patches = [] } = readKustomization(file);
      return [...resources, ...patches.flatMap(({ path: patch }: KubernetesObject) => patch ?? [])].map(
        (name) => path.join(path.dirname(file), name),
      );
    });
    for (const file of globSync('**/*.yaml', { cwd: FOLDER })) {
      if (KUSTOMIZATIONS.includes(file) || named.includes(file)) continue;
      assert.ok(PAGES.includes(`kubectl create --filename=deploy/kubernetes/${file}`), file);
      assert.ok(readObject(file).metadata.generateName, file);
    }
  });

  it('every pod keeps to the restricted Pod Security Standard, and the example enforces it', () => {
    assert.equal(PODS.length, 5);
    for (const template of PODS) assertRestricted(template);
    const { metadata } = readObject('overlays/example/namespace.yaml');
    assert.equal(metadata.labels['pod-security.kubernetes.io/enforce'], 'restricted');
    assert.equal(metadata.name, readKustomization(EXAMPLE).namespace);
  });

  it('no pod gets variables for Services, which would begin with the prefix of the settings', () => {
    for (const { spec } of PODS) assert.equal(spec.enableServiceLinks, false);
  });

  it('the selectors of all objects are the labels of the server, and nothing else has these', () => {
    assert.deepEqual(deployment.spec.selector.matchLabels, labels);
    assert.deepEqual(service.spec.selector, labels);
    assert.deepEqual(readObject('base/disruption-budget.yaml').spec.selector.matchLabels, labels);
    assert.deepEqual(pod.topologySpreadConstraints[0].labelSelector.matchLabels, labels);
    assert.equal(PODS.filter(({ metadata }) => metadata.labels.app === labels.app).length, 1);
  });

  it('the images are those of this version, and of the tested PostgreSQL', () => {
    const { version } = JSON.parse(read('package.json'));
    const { image: postgres } = (load(read('compose.yaml')) as KubernetesObject).services.postgres;
    const images = PODS.map(({ spec }) => spec.containers[0].image);
    assert.deepEqual([...new Set(images)].sort(), [
      'changelog',
      postgres,
      `registry.example.com/changelog:${version}`,
    ]);
    const [ours, theirs] = readKustomization(EXAMPLE).images;
    assert.deepEqual(ours, { name: 'changelog', newName: 'registry.example.com/changelog', newTag: version });
    assert.equal(`${theirs.name}:${theirs.newTag}`, postgres);
  });

  it('the pages say how to make every secret, with every key that is not optional', () => {
    for (const { spec } of PODS) {
      for (const { valueFrom } of spec.containers[0].env) {
        if (valueFrom === undefined || valueFrom.secretKeyRef.optional) continue;
        const { name, key } = valueFrom.secretKeyRef;
        const made = BLOCKS.find((block) =>
          block.includes(`kubectl create secret generic ${name} --from-env-file`),
        );
        assert.match(made ?? '', new RegExp(`^ *${key}=`, 'm'), `${name} ${key}`);
      }
    }
  });

  it('no secret is a parameter of a program, where others could see it', () => {
    for (const { spec } of PODS) {
      const { command = [], args = [], env } = spec.containers[0];
      const secrets = env.flatMap(({ name, valueFrom }: KubernetesObject) => (valueFrom ? [name] : []));
      const used = [...command, ...args].join('\n').match(/\$[({]?(\w+)/g) ?? [];
      const known = used
        .map((reference) => reference.replace(/\W+/g, ''))
        .filter((name) => secrets.includes(name));
      assert.deepEqual(known, spec.containers[0].name === 'restore' ? ['PGDATABASE'] : []);
    }
  });

  it('the page names the version of Kubernetes whose schemas are checked', () => {
    const { version } = JSON.parse(read('node_modules/kubernetes-types/package.json'));
    assert.ok(read('docs/kubernetes.md').includes(`Kubernetes ${version.replace(/\.0$/, '')}`));
  });
});

describe('deploy/kubernetes/base', () => {
  it('it has only settings that exist, with valid values', () => {
    const known = Object.values(SETTINGS).map(({ variable }) => variable);
    const given: [string, string][] = [
      ...container.env.flatMap(({ name, value }: KubernetesObject) =>
        value === undefined ? [] : [[name, value]],
      ),
      ...settingsOf('base/kustomization.yaml'),
    ];
    const fromSecrets = container.env.filter(({ valueFrom }: KubernetesObject) => valueFrom);
    for (const name of [
      ...given.map(([one]) => one),
      ...fromSecrets.map(({ name }: KubernetesObject) => name),
    ])
      assert.ok(known.includes(name), name);
    const config = readConfig(Object.fromEntries(given));
    assert.match(config.baseUrl ?? '', /^https:/);
    assert.equal(config.opsPort, portCalled('ops'));
    assert.equal(config.port, portCalled('http'));
    for (const [name] of settingsOf(EXAMPLE))
      assert.ok(settingsOf('base/kustomization.yaml').has(name), name);
  });

  it('the ingress leads to the Service, for the host of BASE_URL', () => {
    const [rule] = ingress.spec.rules;
    assert.equal(rule.host, new URL(settingsOf('base/kustomization.yaml').get('BASE_URL') ?? '').host);
    assert.deepEqual(ingress.spec.tls[0].hosts, [rule.host]);
    const { name, port } = rule.http.paths[0].backend.service;
    assert.equal(name, service.metadata.name);
    assert.deepEqual(
      service.spec.ports.map((one: KubernetesObject) => [one.name, one.targetPort]),
      [[port.name, 'http']],
    );
  });

  it('the probes use paths and the port of the operations listener', () => {
    const listener = read('src/serve/operations.ts');
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const { path: probed, port } = container[probe].httpGet;
      assert.ok(listener.includes(`'${probed}'`), probed);
      assert.equal(port, 'ops');
    }
  });

  it('a pod without a database stays in the Service as long as it may serve cached responses', () => {
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    assert.equal(
      periodSeconds * failureThreshold * 1_000,
      constantIn('src/http/cache/respond.ts', 'STALE_WHILE_DOWN_MS_MAX'),
    );
  });

  it('a pod gets enough time to drain', () => {
    const preStopMs = container.lifecycle.preStop.sleep.seconds * 1_000;
    const drainMs = constantIn('src/serve/listen.ts', 'DRAIN_MS_MAX');
    assert.ok(pod.terminationGracePeriodSeconds * 1_000 > preStopMs + drainMs + 5_000);
  });

  it('a pod can write to the data folder of the image, and its user owns it', () => {
    const image = read('deploy/docker/Dockerfile');
    for (const { spec } of [deployment, importJob, readObject('migrate.yaml')].map(podTemplate)) {
      const { mountPath } = spec.containers[0].volumeMounts.find(
        ({ name }: KubernetesObject) => name === 'data',
      );
      assert.ok(image.includes(`\nVOLUME ${mountPath}\n`));
      assert.ok(image.includes(`\nUSER ${spec.securityContext.fsGroup}:`));
    }
  });

  it('the autoscaler alone decides how many pods there are, and PostgreSQL has connections for all of them', () => {
    assert.ok(!('replicas' in deployment.spec));
    const { scaleTargetRef, minReplicas, maxReplicas, metrics } = autoscaler.spec;
    assert.deepEqual(scaleTargetRef, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: deployment.metadata.name,
    });
    const scaling = read('docs/scaling.md');
    const [, forReads, forChecks] = /processes × \((\d+) for reads \+ (\d+) for checks\)/.exec(scaling) ?? [];
    const forWrites = 2;
    const pods = maxReplicas + deployment.spec.strategy.rollingUpdate.maxSurge;
    // Three of PostgreSQL's 100 connections are for superusers, and commands need some.
    assert.ok(pods * (Number(forReads) + Number(forChecks) + forWrites) < 97);
    assert.ok(minReplicas > readObject('base/disruption-budget.yaml').spec.maxUnavailable);
    const [, share] = /\) ÷ (0\.\d+)\n/.exec(scaling) ?? [];
    assert.equal(metrics[0].resource.target.averageUtilization, Number(share) * 100);
    assert.ok(container.resources.requests.cpu);
  });
});

describe('deploy/kubernetes/base/network-policy.yaml', () => {
  const policy = policies.find(({ metadata }) => metadata.name === 'changelog');

  it('the public port is open to the ingress controller only, and the operations listener to Prometheus only', () => {
    const [fromIngress, fromPrometheus, ...others] = policy.spec.ingress;
    assert.deepEqual(others, []);
    assert.deepEqual(fromIngress.ports, [{ port: portCalled('http') }]);
    assert.deepEqual(fromPrometheus.ports, [{ port: portCalled('ops') }]);
    assert.deepEqual(Object.keys(fromPrometheus.from[0]), ['namespaceSelector', 'podSelector']);
    for (const { from } of [fromIngress, fromPrometheus]) assert.equal(from.length, 1);
  });

  it('a pod connects to PostgreSQL, Redis and DNS only, and one of a job not to Redis', () => {
    const egress = (name: string) =>
      policies
        .find(({ metadata }) => metadata.name === name)
        .spec.egress.flatMap(({ ports }: KubernetesObject) =>
          ports.map(({ port }: KubernetesObject) => port),
        );
    assert.deepEqual(egress('changelog'), [5432, 6379]);
    assert.deepEqual(egress('changelog-jobs'), [5432]);
    assert.deepEqual(egress('changelog-dns'), [53, 53]);
  });

  it('everything else is denied for every pod, in both directions', () => {
    for (const { metadata } of PODS) {
      const directions = policies
        .filter(({ spec }) => selects(spec.podSelector, metadata.labels))
        .flatMap(({ spec }) => spec.policyTypes);
      assert.deepEqual([...new Set(directions)].sort(), ['Egress', 'Ingress'], metadata.labels.app);
    }
  });
});

describe('deploy/kubernetes/import.yaml', () => {
  it('the job imports the file of its ConfigMap, with the database URL from a Secret', () => {
    const { containers, volumes } = importJob.spec.template.spec;
    const [{ args, env, volumeMounts }] = containers;
    const { mountPath } = volumeMounts.find(({ name }: KubernetesObject) => name === 'import');
    const { configMap } = volumes.find(({ name }: KubernetesObject) => name === 'import');
    const [, map, file] =
      /^kubectl create configmap (\S+) --from-file=(\S+) .*apply/m.exec(read('docs/ci.md')) ?? [];
    assert.equal(configMap.name, map);
    assert.deepEqual(args, ['import', 'acme/rocket', `${mountPath}/${file}`]);
    assert.deepEqual(
      env.map(({ name, valueFrom }: KubernetesObject) => [name, Object.keys(valueFrom)]),
      [['DATABASE_URL', ['secretKeyRef']]],
    );
  });
});

describe('deploy/kubernetes/restore.yaml', () => {
  it('the job reads what the backup wrote: same user, same volume, same folder', () => {
    const [backup, restore] = [cronJob, restoreJob].map((object) => podTemplate(object).spec);
    assert.deepEqual(restore.securityContext, backup.securityContext);
    const claims = [backup, restore].map(({ volumes }) => volumes[0].persistentVolumeClaim.claimName);
    const claim = readObject('components/backup/volume.yaml').metadata.name;
    assert.deepEqual(claims, [claim, claim]);
    for (const { containers } of [backup, restore])
      assert.equal(containers[0].workingDir, containers[0].volumeMounts[0].mountPath);
  });
});

function selects(
  { matchLabels = {}, matchExpressions = [] }: KubernetesObject,
  given: Record<string, string>,
) {
  return (
    Object.entries(matchLabels).every(([name, value]) => given[name] === value) &&
    matchExpressions.every(({ key, values }: KubernetesObject) => values.includes(given[key]))
  );
}

function readKustomization(file: string): KubernetesObject {
  return load(readFileSync(path.join(FOLDER, file), 'utf8'));
}

/** The settings of a kustomization's ConfigMap. */
function settingsOf(file: string): Map<string, string> {
  const [{ literals }] = readKustomization(file).configMapGenerator;
  return new Map(literals.map((literal: string) => /^(\w+)=(.*)$/.exec(literal)?.slice(1)));
}

function portCalled(wanted: string): number {
  return container.ports.find(({ name }: KubernetesObject) => name === wanted)?.containerPort;
}

function constantIn(file: string, name: string): number {
  const [, digits = ''] = new RegExp(`\\b${name} = ([\\d_]+);`).exec(read(file)) ?? [];
  return Number(digits.replaceAll('_', ''));
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
