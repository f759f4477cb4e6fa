// Content that is hard to lay out: nothing at all, long words, wide tables and code, another direction, very many years.

/** Of the content, not of the page. Browsers load it only where it is near what is seen. */
export const PICTURE = 'https://example.com/wide.png';

export const EXTREMES = {
  team: { slug: 'extremes', name: 'N'.repeat(200), visibility: 'public', plan: 'free' },
  products: [
    productOf('blank', 'Blank', []),
    {
      ...productOf('words', 'P'.repeat(200), [
        versionOf({
          version: 'L'.repeat(128),
          title: 'T'.repeat(1_000),
          description: `# ${'H'.repeat(300)}\n\n${'w'.repeat(500)}\n\n\`${'c'.repeat(300)}\`\n\nhttps://example.com/${'u'.repeat(300)}`,
          changes: [{ type: 'added', breaking: true, text: 'C'.repeat(400) }],
        }),
        versionOf({ version: '1.0.0', title: 'Wide', description: wideBlocks(''), changes: [] }),
        versionOf({
          version: '0.9.0',
          title: 'Wide, in lists',
          changes: [{ type: 'fixed', text: `- ${wideBlocks('  ').trimStart()}` }],
        }),
      ]),
      links: { home: `https://${'h'.repeat(60)}.example.com/` },
    },
    productOf(
      'rtl',
      'منتج',
      [
        versionOf({
          version: '1.0.0',
          title: 'ما الجديد في الإصدار 1.0',
          description:
            'نص مع `code` و[رابط](https://example.com).\n\n```\nconst one = 1;\n```\n\n| عمود | آخر |\n|---|---|\n| أ | ب |',
          changes: [
            { type: 'added', text: 'שלום עולם, עם **הדגשה** ו־`code`' },
            { type: 'removed', breaking: true, text: 'حذف' },
          ],
        }),
      ],
      'ar',
    ),
    productOf('prose', 'Prose', [
      versionOf({
        version: '1.0.0',
        title: 'A long story',
        description: `${'It goes on for a while. '.repeat(100)}\n\nSee [the end](https://example.com/end).`,
        changes: [{ type: 'fixed', text: 'A crash.' }],
      }),
    ]),
    productOf(
      'years',
      'Years',
      Array.from({ length: 100 }, (_, index) =>
        versionOf({
          version: `${index + 1}.0.0`,
          title: 'A year',
          publishedAt: `${1926 + index}-05-04T09:00:00Z`,
        }),
      ),
    ),
  ],
};

function productOf(slug: string, name: string, versions: readonly object[], language = 'en') {
  return { slug, name, status: 'published', changelog: { name, status: 'published', language, versions } };
}

function versionOf(fields: object) {
  return { status: 'published', publishedAt: '2026-05-04T09:00:00Z', ...fields };
}

/** Each line begins with the indentation. */
function wideBlocks(indentation: string): string {
  const columns = Array.from({ length: 14 }, (_, index) => `column-${index}`);
  return [
    `| ${columns.join(' | ')} |`,
    `|${'---|'.repeat(columns.length)}`,
    `| ${columns.map((name) => `a-value-in-${name}`).join(' | ')} |`,
    '',
    '```',
    'code '.repeat(80).trim(),
    '```',
    '',
    `![A wide picture](${PICTURE})`,
    '',
    `> ${'q'.repeat(200)}`,
    '',
    '1. one',
    '   1. two',
    '      1. three',
    `         1. ${'deep'.repeat(40)}`,
  ]
    .map((line) => (line === '' ? line : indentation + line))
    .join('\n');
}
