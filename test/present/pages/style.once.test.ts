import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import {
  DARK_BACKGROUND,
  DARK_SURFACE,
  LIGHT_BACKGROUND,
  LIGHT_SURFACE,
} from '../../../src/domain/accent.ts';
import { STYLE, sheetFor } from '../../../src/present/pages/style.ts';
import { changelogPage, FORM, HEAD, VERSION } from './sample.ts';

/** As the server compresses. */
const compressedBytes = (text: string): number =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }).length;

const KB = 1_000;

describe('the style sheet', () => {
  it('is at most 3.3 KB', () => {
    assert.ok(compressedBytes(STYLE) <= 3.3 * KB, `${compressedBytes(STYLE)}`);
  });

  it('has no comment, and cannot end its element', () => {
    assert.equal(/\/\*|<|\n/.test(STYLE), false);
    assert.equal((STYLE.match(/\{/g) ?? []).length, (STYLE.match(/\}/g) ?? []).length);
  });

  it('has the backgrounds that accents are readable on', () => {
    const surfaces = [
      `--page:light-dark(${LIGHT_BACKGROUND},${DARK_BACKGROUND})`,
      `--raised:light-dark(${LIGHT_SURFACE},${DARK_SURFACE})`,
    ];
    for (const surface of surfaces) assert.ok(STYLE.includes(surface), surface);
  });

  it('has the product’s accent, readable on light and dark, then the operator’s sheet', () => {
    const css = sheetFor({ extraCss: 'body{color:red}' }, '#ffee00');
    assert.match(css, /:root\{--accent:light-dark\(#[0-9a-f]{6},#ffee00\)\}body\{color:red\}$/);
  });

  it('ignores an accent that is not a colour: SQL can write anything', () => {
    for (const accent of ['#000000</style><script>', '#0a58ca);background:url(https://e.example', 'red', ''])
      assert.equal(sheetFor({ extraCss: '' }, accent), STYLE);
    assert.match(sheetFor({ extraCss: '' }, '#00F'), /--accent:light-dark\(#0000ff,#[0-9a-f]{6}\)\}$/);
  });
});

describe('the size of a page', () => {
  it('is at most 5 KB without versions', () => {
    const nothing = changelogPage({ versions: [], versionCount: 0 });
    const demo = readFileSync(path.resolve(import.meta.dirname, '../../../demo/acme.yaml'), 'utf8');
    const logo = /logo: (data:.*)/.exec(demo)?.[1] as string;
    const noResult = changelogPage({
      head: { ...HEAD, logo, accent: '#4f46e5' },
      versions: [],
      isFiltered: true,
      form: { ...FORM, values: { q: ['countdown'] } },
    });
    assert.ok(compressedBytes(nothing) <= 5 * KB, `${compressedBytes(nothing)}`);
    assert.ok(compressedBytes(noResult) <= 5 * 1024, `${compressedBytes(noResult)}`);
  });

  it('grows little with each version', () => {
    const one = compressedBytes(changelogPage());
    const title = 'Another title that says something else';
    assert.ok(compressedBytes(changelogPage({}, { ...VERSION, title })) - one < 100);
  });
});
