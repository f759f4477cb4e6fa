// What each receiver documents about its messages, and what none of ours may do: mention anyone, or link elsewhere than
// to the web and to mail.
import assert from 'node:assert/strict';

// biome-ignore lint/suspicious/noExplicitAny: the body as the receiver reads it
type Json = any;
export const asSent = (message: object): Json => JSON.parse(JSON.stringify(message));

const LINK = /^(?:https?:\/\/|mailto:)/;
const CONTROL = /[^\P{Cc}\n]/u;

/** A text that opens a direction closes it, and closes none that it has not opened. Overrides have no use at all. */
function checkDirections(text: string): void {
  assert.doesNotMatch(text, /[\u202a-\u202e]/u);
  assert.match(text.replaceAll(/[^\u2066-\u2069]/gu, ''), /^(?:[\u2066-\u2068]\u2069)*$/u);
}

function checkText(text: Json, charactersMax: number): void {
  assert.equal(typeof text, 'string');
  assert.notEqual(text, '');
  assert.ok(text.length <= charactersMax, `${text.length} of ${charactersMax} characters`);
  assert.ok(text.isWellFormed());
  assert.doesNotMatch(text, CONTROL);
  checkDirections(text);
}

function checkKeys(value: Json, ...known: string[]): void {
  for (const key of Object.keys(value)) assert.ok(known.includes(key), key);
}

/** docs.slack.dev/reference/block-kit; `rich_text` has no documented limit but that of all blocks. */
export function checkSlack(message: Json): void {
  checkKeys(message, 'text', 'blocks', 'unfurl_links', 'unfurl_media');
  checkText(message.text, 4_000);
  // One link, and no other syntax.
  assert.match(message.text, /^<https?:[^<>|]+\|(?:[^<>&@]|@(?![\p{L}\p{N}])|&(?:amp|lt|gt);)+>$/u);
  assert.equal(message.unfurl_links || message.unfurl_media, false);
  const [header, ...others] = message.blocks;
  assert.ok(others.length > 0 && others.length < 50);
  assert.ok(Buffer.byteLength(JSON.stringify(message.blocks)) < 13_000);
  assert.equal(header.type, 'header');
  assert.equal(header.text.type, 'plain_text');
  checkText(header.text.text, 150);
  for (const block of others) {
    assert.equal(block.type, 'rich_text');
    assert.ok(block.elements.length > 0);
    for (const element of block.elements) {
      const isList = element.type === 'rich_text_list';
      if (isList) {
        checkKeys(element, 'type', 'style', 'indent', 'offset', 'elements');
        assert.ok(['bullet', 'ordered'].includes(element.style));
        assert.ok(element.indent >= 0 && element.indent <= 8);
        assert.ok(Number.isSafeInteger(element.offset ?? 0));
      }
      for (const section of isList ? element.elements : [element]) checkSlackSection(section);
    }
  }
}

function checkSlackSection({ type, elements }: Json): void {
  assert.equal(type, 'rich_text_section');
  assert.ok(elements.length > 0);
  for (const element of elements) {
    assert.ok(element.type === 'text' || element.type === 'link', element.type);
    checkText(element.text, 3_000);
    if (element.type === 'link') assert.match(element.url, LINK);
    checkKeys(element.style ?? {}, 'bold', 'italic', 'strike', 'code');
  }
}

/** discord.com/developers/docs: Execute Webhook, Embed Limits. */
export function checkDiscord(message: Json): void {
  checkKeys(message, 'embeds', 'allowed_mentions');
  assert.deepEqual(message.allowed_mentions, { parse: [] });
  assert.equal(message.embeds.length, 1);
  const [{ title, description = '…', url, timestamp, ...unknown }] = message.embeds;
  assert.deepEqual(unknown, {});
  checkText(title, 256);
  checkText(description, 4_096);
  assert.ok(title.length + description.length <= 6_000);
  assert.match(url, LINK);
  if (timestamp !== undefined) assert.equal(new Date(timestamp).toISOString(), timestamp);
  for (const text of [title, description]) checkDiscordMarkdown(text);
}

/** As Discord reads it: escapes, code, links. What remains may only be emphasis. */
const DISCORD = /\\[^0-9A-Za-z\s]|(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|<https?:[^\s<>]+>|\]\(https?:[^\s()]+\)/g;

function checkDiscordMarkdown(text: string): void {
  let links = 0;
  const rest = text.replaceAll(DISCORD, (token) => {
    if (token.startsWith('](')) links++;
    return '';
  });
  assert.doesNotMatch(rest, /[@<>`|_\]\\]/);
  assert.equal(rest.match(/\[/g)?.length ?? 0, links);
}

/** learn.microsoft.com: limits of incoming webhooks and of the Teams connector; schema of Adaptive Cards 1.4. */
export function checkTeams(message: Json): void {
  assert.ok(Buffer.byteLength(JSON.stringify(message)) <= 28_000);
  assert.equal(message.type, 'message');
  assert.equal(message.attachments.length, 1);
  const [{ contentType, contentUrl, content }] = message.attachments;
  assert.equal(contentType, 'application/vnd.microsoft.card.adaptive');
  assert.equal(contentUrl, null);
  assert.deepEqual([content.type, content.version], ['AdaptiveCard', '1.4']);
  assert.deepEqual(content.msteams, { width: 'Full' });
  for (const { type, inlines, spacing = 'Small', ...unknown } of content.body) {
    assert.deepEqual(unknown, {});
    assert.equal(type, 'RichTextBlock');
    assert.ok(['Small', 'Medium'].includes(spacing));
    assert.ok(inlines.length > 0);
    for (const run of inlines) {
      checkKeys(run, 'type', 'text', 'size', 'weight', 'italic', 'strikethrough', 'fontType', 'selectAction');
      assert.equal(run.type, 'TextRun');
      checkText(run.text, 3_000);
      if (run.selectAction !== undefined) checkOpenUrl(run.selectAction);
    }
  }
  assert.equal(content.actions.length, 1);
  checkText(content.actions[0].title, 100);
  checkOpenUrl(content.actions[0]);
}

function checkOpenUrl({ type, url }: Json): void {
  assert.equal(type, 'Action.OpenUrl');
  assert.match(url, LINK);
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** `Account::MENTION_RE` of Mastodon, with the letters of all scripts. */
const MENTION = /(?<![=/\p{L}\p{N}_])@[\p{L}\p{N}_]/u;

/** docs.joinmastodon.org/user/posting: 500 characters, of which a URL takes 23. */
export function checkMastodon({ status, language, visibility, ...unknown }: Json, page: string): void {
  assert.deepEqual(unknown, {});
  checkText(status, 10_000);
  const counted = status.replaceAll(/https?:\/\/\S+/g, 'x'.repeat(23));
  assert.ok([...graphemes.segment(counted)].length <= 500);
  assert.ok(page.length > 250 || [...status].length <= 500, 'even if the URL counts in full');
  assert.ok(status.endsWith(`\n${page}`));
  assert.doesNotMatch(status, MENTION);
  assert.match(language, /^[a-z]{2,3}$/);
  assert.equal(visibility, 'public');
}
