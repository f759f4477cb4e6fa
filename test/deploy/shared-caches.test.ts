import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { ApiError } from '../../src/errors.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const VARNISH = readFileSync(path.join(ROOT, 'deploy/varnish/default.vcl'), 'utf8');
const OPERATIONS = readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8');
/** What a response has of the client whose request filled the cache. */
const OF_ONE_CLIENT = ['RateLimit', 'X-Request-Id'];

describe('headers in shared caches', () => {
  const [, section = ''] = OPERATIONS.split('\n### Headers in shared caches\n');

  it('the docs say for each proxy what to do, and the file for Varnish removes them from cached responses', () => {
    for (const proxy of ['nginx', 'Varnish', 'Caddy', 'A CDN'])
      assert.match(section, new RegExp(`^\\| ${proxy} \\| .{20}`, 'm'));
    const [, cached = ''] = /if \(obj\.hits > 0\) \{(.*?)\}/s.exec(VARNISH) ?? [];
    for (const name of OF_ONE_CLIENT) assert.ok(cached.includes(`unset resp.http.${name};`), name);
  });

  it('every proxy that makes the id of a request, so that clients do not, also removes their trace', () => {
    const files = globSync(['deploy/{nginx/*.conf,caddy/*,varnish/default.vcl}', 'docs/production/*.md'], {
      cwd: ROOT,
    }).filter((file) =>
      /proxy_pass |reverse_proxy \S*:300\d|^vcl /m.test(readFileSync(path.join(ROOT, file), 'utf8')),
    );
    assert.ok(files.length >= 7, files.join());
    for (const file of files) {
      const text = readFileSync(path.join(ROOT, file), 'utf8');
      const ids =
        text.match(/^\s*(?:proxy_set_header|header_up|unset) (?:req\.http\.)?X-Request-Id\b/gm) ?? [];
      const traces =
        text.match(
          /^\s*(?:proxy_set_header traceparent '';|header_up -traceparent|unset req.http.traceparent;)$/gm,
        ) ?? [];
      assert.ok(ids.length > 0, file);
      assert.equal(traces.length, ids.length, file);
    }
  });

  it('Varnish has the error of the API while no node is up', () => {
    assert.ok(VARNISH.includes(`"""${new ApiError('unavailable').body}"""`));
  });

  it('the nginx site hides them wherever it caches', () => {
    const site = readFileSync(path.join(ROOT, 'deploy/nginx/changelog.conf'), 'utf8');
    const caching = site
      .split(/^ {2}location /m)
      .filter((location) => /^ +proxy_cache \w+;$/m.test(location));
    assert.ok(caching.length > 0);
    for (const location of caching)
      for (const name of OF_ONE_CLIENT) assert.match(location, new RegExp(`proxy_hide_header ${name};`));
  });
});
