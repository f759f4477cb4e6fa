import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Area, areaOf, isGated, isLimited, routePath } from '../../../src/http/pipeline/path.ts';

/** What is asked for, and the area that decides over gate, limiter and the form of errors (R23, R25, R38, R39). */
const TARGETS: Readonly<Record<Area, readonly string[]>> = {
  public: [
    '/api/v1/public',
    '/api/v1/public/x',
    '/api/v1/public/%ff',
    '/api/v1/public//x',
    '/api/v1/%70ublic/x',
  ],
  team: ['/api', '/api/', '/api/v1', '/api/v1/teams/x', '/api/%2f', '/api/openapi.json', '/api/v1/publicity'],
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
  ],
  lists: ['/sitemap.xml', '/sitemap.xml?cursor=x', '/llms.txt', '/llms%2etxt'],
  open: [
    '/docs',
    '/robots.txt',
    '/favicon.ico',
    '/widget.js',
    '/nothing',
    '/changelogs',
    '/changelog-error/x',
    '/changelog%2Facme',
    '//changelog/acme',
    '//',
    '/.',
    '/%2f',
    '/sitemap.xml/',
    '/llms.txt/x',
    '*',
  ],
};

describe('areas', () => {
  for (const [area, targets] of Object.entries(TARGETS))
    for (const target of targets)
      it(`${target.slice(0, 40) || 'an empty target'} belongs to ${area}`, () =>
        assert.equal(areaOf(routePath(target)), area));

  it('the gate and the limiter cover what has public content, and the gate the team routes too', () => {
    const table = (Object.keys(TARGETS) as Area[]).map((area) => {
      const [target = ''] = TARGETS[area];
      return [area, isGated(routePath(target)), isLimited(routePath(target))];
    });
    assert.deepEqual(table, [
      ['public', true, true],
      ['team', true, false],
      ['pages', true, true],
      ['lists', true, true],
      ['open', false, false],
    ]);
  });
});
