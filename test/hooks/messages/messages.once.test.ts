import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Announcement } from '../../../src/hooks/messages/announcement.ts';
import { discordMessage } from '../../../src/hooks/messages/discord.ts';
import { mastodonStatus } from '../../../src/hooks/messages/mastodon.ts';
import { slackMessage } from '../../../src/hooks/messages/slack.ts';
import { teamsMessage } from '../../../src/hooks/messages/teams.ts';
import { LANGUAGES, localeFor } from '../../../src/present/words/locale.ts';
import { anyMarkdown } from '../../../support/content/any-texts.ts';
import { hostile } from '../../support/hostile-markdown.ts';
import { unicodeText } from '../../support/unicode-text.ts';
import { asSent, checkDiscord, checkMastodon, checkSlack, checkTeams } from './receivers.ts';
import { announced, change, everywhere, FAMILY, LONG_TEXT, LONGEST, PAGE, STRANGE } from './sample.ts';

const ORDINARY = announced({
  description: 'Launches with **many** targets finish in half the time.',
  changes: [
    change(
      'added',
      'Launches can be *paused* between stages, see [the guide](https://rocket.example/guide).',
    ),
    change('fixed', '`fuse --slow` burns evenly & quietly:\n\n- to the moon\n- to Mars'),
    change('removed', 'The old fuse.', true),
  ],
});

function checkAll(announcement: Announcement): void {
  checkSlack(asSent(slackMessage(announcement)));
  checkDiscord(asSent(discordMessage(announcement)));
  checkTeams(asSent(teamsMessage(announcement)));
  checkMastodon(asSent(mastodonStatus(announcement)), announcement.urls.page);
}

const slackText = (announcement: Announcement): string =>
  JSON.stringify(asSent(slackMessage(announcement)).blocks);
const discordText = (announcement: Announcement): string =>
  asSent(discordMessage(announcement)).embeds[0].description ?? '';
const teamsCard = (announcement: Announcement) => asSent(teamsMessage(announcement)).attachments[0].content;

describe('a message to Slack', () => {
  it('has a header, the description, a list for each type, and a link to the page', () => {
    const bold = (text: string) => ({ type: 'text', text, style: { bold: true } });
    const text = (words: string) => ({ type: 'text', text: words });
    const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });
    const list = (indent: number, ...elements: object[]) => ({
      type: 'rich_text_list',
      style: 'bullet',
      indent,
      elements,
    });
    const block = (...elements: object[]) => ({ type: 'rich_text', elements });
    const code = { type: 'text', text: 'fuse --slow', style: { code: true } };
    const paused = { type: 'text', text: 'paused', style: { italic: true } };
    assert.deepEqual(slackMessage(ORDINARY), {
      text: `<${PAGE}|Rocket 2.1.0: Faster launches>`,
      blocks: [
        {
          type: 'header',
          text: { type: 'plain_text', text: 'Rocket 2.1.0: Faster launches', emoji: false },
        },
        block(section(text('Launches with '), bold('many'), text(' targets finish in half the time.'))),
        block(section(bold('Breaking changes')), list(0, section(bold('Removed:'), text(' The old fuse.')))),
        block(
          section(bold('Added')),
          list(
            0,
            section(
              ...[text('Launches can be '), paused, text(' between stages, see ')],
              { type: 'link', url: 'https://rocket.example/guide', text: 'the guide' },
              text('.'),
            ),
          ),
        ),
        block(
          section(bold('Fixed')),
          list(0, section(code, text(' burns evenly & quietly:'))),
          list(1, section(text('to the moon')), section(text('to Mars'))),
        ),
        block(section({ type: 'link', url: PAGE, text: 'See all changes' })),
      ],
      unfurl_links: false,
      unfurl_media: false,
    });
  });

  it('numbers that start later keep their numbers', () => {
    const description = '7. seven\n8. eight';
    assert.match(slackText(announced({ description })), /"style":"ordered","indent":0,"offset":6/);
  });
});

describe('a message to Discord', () => {
  it('is an embed whose title leads to the page', () => {
    assert.deepEqual(discordMessage(ORDINARY), {
      embeds: [
        {
          title: 'Rocket 2.1.0: Faster launches',
          url: PAGE,
          description: `Launches with **many** targets finish in half the time.

**Breaking changes**
- **Removed:** The old fuse.

**Added**
- Launches can be *paused* between stages, see [the guide](https://rocket.example/guide).

**Fixed**
- \`fuse --slow\` burns evenly & quietly:
  - to the moon
  - to Mars`,
          timestamp: '2026-05-04T09:00:00.000Z',
        },
      ],
      allowed_mentions: { parse: [] },
    });
  });

  it('shows what Discord would read as syntax', () => {
    const description =
      '@everyone <@1> snake\\_case \\*\n\n\\# no heading\n\n1\\) no list\n\n`` a`b ``\n\n**a**`b`';
    assert.equal(
      discordText(announced({ description })),
      '\\@everyone \\<\\@1\\> snake\\_case \\*\n\\# no heading\n1\\) no list\n``a`b``\n**a**\u200b`b`',
    );
  });

  it('shows the rows of a table as a list', () => {
    const table = '| Plan | Price |\n|---|---|\n| Free | 0 |';
    assert.equal(
      discordText(announced({ changes: [change('changed', `New prices:\n\n${table}`)] })),
      '**Changed**\n- New prices:\n  - **Plan** \\| **Price**\n  - Free \\| 0',
    );
  });

  it('links only to the web, and a link that shows a URL shows its own', () => {
    const description =
      '[a](https://x.example/(b)) [https://good.example](https://evil.example/) [c](mailto:a@b.example) [d](javascript:x)';
    assert.equal(
      discordText(announced({ description })),
      '[a](https://x.example/%28b%29) <https://evil.example/> c \\[d\\](javascript:x)',
    );
  });
});

describe('a message to Microsoft Teams', () => {
  it('is a card of text runs with a button to the page', () => {
    const run = (text: string, style = {}) => ({ type: 'TextRun', text, ...style });
    const line = (spacing: string, ...inlines: object[]) => ({ type: 'RichTextBlock', spacing, inlines });
    const bold = { weight: 'Bolder' };
    const link = { selectAction: { type: 'Action.OpenUrl', url: 'https://rocket.example/guide' } };
    const item = (...inlines: object[]) => line('Small', run('• '), ...inlines);
    const nested = (text: string) => line('Small', run('\u00a0\u00a0\u00a0\u00a0• '), run(text));
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [
        {
          type: 'RichTextBlock',
          inlines: [run('Rocket 2.1.0: Faster launches', { size: 'Large', ...bold })],
        },
        line('Medium', run('Launches with '), run('many', bold), run(' targets finish in half the time.')),
        line('Medium', run('Breaking changes', bold)),
        item(run('Removed:', bold), run(' The old fuse.')),
        line('Medium', run('Added', bold)),
        item(
          ...[run('Launches can be '), run('paused', { italic: true }), run(' between stages, see ')],
          ...[run('the guide', link), run('.')],
        ),
        line('Medium', run('Fixed', bold)),
        item(run('fuse --slow', { fontType: 'Monospace' }), run(' burns evenly & quietly:')),
        nested('to the moon'),
        nested('to Mars'),
      ],
      actions: [{ type: 'Action.OpenUrl', title: 'See all changes', url: PAGE }],
      msteams: { width: 'Full' },
    };
    const contentType = 'application/vnd.microsoft.card.adaptive';
    assert.deepEqual(teamsMessage(ORDINARY), {
      type: 'message',
      attachments: [{ contentType, contentUrl: null, content }],
    });
  });
});

describe('a post on Mastodon', () => {
  it('is text that ends with the URL of the page', () => {
    assert.deepEqual(mastodonStatus(ORDINARY), {
      status: `Rocket 2.1.0: Faster launches

Launches with many targets finish in half the time.

Breaking changes
• Removed: The old fuse.

Added
• Launches can be paused between stages, see the guide.

Fixed
• fuse --slow burns evenly & quietly:
  • to the moon
  • to Mars

${PAGE}`,
      language: 'en',
      visibility: 'public',
    });
  });

  it('says how many changes are left out', () => {
    const changes = Array.from({ length: 40 }, (_, index) =>
      change('fixed', `Leak ${index + 1} of the tank.`),
    );
    const { status } = mastodonStatus(announced({ changes }));
    const shown = status.match(/•/g)?.length ?? 0;
    assert.ok(shown > 10 && shown < 40);
    assert.ok(status.endsWith(`\n\n${40 - shown} more changes\n${PAGE}`));
  });

  it('mentions nobody, and keeps addresses and URLs', () => {
    const description = '@admin@x.example, mail a@b.example, https://x.example/@admin';
    const { status } = mastodonStatus(announced({ description }));
    assert.ok(status.includes('@\u200badmin@x.example, mail a@b.example, https://x.example/@admin'));
  });

  it('stays within its limit with a URL that Mastodon shortens, and with one that it does not know', () => {
    for (const page of [`https://x.example/${'a'.repeat(2_000)}`, `http://localhost/${'a'.repeat(200)}`]) {
      const longest = announced(LONGEST);
      checkMastodon(asSent(mastodonStatus({ ...longest, urls: { ...longest.urls, page } })), page);
    }
  });

  it('names the language without its region', () => {
    assert.equal(mastodonStatus(announced({}, 'pt-BR')).language, 'pt');
    assert.equal(mastodonStatus(announced({}, 'not a language')).language, 'en');
  });
});

describe('every message', () => {
  it('is within the limits of its receiver: ordinary, without any text, and the longest', () => {
    checkAll(ORDINARY);
    checkAll(announced({ title: '', publishedAt: null }));
    checkAll(announced(LONGEST));
    checkAll(announced({ ...LONGEST, changes: [change('added', LONG_TEXT)] }));
  });

  for (const text of STRANGE)
    it(`is within them, mentions nobody and links safely: ${JSON.stringify(text.slice(0, 30))}`, () =>
      checkAll(everywhere(text)));

  it('whatever the authors write', () => {
    const text = fc.oneof(
      anyMarkdown(),
      hostile(),
      unicodeText({ maxLength: 50 }),
      fc.constantFrom(...STRANGE.slice(8, 22)),
    );
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) =>
        checkAll(everywhere(texts.join(' '))),
      ),
      { numRuns: 100 },
    );
  });

  it('reads in order, whatever an author turns around', () => {
    const title = '\u202eevil\u2067 \u200fשלום';
    const announcement = announced({
      title,
      description: '\u202a**a\u202e** b',
      changes: [change('added', title)],
    });
    checkAll(announcement);
    const { status } = mastodonStatus(announcement);
    assert.ok(status.startsWith('Rocket 2.1.0: evil \u200fשלום\n\na b\n\n'), status);
    assert.ok(slackText(announcement).includes('"Rocket 2.1.0: evil \u200fשלום"'));
  });

  it('says how many changes it leaves out, in each language', () => {
    for (const language of LANGUAGES) {
      const { version, types } = localeFor(language).words;
      const announcement = announced(LONGEST, language);
      checkAll(announcement);
      assert.ok(discordText(announcement).startsWith(`**${version.yanked}`));
      assert.ok(discordText(announcement).includes(`**${types.breaking}**`));
      assert.match(teamsCard(announcement).actions[0].title, /\d[\d.,\s\u066c]*\d|[\u0660-\u0669]/);
    }
  });

  it('names each change that it shows or counts it as left out', () => {
    const changes = Array.from({ length: 500 }, (_, index) => change('added', `Change ${index}.`));
    const announcement = announced({ changes, changeCount: 700 });
    for (const [text, end] of [
      [slackText(announcement), slackText(announcement)],
      [discordText(announcement), discordText(announcement)],
      [JSON.stringify(teamsCard(announcement).body), teamsCard(announcement).actions[0].title],
    ]) {
      const shown = text.match(/Change \d+\./g)?.length ?? 0;
      assert.ok(shown > 20);
      assert.ok(end.includes(`${700 - shown} more changes`));
    }
  });

  it('shows breaking changes and security fixes rather than the description, and that rather than others', () => {
    const changes = [
      ...Array.from({ length: 30 }, () => change('added', 'A countdown to the launch.')),
      ...Array.from({ length: 6 }, () => change('security', 'Tokens are masked in the log.')),
    ];
    const { status } = mastodonStatus(announced({ description: 'x '.repeat(300), changes }));
    assert.equal(status.match(/Tokens/g)?.length, 6);
    assert.match(status, /\n\nx x [x ]*…\n\nSecurity\n/);
    const [full = ''] = /\d+(?= more changes)/.exec(status) ?? [];
    assert.equal(Number(full), 36 - (status.match(/•/g)?.length ?? 0));
  });

  it('links to web pages and mail alone', () => {
    const targets = [
      'javascript:x',
      'file:///x',
      '//x.example',
      'https:',
      `https://x.example/${'x'.repeat(1_000)}`,
    ];
    const announcement = announced({
      changes: [change('added', targets.map((target) => `[text](${target})`).join(' '))],
    });
    checkAll(announcement);
    assert.equal(
      discordText(announcement),
      '**Added**\n- \\[text\\](javascript:x) \\[text\\](file:///x) text text text',
    );
  });

  it('says that a version is yanked', () => {
    const yanked = announced({ yanked: true, description: 'Hello.' });
    const note = 'This version was withdrawn after its release. Do not use it.';
    assert.equal(discordText(yanked), `**Yanked:** ${note}\n\nHello.`);
    assert.ok(mastodonStatus(yanked).status.includes(`Yanked: ${note}\n\nHello.`));
  });

  it('cuts texts between words, and never inside what people see as one character', () => {
    const words = discordText(announced({ description: LONG_TEXT }));
    assert.match(words, / [a-z]+\.?…$/);
    const families = discordText(announced({ description: FAMILY.repeat(400) }));
    assert.ok(families.endsWith(`${FAMILY}…`));
    assert.equal(families.replaceAll(FAMILY, ''), '…');
  });

  it('never cuts a link or a format', () => {
    const description = '**a [b](https://x.example/c) `d`** '.repeat(200);
    const text = discordText(announced({ description }));
    const piece = '**a** **[b](https://x.example/c)** **`d`** ';
    assert.ok(text.startsWith(piece));
    assert.equal(
      text
        .replaceAll(piece, '')
        .replace(/^(?:\*\*a\*\*(?: \*\*\[b\]\(https:\/\/x\.example\/c\)\*\*)?)? ?…$/, ''),
      '',
    );
  });
});
