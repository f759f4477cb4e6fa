import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatApiKey } from '../../../src/domain/access/api-key.ts';
import { loggedPath } from '../../../src/http/telemetry/log.ts';

it('a path in the log is as it was sent, without the query', () => {
  for (const [target, path] of [
    ['/', '/'],
    [
      '/api/v1/public/teams/acme/products/rocket/changelog?limit=1',
      '/api/v1/public/teams/acme/products/rocket/changelog',
    ],
    ['/changelog/acme/rocket/versions/v1.0%2Frc_1#top', '/changelog/acme/rocket/versions/v1.0%2Frc_1'],
    ['/a?b?c/d', '/a'],
    ['?token=x', ''],
    ['*', '*'],
    ['http://user:password@host/a?b', '/a'],
    ['https://user:password@host', ''],
  ] as const)
    assert.equal(loggedPath(target), path);
});

it('a path in the log has at most 200 characters, all of them printable, and nothing that ends a JSON string', () => {
  assert.equal(loggedPath('/a"b\\c\x00\x1b\x7f\x85\xe9 '), '/a%22b%5cc%00%1b%7f%85%e9%20');
  const path = `/${'x'.repeat(199)}`;
  assert.equal(loggedPath(path), path);
  assert.equal(loggedPath(`${path}y`), `${path.slice(0, 199)}…`);
  assert.equal(loggedPath('"'.repeat(300)).length, 200);
});

it('a path in the log has no API key, however it is written', () => {
  const key = formatApiKey((below) => below - 1);
  const encoded = [...key].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
  for (const [sent, logged] of [
    [`/x/${key}`, '/x/clk_…'],
    [`/x/${key.slice(0, 20)}/y`, '/x/clk_…/y'],
    [`/x/${key.toUpperCase()}`, '/x/clk_…'],
    [`/x/${key.slice('clk_'.length)}`, '/x/clk_…'],
    [`/x/${encoded}`, '/x/clk_…'],
    [`/x/${encoded.toUpperCase()}/y`, '/x/clk_…/y'],
    [`/${'x'.repeat(180)}/${key}`, `/${'x'.repeat(180)}/clk_…`],
  ] as const)
    assert.equal(loggedPath(sent), logged);
});
