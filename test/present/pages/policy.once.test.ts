import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { addOrigin, policyFor, sheetFor } from '../../../src/present/pages/style.ts';
import { changelogPage, HEAD } from './sample.ts';

const imagesIn = (policy: string) => /; img-src ([^;]*);/.exec(policy)?.[1];
/** The image sources of a page with these images. */
const allowed = (...images: readonly string[]) => {
  const origins = new Set<string>();
  for (const image of images) addOrigin(image, origins);
  return imagesIn(policyFor('', origins));
};

describe('the policy', () => {
  it('allows only the style sheet by its hash, embedded images, forms and requests to this server', () => {
    const hash = createHash('sha256').update('a{}').digest('base64');
    assert.equal(
      policyFor('a{}'),
      `default-src 'none'; connect-src 'self'; style-src 'sha256-${hash}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    );
  });

  it('has the hash of the sheet on the page', () => {
    const page = changelogPage({ head: { ...HEAD, accent: '#e4572e' } });
    const css = /<style>(.*)<\/style>/s.exec(page)?.[1] as string;
    assert.equal(sheetFor({ extraCss: '' }, '#e4572e'), css);
  });

  it('is right for more style sheets than it caches', () => {
    const policies = Array.from({ length: 300 }, (_, number) => policyFor(`a{order:${number}}`));
    assert.equal(new Set(policies).size, 300);
    assert.equal(policyFor('a{order:7}'), policies[7]);
  });

  it('allows the origins of the images on the page, each once, and no others', () => {
    assert.equal(
      allowed('data:image/png;base64,AA', 'b.png', '//c.example/d', 'http://a.example/b.png'),
      'data:',
    );
    assert.equal(
      allowed('https://A.example/b.png?c=1&d=2', 'https://a.example/e', 'https://é.example:8443/f'),
      'https://a.example https://xn--9ca.example:8443 data:',
    );
  });

  it('allows where GitHub keeps its images, since a policy applies to redirects', () => {
    assert.equal(
      allowed('https://github.com/user-attachments/assets/1'),
      'https://github.com https://*.githubusercontent.com https://github-production-user-asset-6210df.s3.amazonaws.com data:',
    );
  });

  it('allows the images of the operator’s style sheet', () => {
    const css = 'a{background:url("https://a.example/b.svg"),url(https://c.example)}';
    assert.equal(
      imagesIn(policyFor(css, ['https://d.example'])),
      'https://a.example https://c.example https://d.example data:',
    );
  });

  it('no host adds to it: one that it has no words for allows all', () => {
    for (const host of [
      'a;script-src',
      "a,'unsafe-inline'",
      '127.0.0.2',
      '[::1]',
      'a_b.example',
      'a.example.',
      '*',
      '*.a',
    ])
      assert.equal(allowed(`https://${host}/b.png`), 'https: data:', host);
  });

  it('allows all for more origins than headers can have', () => {
    const images = (count: number) =>
      Array.from({ length: count }, (_, number) => `https://${number}.a.example/b`);
    assert.match(allowed(...images(50)) ?? '', /^https:\/\/0\.a\.example .* https:\/\/49\.a\.example data:$/);
    assert.equal(allowed(...images(500)), 'https: data:');
    assert.equal(allowed(`https://${'a.'.repeat(50_000)}a/b`), 'https: data:');
  });
});
