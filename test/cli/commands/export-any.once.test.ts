// Export and apply of random documents.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readDocument } from '../../../src/content/read/read.ts';
import { PRODUCT_RULES, VERSION_RULES } from '../../../src/domain/content/appearance.ts';
import {
  CHANGE_TYPES,
  PLANS,
  PUBLICATION_STATES,
  VERSION_STATES,
  VISIBILITIES,
} from '../../../src/domain/model.ts';
import { execute } from '../../../support/databases/engine.ts';
import type { Scope } from '../../../support/processes/scope.ts';
import { apply, runOk } from '../../../support/program/command.ts';
import { written } from '../../content/helpers.ts';
import { unicodeText } from '../../support/unicode-text.ts';
import { sandboxOf } from '../helpers.ts';
import { listResponses } from '../responses.ts';

/** Strings that YAML, JSON or a database might misread. */
const NASTY = [
  'yes',
  'no',
  'on',
  'null',
  '~',
  'true',
  '1.0',
  '1e3',
  '0x1f',
  '0o17',
  '.inf',
  '.nan',
  '-',
  '--',
  '---',
  '...',
  '2026-05-04',
  '12:30:00',
  '# x',
  'a # b',
  'a: b',
  'a:',
  ': a',
  '? a',
  '- a',
  '! a',
  '!!str',
  '&a',
  '*a',
  '%a',
  '@a',
  '`a`',
  '|',
  '>',
  '|-',
  '>+',
  '{',
  '}',
  '[',
  ']',
  ',',
  '{a: b}',
  '[a]',
  '"',
  "'",
  '"a"',
  "'a'",
  "it's",
  '\\',
  '\\n',
  'a\\',
  '<<',
  '=',
  '\ta',
  'a\tb',
  'a\t',
  '__proto__',
  'constructor',
  "'; drop table teams; --",
  '🚀',
  '👩‍👩‍👧‍👦',
  '\u00e9',
  'e\u0301',
  '日本語',
  '\u202eabc',
  '\ufeffa',
  'a\ufeff',
  '\u00a0',
  '\u2028',
  '\u2029',
  '\u0085',
  '\u007f',
  '\u0001',
  '\u001b[31m',
  '\ufffd',
  '\uffff',
  '\u{10ffff}',
  '<b>x</b>',
  '&amp;',
  '%s',
  '$1',
];
const NASTY_LINES = [
  ' \n',
  '  \n\n',
  ' \n\t\n',
  ' \t \n',
  ' a',
  'a ',
  '  a  ',
  '\n',
  '\n\n',
  'a\n',
  'a\n\n\n',
  '\na',
  '\n a',
  ' \n a',
  'a\n b\n  c',
  'a\n\tb',
  'a\n \nb',
  'a\n   ',
  'a\n\t',
  'a \nb',
  'a\r\nb',
  'a\rb',
  '\r',
  '\r\n',
  'a\r\n',
  'a\n# b',
  'a\n---\nb',
  'a\n...\nb',
  'a\n: b',
  '- a\n- b\n',
  '```\n  code\n```',
  'x '.repeat(2_000),
  'x'.repeat(20_000),
  `${'word '.repeat(60)}\n\n  ${'y'.repeat(200)}`,
];

const withoutNul = (text: string) => !text.includes('\0');
const anyText = fc.oneof(
  fc.constantFrom(...NASTY, ...NASTY_LINES),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  unicodeText({ maxLength: 40 }).filter(withoutNul),
  fc
    .array(fc.constantFrom(...NASTY, ' ', '\n', '\t', '\r', 'a', ': ', ' #'), { maxLength: 6 })
    .map((a) => a.join('')),
);
const someText = anyText.filter((text) => text.length > 0);
const name = someText.map((text) => [...text].slice(0, 200).join(''));
const title = anyText.map((text) => [...text].slice(0, 1000).join(''));
const label = fc
  .oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a label may not contain these.
  .filter((text) => /^[^\s\x00-\x1f\x7f](?:[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f])?$/.test(text));
const slug = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/);
const date = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const pastDate = fc
  .date({ min: new Date('0001-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
  .map((moment) => moment.toISOString());
const left = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const change = fc.record({
  type: fc.constantFrom(...CHANGE_TYPES),
  text: someText,
  breaking: left(fc.boolean()),
});
const urlPart = (start: string) =>
  fc.option(
    unicodeText({ maxLength: 10 }).map((text) => start + encodeURI(text)),
    { nil: '' },
  );
const httpsUrl = fc
  .oneof(
    // `webUrl` of fast-check would make its table of all characters.
    fc
      .tuple(fc.domain(), urlPart('/'), urlPart('?'), urlPart('#'))
      .map(([domain, ...parts]) => `https://${domain}${parts.join('')}`),
    fc.constantFrom('https://rocket.example', 'https://räket.example/ü', "https://a.example/'?a: b#c"),
  )
  .filter((url) => PRODUCT_RULES.home.read(url) !== null);
const compareUrl = fc
  .tuple(httpsUrl, fc.constantFrom('', '/v1...v2', '(a'))
  .map(([url, more]) => url.replace(/^https/, more === '' ? 'http' : 'https') + more)
  .filter((url) => VERSION_RULES.compare.read(url) !== null);
const dataUrl = fc
  .tuple(anyText, fc.boolean())
  .map(([text, isRaw]) => `data:image/svg+xml,${isRaw ? text : encodeURIComponent(text)}`);
const image = fc.oneof(httpsUrl, dataUrl).filter((url) => PRODUCT_RULES.image.read(url) !== null);
const repositoryUrl = httpsUrl
  .map((url) => `${url}/acme/rocket.git`)
  .filter((url) => PRODUCT_RULES.repository.read(url) !== null);
const anyVersion = fc.record({
  version: label,
  title,
  status: left(fc.constantFrom(...VERSION_STATES)),
  publishedAt: left(fc.oneof(fc.constantFrom('2026-05-04T09:00:00.000Z', '2026-05-04'), date)),
  publishAt: left(date),
  updatedAt: left(pastDate),
  description: left(anyText),
  links: left(fc.record({ compare: left(compareUrl) })),
  image: left(image),
  yanked: left(fc.boolean()),
  changes: left(fc.array(change, { maxLength: 4 })),
});
/** Only a draft has a schedule. */
const version = anyVersion.map(({ publishAt, ...rest }) => ({
  ...rest,
  ...(rest.status !== 'published' && { publishAt }),
}));
const anyProduct = fc.record({
  slug,
  hasDomain: fc.boolean(),
  name,
  status: left(fc.constantFrom(...PUBLICATION_STATES)),
  links: left(fc.record({ home: left(httpsUrl), base: left(httpsUrl), repository: left(repositoryUrl) })),
  image: left(image),
  logo: left(image),
  accent: left(fc.stringMatching(/^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/)),
  changelog: left(
    fc.record({
      name: left(name),
      description: left(anyText),
      language: left(fc.constantFrom('en', 'no', 'EN-us', 'de-CH', 'zh-Hant')),
      status: left(fc.constantFrom(...PUBLICATION_STATES)),
      versions: left(fc.uniqueArray(version, { maxLength: 6, selector: (one) => one.version })),
    }),
  ),
});
/** No two domains are the same. */
const product = anyProduct.map(({ hasDomain, ...rest }) => ({
  ...rest,
  ...(hasDomain && rest.slug.length < 64 && { domain: `${rest.slug}.Example` }),
}));
const anyDocument = fc.record({
  team: fc.record({
    slug: fc.constant('acme'),
    name,
    visibility: left(fc.constantFrom(...VISIBILITIES)),
    plan: left(fc.constantFrom(...PLANS)),
  }),
  products: left(fc.uniqueArray(product, { maxLength: 3, selector: (one) => one.slug })),
});

async function inScope(use: (scope: Scope) => Promise<void>): Promise<void> {
  const cleanUps: (() => void | Promise<void>)[] = [];
  try {
    await use({ after: (cleanUp) => void cleanUps.unshift(cleanUp) });
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
  }
}

describe('a random document', () => {
  for (const format of ['yaml', 'json'] as const) {
    it(`any document reads back as it was written (${format})`, async () => {
      await fc.assert(
        fc.asyncProperty(anyDocument, async (document) => {
          const { content } = readText(JSON.stringify(document));
          const text = await written(content, format);
          assert.deepEqual(readText(text).content, content);
        }),
        { numRuns: 20 },
      );
    });
  }

  it('export and apply reproduce any document, API responses included', async (t) => {
    const [source, target] = [sandboxOf(t), sandboxOf(t)];
    for (const sandbox of [source, target]) await runOk(sandbox, ['migrate']);
    await fc.assert(
      fc.asyncProperty(anyDocument, fc.constantFrom('yaml', 'json'), (document, format) =>
        inScope(async (scope) => {
          for (const sandbox of [source, target])
            scope.after(async () => void (await execute(sandbox, 'delete from teams')));
          await apply(source, document);
          const text = await runOk(source, ['export', 'acme', '--format', format]);
          await runOk(target, ['apply', '-'], text);
          assert.equal(await runOk(target, ['export', 'acme', '--format', format]), text);
          assert.match(await runOk(source, ['apply', '-', '--prune'], text), /^Nothing to do/);
          assert.deepEqual(await listResponses(scope, target), await listResponses(scope, source));
        }),
      ),
      { numRuns: 6 },
    );
  });

  it('export and apply reproduce a document of difficult strings', async (t) => {
    const [source, target] = [sandboxOf(t), sandboxOf(t)];
    const texts = [...NASTY, ...NASTY_LINES];
    const versions = texts.map((text, index) => ({
      version: `1.0.${index}`,
      title: text.slice(0, 1000),
      description: text,
      changes: [{ type: 'other', text }],
    }));
    await apply(source, {
      team: { slug: 'acme', name: '~', plan: 'paid' },
      products: [{ slug: '1-0', name: 'yes', changelog: { versions } }],
    });
    const text = await runOk(source, ['export', 'acme']);
    await runOk(target, ['apply', '-'], text);
    const { products } = JSON.parse(await runOk(target, ['export', 'acme', '--json']));
    const found = products[0].changelog.versions as (typeof versions)[0][];
    assert.deepEqual(
      found.map(({ description, changes }) => [description, changes[0]?.text]),
      texts.map((one) => [one, one]),
    );
  });
});

function readText(text: string) {
  return readDocument({ bytes: Buffer.from(text), name: 'a.yaml' }, import.meta.dirname);
}
