import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  CHANGELOG_RULES,
  PRODUCT_RULES,
  type TextRule,
  VERSION_RULES,
} from '../../../src/domain/content/appearance.ts';

const { domain, home, repository, logo, accent } = PRODUCT_RULES;
const { language } = CHANGELOG_RULES;
const { compare } = VERSION_RULES;

function assertReads({ read }: TextRule, cases: readonly (readonly [text: string, stored: string])[]): void {
  for (const [text, stored] of cases) assert.equal(read(text), stored, text);
}

function assertRejects({ read }: TextRule, texts: readonly string[]): void {
  for (const text of texts) assert.equal(read(text), null, text.slice(0, 100));
}

describe('the comparison of a version', () => {
  it('is an absolute https: or http: URL, without the brackets that would end a link in Markdown', () => {
    assertReads(compare, [
      ['https://rocket.example/compare/v1...v2', 'https://rocket.example/compare/v1...v2'],
      ['http://git.rocket.example/log?q=v1..v2', 'http://git.rocket.example/log?q=v1..v2'],
      ['https://rocket.example/a(b)c', 'https://rocket.example/a%28b%29c'],
    ]);
    assertRejects(compare, [
      'compare/v1...v2',
      'ftp://rocket.example/compare/v1...v2',
      'javascript:alert(1)',
      'https://rocket(1).example/',
      'https://user:secret@rocket.example/compare/v1...v2',
      `https://rocket.example/${'a'.repeat(2_048)}`,
    ]);
  });
});

describe('a product’s domain', () => {
  const LONGEST = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;

  it('is stored as requests have it: in lower case and ASCII, without the last dot', () => {
    assertReads(domain, [
      ['changes.rocket.example', 'changes.rocket.example'],
      ['Changes.Rocket.EXAMPLE.', 'changes.rocket.example'],
      ['änderungen.example', 'xn--nderungen-u2a.example'],
      ['ÄNDERUNGEN。EXAMPLE', 'xn--nderungen-u2a.example'],
      ['xn--nderungen-u2a.example', 'xn--nderungen-u2a.example'],
      ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
      ['rocket.localhost', 'rocket.localhost'],
      ['1.2.3.4.example', '1.2.3.4.example'],
      ['4.a-1', '4.a-1'],
      [LONGEST, LONGEST],
    ]);
  });

  it('must be a whole host name and nothing else', () => {
    assertRejects(domain, [
      '',
      '.',
      'localhost',
      'rocket',
      'rocket.',
      'https://changes.rocket.example',
      'changes.rocket.example/',
      'changes.rocket.example/changes',
      'changes.rocket.example:8443',
      'changes.rocket.example?x',
      'changes.rocket.example#x',
      'me@changes.rocket.example',
      'changes.rocket.example, other.example',
      ' changes.rocket.example',
      'changes.rocket.example\n',
      'changes rocket.example',
      'changes%2erocket.example',
      '*.rocket.example',
      'my_changes.rocket.example',
      'changes..rocket.example',
      '.rocket.example',
      'rocket.example..',
      '-changes.rocket.example',
      'changes-.rocket.example',
      'changes.rocket.example-',
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      'rocket.1',
      '[::1]',
      '::1',
      'xn--.example',
      '\u200f.example',
      `${'a'.repeat(64)}.example`,
      `${'ä'.repeat(62)}.example`,
      `a.${LONGEST}`,
      `${LONGEST.slice(1)}e.f`,
    ]);
  });
});

describe('a product’s link', () => {
  it('is stored as written, or as a browser would send it', () => {
    assertReads(home, [
      ['https://rocket.example', 'https://rocket.example'],
      ['https://rocket.example/', 'https://rocket.example/'],
      ['https://rocket.example/docs/?a=b@c#d', 'https://rocket.example/docs/?a=b@c#d'],
      ['https://rocket.example:8443/docs', 'https://rocket.example:8443/docs'],
      ['https://ROCKET.example:443/a/../b', 'https://rocket.example/b'],
      ['https://räket.example/ü"<', 'https://xn--rket-loa.example/%C3%BC%22%3C'],
      ['https://[::1]/x', 'https://[::1]/x'],
    ]);
  });

  it('must be an absolute https: URL without credentials', () => {
    assertRejects(home, [
      '',
      'rocket.example',
      '/docs/',
      '//rocket.example',
      'http://rocket.example',
      'ftp://rocket.example',
      'javascript:alert(1)',
      'data:text/html,x',
      'https:rocket.example',
      'https:/rocket.example',
      'https://',
      'https:///rocket.example',
      'https://?x',
      'https://user@rocket.example',
      'https://user:secret@rocket.example/',
      'https://@rocket.example/',
      'https://rocket.example\\@other.example/',
      ' https://rocket.example',
      'https://rocket.example ',
      'https://rocket.example/a b',
      'https://rocket.example/a\nb',
      'https://rocket\t.example/',
      'https://rocket.example/\u0000',
      'https://rocket.example:99999/',
      'https://999.1.1.1/',
      'https://a|b/',
      `https://rocket.example/${'a'.repeat(2_048)}`,
      `https://rocket.example/${'ü'.repeat(1_000)}`,
    ]);
  });
});

describe('a product’s repository', () => {
  it('is stored without .git and slashes at its end', () => {
    const stored = 'https://github.com/acme/rocket';
    assertReads(
      repository,
      ['', '/', '.git', '.git/', '//', '.git.git'].map((end) => [stored + end, stored]),
    );
    assertReads(repository, [
      ['https://GIT.example:8443/~acme/räket', 'https://git.example:8443/~acme/r%C3%A4ket'],
    ]);
  });

  it('must be an https: URL with a path, and without credentials, query and fragment', () => {
    assertRejects(repository, [
      '',
      'acme/rocket',
      'git@github.com:acme/rocket.git',
      'http://github.com/acme/rocket',
      'https://github.com',
      'https://github.com/',
      'https://github.com/.git',
      'https://github.com/acme/..',
      'https://token@github.com/acme/rocket',
      'https://user:secret@github.com/acme/rocket',
      'https://github.com/acme/rocket?token=x',
      'https://github.com/acme/rocket#readme',
      `https://github.com/${'a'.repeat(2_048)}`,
    ]);
  });
});

describe('a logo', () => {
  const PIXEL = 'R0lGODlhAQABAAAAACwAAAAAAQABAAA=';

  it('may be an https: URL, or a data: URL of an image', () => {
    const valid = [
      'https://rocket.example/logo.svg',
      `data:image/gif;base64,${PIXEL}`,
      ...['png', 'jpeg', 'webp', 'avif', 'svg+xml'].map((type) => `data:image/${type};base64,AAAA`),
      "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%2F%3E",
      'data:image/svg+xml;charset=utf-8,%3Csvg/%3E',
      'data:image/svg+xml;utf8,%3Csvg/%3E',
      `data:image/png;base64,${'A'.repeat(32_768 - 22)}`,
    ];
    assertReads(
      logo,
      valid.map((text) => [text, text]),
    );
  });

  it('as people paste it, is stored so that it is valid in a URL', () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="100%"><path fill="#f00" d=\'M0 0\'/>\n</svg>';
    const encoded =
      "%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20width=%22100%25%22%3E%3Cpath%20fill=%22%23f00%22%20d='M0%200'/%3E%0A%3C/svg%3E";
    assert.equal(decodeURIComponent(encoded), svg);
    assertReads(logo, [
      [`data:image/svg+xml;utf8,${svg}`, `data:image/svg+xml;utf8,${encoded}`],
      [`data:image/svg+xml; charset=utf-8, ${svg}\n`, `data:image/svg+xml;charset=utf-8,${encoded}`],
      ['data:image/svg+xml,<svg>ü🚀</svg>', 'data:image/svg+xml,%3Csvg%3E%C3%BC%F0%9F%9A%80%3C/svg%3E'],
      [
        'data:image/svg+xml,%3Csvg%20fill=%22#f00%22/%3E',
        'data:image/svg+xml,%3Csvg%20fill=%22%23f00%22/%3E',
      ],
      ['data:image/png;base64,AA AA\n  AA==\n', 'data:image/png;base64,AAAAAA=='],
    ]);
  });

  it('may be nothing else, nor too long', () => {
    assertRejects(logo, [
      'logo.svg',
      'http://rocket.example/logo.svg',
      'https://user:secret@rocket.example/logo.svg',
      'data:text/html,%3Cb%3E',
      'data:image/bmp;base64,AAAA',
      'data:image/svg+xml',
      'data:image/svg+xml,',
      'data:image/svg+xml, ',
      'data:image/svg+xml,<svg>\ud800</svg>',
      `data:image/svg+xml,${'<'.repeat(32_768 / 3)}`,
      'data:image/png;base64,A===',
      'data:image/svg+xml;charset=utf-16,%3Csvg/%3E',
      `data:image/png;base64,${'A'.repeat(32_768 - 21)}`,
      `data:image/svg+xml,${'%3C'.repeat(1_000_000)}`,
    ]);
  });
});

describe('an accent colour', () => {
  it('is stored as six lower-case digits', () => {
    assertReads(accent, [
      ['#4f46e5', '#4f46e5'],
      ['#4F46E5', '#4f46e5'],
      ['#FA0', '#ffaa00'],
    ]);
  });

  it('must be #rgb or #rrggbb', () => {
    assertRejects(accent, [
      '',
      '#',
      '4f46e5',
      '#4f46e',
      '#4f46e5ff',
      '#ggg',
      'red',
      '#fff;',
      '#fff\n',
      'var(--x)',
    ]);
  });
});

describe('a changelog’s language', () => {
  it('is stored in its canonical form', () => {
    assertReads(language, [
      ['en', 'en'],
      ['EN-us', 'en-US'],
      ['zh-hant-tw', 'zh-Hant-TW'],
      ['de-CH-1996', 'de-CH-1996'],
      ['iw', 'he'],
      ['no', 'no'],
      ['ar-u-nu-latn', 'ar-u-nu-latn'],
    ]);
  });

  it('must be a BCP 47 tag', () => {
    assertRejects(language, [
      '',
      'e',
      'english',
      'root',
      'en_US',
      'en-',
      'en--US',
      'en US',
      'en,de',
      'de-DE-',
      'ü',
      'x-mine',
      'en-US-US',
      'de-1996-1996',
      '"><script>',
      `en${'-abcdefgh'.repeat(20)}`,
    ]);
  });
});

describe('every rule', () => {
  const rules = Object.entries({ domain, home, repository, logo, accent, language });
  const pieces = [
    'https://',
    'a.example',
    '/',
    '..',
    '?',
    '#',
    'ü',
    '%41',
    '%',
    ':8',
    '@',
    '[',
    'en',
    '-',
    'US',
    'f00',
    '.git',
    'data:image/svg+xml,',
    ' ',
  ];
  const anyText = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join('')),
  );

  it('accepts what it stores, and stores it unchanged', () => {
    for (const [name, { read, pattern, maxLength }] of rules)
      fc.assert(
        fc.property(anyText, (text) => {
          const stored = read(text);
          if (stored === null) return;
          assert.equal(read(stored), stored, name);
          assert.match(stored, new RegExp(pattern));
          assert.match(stored, /^[\x21-\x7e]+$/);
          assert.ok(stored.length <= maxLength);
        }),
        { numRuns: 500 },
      );
  });
});
