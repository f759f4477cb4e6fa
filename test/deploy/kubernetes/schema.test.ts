import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedScope } from '../../../support/processes/scope.ts';
import { FILES, type KubernetesObject, readObject, readObjects } from './objects.ts';
import { schemaErrors } from './schema.ts';

type Mistake = Readonly<{ make: (deployment: KubernetesObject) => void; found: RegExp }>;

const containerOf = (deployment: KubernetesObject) => deployment.spec.template.spec.containers[0];

const MISTAKES: readonly Mistake[] = [
  {
    make: (deployment) =>
      Object.assign(containerOf(deployment).securityContext, { readOnlyFilesystem: true }),
    found: /'"readOnlyFilesystem"' does not exist in type 'SecurityContext'/,
  },
  {
    make: (deployment) => containerOf(deployment).env.push({ name: 'PORT', value: 3000 }),
    found: /Type 'number' is not assignable to type 'string'/,
  },
  { make: ({ spec }) => delete spec.selector, found: /Property 'selector' is missing/ },
  { make: (deployment) => Object.assign(deployment, { apiVersion: 'apps/v2' }), found: /Cannot find module/ },
];

describe('deploy/kubernetes: the schemas of the Kubernetes API', () => {
  const scope = sharedScope();

  it('every object is valid, and an unknown, wrong or missing field is found', () => {
    const files = FILES.flatMap((file) => readObjects(file).map((object) => ({ file, object })));
    const broken = MISTAKES.map(({ make }) => {
      const deployment = readObject('base/deployment.yaml');
      make(deployment);
      return deployment;
    });
    const errors = schemaErrors(scope, [...files.map(({ object }) => object), ...broken]);
    for (const { file } of files) assert.equal(errors.shift(), '', file);
    for (const { found } of MISTAKES) assert.match(errors.shift() ?? '', found);
  });
});
