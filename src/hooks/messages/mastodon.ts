// A post on Mastodon: text without markup, which ends with the URL of the page.
import { CHANGELOG_RULES, DEFAULT_LANGUAGE } from '../../domain/content/appearance.ts';
import { countCharacters } from '../../present/notes/cut.ts';
import { type Line, textOf, ZERO_WIDTH_SPACE } from '../../text/lines.ts';
import { type Announcement, compose, itemStart, writeTitle } from './announcement.ts';

export type MastodonStatus = Readonly<{ status: string; language: string; visibility: 'public' }>;

const STATUS_CHARACTERS_MAX = 500;
const TITLE_CHARACTERS_MAX = 150;
const BLANK_LINE = '\n\n';

export function mastodonStatus(announcement: Announcement): MastodonStatus {
  const { record, head, urls } = announcement;
  const title = withoutMentions(writeTitle(record, TITLE_CHARACTERS_MAX));
  const around = countStatus(title + BLANK_LINE) + countStatus(urls.page);
  const { groups, isCut, end } = compose(announcement, {
    max: STATUS_CHARACTERS_MAX - around,
    measure: (line) => countStatus(writeLine(line)) + BLANK_LINE.length,
    descriptionCharactersMax: 200,
    changeCharactersMax: 140,
  });
  const parts = [
    title,
    ...groups.map((lines) => lines.map(writeLine).join('\n')),
    ...(isCut ? [textOf(end)] : []),
  ];
  return {
    status: `${parts.join(BLANK_LINE)}${isCut ? '\n' : BLANK_LINE}${urls.page}`,
    // Mastodon takes languages of ISO 639.
    language: new Intl.Locale(CHANGELOG_RULES.language.read(head.language) ?? DEFAULT_LANGUAGE).language,
    visibility: 'public',
  };
}

const writeLine = (line: Line): string => itemStart(line) + withoutMentions(textOf(line));

/** In URLs, `@` follows a slash or a letter, and is not read as one. */
const withoutMentions = (text: string): string =>
  text.replaceAll(/(?<![=/\w])@(?=[\p{L}\p{N}_])/gu, `@${ZERO_WIDTH_SPACE}`);

const URLS = /https?:\/\/\S+/g;
const URL_COUNT = 23;
const LONG_URL_CHARACTERS = 250;

/**
 * A URL counts 23 characters, however long it is, or all of its own if Mastodon does not know its top-level domain. It
 * counts graphemes, which are never more than these.
 */
export const countStatus = (text: string): number =>
  countCharacters(
    text.replaceAll(URLS, (url) =>
      url.length > LONG_URL_CHARACTERS ? ' '.repeat(URL_COUNT) : url.padEnd(URL_COUNT),
    ),
  );
