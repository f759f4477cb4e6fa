import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RouteSurface } from '../../../src/http/pipeline/exchange.ts';
import { createRouter, type Guards } from '../../../src/http/pipeline/router.ts';
import { ROUTES } from '../../../src/http/routes.ts';

/** A target, and the surface that decides the gate, the limiter and the form of errors (R23, R25, R38, R39). */
const TARGETS: Readonly<Record<RouteSurface, readonly string[]>> = {
  public: [
    '/api/v1/public',
    '/api/v1/public/x',
    '/api/v1/public/%ff',
    '/api/v1/public//x',
    '/api/v1/%70ublic/x',
    '/api/v1/version',
    '/api/v1/repos',
    '/api/v1/repos/x',
    '/api/v1/repos/%ff',
    '/api/v1/repos//x',
    '/api/v1/%72epos/%00',
  ],
  team: [
    '/api',
    '/api/',
    '/api/v1',
    '/api/v1/teams/x',
    '/api/%2f',
    '/api/openapi.json',
    '/api/v1/publicity',
    '/api/v1/repository',
  ],
  pages: [
    '/',
    '',
    '/?q=x',
    '/#x',
    'http://elsewhere',
    'http://elsewhere/',
    'http://elsewhere/changelog/acme',
    '/changelog',
    '/changelog/',
    '/changelog?x',
    '/index.md',
    '/index%2Emd?x',
    '/changelog/acme',
    '/changelog/acme/',
    '/changelog/acme/rocket',
    '/changelog/acme/rocket?q=x',
    '/changelog/acme/rocket/',
    '/changelog/acme//rocket',
    '/changelog/acme/rocket/versions/2.1.0',
    '/changelog/acme/rocket/versions/%2f',
    '/changelog/acme/rocket/nothing/at/all',
    '/changelog/%ff',
    '/changelog/%00',
    '/changelog/%zz/x',
    `/changelog/${'a'.repeat(129)}`,
    '/%63hangelog/acme',
    '/%63hangelog/%ff',
    '/acme/rocket/releases/tag',
    '/acme/rocket/releases/tag/2.1.0',
    '/acme/rocket/releases/tag/a/b',
    '/acme/rocket/releases/tag/a%2Fb',
    '/acme/rocket/releases/tag/',
    '/acme/%ff/releases/tag/2.1.0',
    '/acme/rocket/%63ompare/%00',
    '/acme/rocket/compare/1...2',
    '/acme/rocket',
    '/acme/rocket/releases',
    '/acme/rocket/releases/latest',
    '/llms.txt/x',
    '/docs/x',
    '/changelog-error/x',
  ],
  lists: ['/sitemap.xml', '/sitemap.xml?cursor=x', '/llms.txt', '/llms%2etxt'],
  open: [
    '/docs',
    '/robots.txt',
    '/favicon.ico',
    '/widget.js',
    '/nothing',
    '/acme/rocket/tags/a%2Fb',
    '/changelogs',
    '/changelog%2Facme',
    '//changelog/acme',
    '//',
    '/.',
    '/%2f',
    '/sitemap.xml/',
    '/llms.txt/x/y',
    '*',
  ],
};

const shown = (line: Readonly<{ path: string }> & Guards) => ({ ...line, stages: [], exists: true });
const routeRequest = createRouter(
  ROUTES.map((line) => ({
    ...shown(line),
    withKey: line.withKey && shown({ ...line.withKey, path: line.path }),
  })),
  false,
  () => '',
);
const route = (url: string, ...authorization: string[]) =>
  routeRequest({ url, rawHeaders: authorization.flatMap((line) => ['Authorization', line]) }, null);

describe('surfaces', () => {
  for (const [surface, targets] of Object.entries(TARGETS))
    for (const target of targets)
      it(`${target.slice(0, 40) || 'an empty target'} belongs to ${surface}`, () =>
        assert.equal(route(target).surface, surface));

  it('with a key, requests of Gitea clients belong to team, and nothing else does', () => {
    for (const key of ['Bearer x', 'bearer x', 'token x', 'TOKEN\tx']) {
      for (const target of TARGETS.public)
        assert.equal(
          route(target, key).surface,
          /repos|%72epos|version/.test(target) ? 'team' : 'public',
          target,
        );
      for (const target of [...TARGETS.pages, ...TARGETS.lists, ...TARGETS.open])
        assert.notEqual(route(target, key).surface, 'team', target);
    }
    for (const other of ['Basic eDp4', 'token', 'Bearer', 'Bearer ', 'tokenx', ''])
      assert.equal(route('/api/v1/version', other).surface, 'public', other);
    assert.equal(route('/api/v1/version', 'Basic x', 'token x').surface, 'team');
  });

  it('the gate and the limiter cover all public content, and the gate covers the team routes too', () => {
    const table = (Object.keys(TARGETS) as RouteSurface[]).map((surface) => {
      const guards = TARGETS[surface].map((target) => route(target));
      return [surface, ...new Set(guards.map(({ gated, limited }) => `${gated} ${limited}`))];
    });
    assert.deepEqual(table, [
      ['public', 'true true'],
      ['team', 'true false'],
      ['pages', 'true true'],
      ['lists', 'true true'],
      ['open', 'false false'],
    ]);
  });
});
