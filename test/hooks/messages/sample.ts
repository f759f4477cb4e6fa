import type { Change, Version } from '../../../client/records.d.ts';
import type { ChangeType } from '../../../src/domain/model.ts';
import type { Announcement } from '../../../src/hooks/messages/announcement.ts';
import { renderMarkdown, TEXT_HEAD } from '../../../support/content/texts.ts';

export const PAGE = 'https://changes.example.com/changelog/acme/rocket/2.1.0';

export function announced(fields: Partial<Version> = {}, language = 'en'): Announcement {
  const changes = fields.changes ?? [];
  return {
    record: {
      id: 'ver_1',
      object: 'changelog.version',
      version: '2.1.0',
      title: 'Faster launches',
      status: 'published',
      publishedAt: '2026-05-04T09:00:00.000Z',
      changeCount: changes.length,
      description: null,
      descriptionHtml: null,
      yanked: false,
      updatedAt: '2026-05-04T09:00:00.000Z',
      team: { slug: 'acme', name: 'Acme' },
      product: { slug: 'rocket', name: 'Rocket' },
      changelog: { id: 'cl_1', name: 'Rocket changelog', status: 'published' },
      ...fields,
      changes,
    },
    head: { ...TEXT_HEAD, language },
    urls: {
      page: PAGE,
      changelog: 'https://changes.example.com/changelog/acme/rocket',
      record: 'https://changes.example.com/api/v1/public/acme/rocket/versions/2.1.0',
      notes: `${PAGE}/notes.md`,
      feeds: [],
    },
  };
}

export function change(type: ChangeType, text: string, breaking = false): Change {
  return { id: 'chg_1', object: 'changelog.change', type, text, html: renderMarkdown(text), breaking };
}

/** The same text wherever an author can write one. */
export function everywhere(text: string): Announcement {
  return announced({
    title: text,
    product: { slug: 'rocket', name: text || 'Rocket' },
    description: text,
    changes: [change('removed', text, true), change('security', text), change('other', text)],
  });
}

export const FAMILY = '👩‍👩‍👧‍👦';

export const STRANGE: readonly string[] = [
  ' \n\t \n ',
  '\u200b\u2060\ufeff',
  FAMILY.repeat(400),
  '🇩🇪'.repeat(1_000),
  `e${'\u0301'.repeat(5_000)}`,
  'هذا إصدار جديد \u202e\u2067 (beta) '.repeat(100),
  '\ud800 \udfff a\ud83d',
  '\0\x01\x1b[31mred\x7f\x9f\u2028\u2029',
  '<!channel> <!here|here> <!everyone> <@U123> <#C123> <!subteam^S1> @channel @here @everyone',
  '<@123> <@!123> <@&123> <#123> <:smile:1> <t:1> @everyone `@everyone` **@here**',
  '@admin@example.social (@admin) \\@admin @admin: **@admin** [@admin](https://x.example/@admin) @ädmin',
  '<at>Everyone</at> {{DATE(2026-01-01T00:00:00Z)}} $(x)',
  '[a](javascript:alert(1)) [b](data:text/html,x) [c](file:///etc) [d](//x.example) [e](../f) <javascript:alert(1)>',
  '[a](https://x.example/(b)\\c) [`]`](https://x.example) [[b]](https://x.example) [a|b>](https://x.example/|>)',
  '[https://good.example](https://evil.example) [](https://x.example) [mail](mailto:a@b.example)',
  '***bold italic*** **a*b*c** ~~s**t**~~ ``co`de`` `` ` `` \\*no\\* _x_y_ ||spoiler|| a*b*c **a**`b`~~c~~*d*',
  '<b>bold</b> <script>alert(1)</script> &lt;!channel&gt; &amp; <!-- x --> <img src=x onerror=y>',
  '# Heading\n\n## Another\n\n- - a\n- # b\n- 1. c\n  > d\n\n> quote\n> > deeper',
  '```js\nconst a = `<!channel>`;\n\n  @everyone\n```\n\n    indented\n\n~~~\n```\n~~~',
  '|a|b|\n|-|-|\n|1|`|`|\n|<@1>|@here|\n\n![alt @everyone](https://x.example/a.png)',
  '1. one\n2. two\n\n   more\n\n   - deep\n\n     - deeper\n\n       - deepest\n\n   again\n3. three',
  '100\\. no list\n\\- no list\n\\# no heading\n\n+1 for this\n\n-1 for that',
  'x'.repeat(100_000),
  '字'.repeat(100_000),
  '&<>"\\*_~`|@[]'.repeat(10_000),
  '*a* '.repeat(1_000),
  `https://x.example/${'a'.repeat(10_000)}`,
  `[text](https://x.example/${'é'.repeat(2_000)}) `.repeat(20),
  `see https://x.example/${'path/'.repeat(100)} `.repeat(50),
  'https://a.b '.repeat(1_000),
  `${'> '.repeat(30)}deep`,
  `${'- '.repeat(30)}deep`,
  '\\'.repeat(1_000),
  '`'.repeat(999),
];

export const LONG_TEXT = 'Launches with many targets finish in about half the time. '.repeat(1_725);

const ENTRIES = [
  change('added', 'Launches can be *paused* between stages, see [the guide](https://rocket.example/guide).'),
  change('fixed', 'A & B < C: `**` and @everyone'),
  change('removed', 'The old fuse', true),
  change('security', '字'.repeat(400)),
];

export const LONGEST: Partial<Version> = {
  title: 'Faster '.repeat(142),
  product: { slug: 'rocket', name: 'Rocket '.repeat(28) },
  description: LONG_TEXT,
  yanked: true,
  changes: Array.from({ length: 10_000 }, (_, index) => ENTRIES[index % ENTRIES.length] as Change),
};
