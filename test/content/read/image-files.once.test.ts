import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { readImage } from '../../../src/content/read/image-files.ts';
import { IMAGE_RULE } from '../../../src/domain/content/appearance.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { refusalBy } from '../helpers.ts';

const STARTS = {
  png: Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1'),
  jpeg: Buffer.from('\xff\xd8\xff\xe0....', 'latin1'),
  gif: Buffer.from('GIF89a....'),
  webp: Buffer.from('RIFF....WEBPVP8 '),
  avif: Buffer.from('\0\0\0\x20ftypmif1\0\0\0\0mif1avif', 'latin1'),
  'svg+xml': Buffer.from('<svg/>'),
};

describe('a picture from a file', () => {
  const outside = temporaryFolder(sharedScope());
  const folder = path.join(outside, 'content');
  const write = (name: string, content: string | Buffer) => writeFileSync(path.join(folder, name), content);
  const read = (file: string) => readImage(file, folder);
  const refusal = (file: string) => refusalBy(() => read(file));
  before(() => mkdirSync(path.join(folder, '..inside'), { recursive: true }));

  it('becomes a data: URL of the type that its content has', () => {
    for (const [type, bytes] of Object.entries(STARTS)) {
      write('picture.png', bytes);
      const url = `data:image/${type};base64,${bytes.toString('base64')}`;
      assert.equal(read('./picture.png'), url);
      assert.equal(IMAGE_RULE.read(url), url);
    }
  });

  it('may be an SVG with everything that comes before its root, and no other text', () => {
    for (const text of [
      '\uFEFF<?xml version="1.0"?>\n<!-- a > b --><!-- c -->\n<!DOCTYPE svg [ <!ENTITY a "b"> ]>\n<svg\n/>',
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd"><svg:svg/>',
    ]) {
      write('logo.svg', text);
      assert.match(read('logo.svg'), /^data:image\/svg\+xml;base64,/);
    }
    for (const text of [
      '',
      'DATABASE_URL=postgres://u:hidden@h/d',
      '<html><svg/></html>',
      '<!-- --> '.repeat(2_000),
    ]) {
      write('logo.svg', text);
      assert.equal(
        refusal('logo.svg'),
        '"logo.svg" is not a PNG, JPEG, GIF, WebP, AVIF or SVG image; check the file.',
      );
    }
  });

  it('of the largest size is valid, and a larger one is rejected with both sizes', () => {
    write('logo.svg', `<svg>${' '.repeat(24_000 - 11)}</svg>`);
    assert.notEqual(IMAGE_RULE.read(read('logo.svg')), null);
    write('logo.svg', `<svg>${' '.repeat(24_000 - 10)}</svg>`);
    assert.equal(
      refusal('logo.svg'),
      '"logo.svg" has 24,001 bytes, and a picture from a file may have 24,000; make it smaller, or upload it and use its https: URL.',
    );
  });

  it('must be a file in the folder of the document, also by its symbolic links', () => {
    const svg = STARTS['svg+xml'];
    writeFileSync(path.join(outside, 'secret.svg'), svg);
    write('..inside/logo.svg', svg);
    symlinkSync(path.join(outside, 'secret.svg'), path.join(folder, 'link.svg'));
    symlinkSync('..inside/logo.svg', path.join(folder, 'inner.svg'));
    symlinkSync('loop.svg', path.join(folder, 'loop.svg'));
    mkdirSync(path.join(folder, 'folder.svg'));
    for (const file of [
      '../secret.svg',
      'a/../../secret.svg',
      path.join(outside, 'secret.svg'),
      '//a/b.svg',
      'link.svg',
    ])
      assert.match(
        refusal(file),
        /is outside of the folder of the document; copy the file into it, or use an https: URL\.$/,
      );
    for (const file of ['inner.svg', '..inside/logo.svg', './a/../inner.svg'])
      assert.equal(read(file), read('inner.svg'));
    assert.match(refusal('folder.svg'), /^"folder\.svg" is not a file; name a picture\.$/);
    assert.match(
      refusal('none.svg'),
      /cannot be read: no such file; its path starts at the folder of the document/,
    );
    assert.match(refusal('loop.svg'), /cannot be read: ELOOP/);
    assert.match(refusal('inner.svg/logo.svg'), /cannot be read: ENOTDIR/);
  });
});
