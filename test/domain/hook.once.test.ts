import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createHubsFor, type Hook, type OnlyFilter } from '../../src/domain/hook.ts';

const websub = (url: string, only: OnlyFilter = {}): Hook => ({
  name: url,
  kind: 'websub',
  url,
  secret: null,
  only,
  maxAgeHours: 72,
});

it('feeds name the hubs that are told of all their versions, without credentials', () => {
  const hubsFor = createHubsFor([
    websub('https://user:pass@all.example/'),
    websub('https://team.example/', { teams: ['acme'] }),
    websub('https://product.example/', { products: ['acme/null'] }),
    websub('https://none.example/', { teams: ['acme'], products: ['other/null'] }),
    websub('https://some.example/', { prerelease: false }),
    { ...websub('https://site.example/'), kind: 'webhook' } as Hook,
  ]);
  const ALL = 'https://all.example/';
  assert.deepEqual(hubsFor('acme', 'null'), [ALL, 'https://team.example/', 'https://product.example/']);
  assert.deepEqual(hubsFor('acme', 'rocket'), [ALL, 'https://team.example/']);
  assert.deepEqual(hubsFor('acme', null), [ALL, 'https://team.example/']);
  assert.deepEqual(hubsFor('other', 'null'), [ALL]);
  assert.deepEqual(createHubsFor([])('acme', 'rocket'), []);
});
