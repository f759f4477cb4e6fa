// A changelog's language as its pages use it: their words, and how it writes dates, numbers and lists. The words of each
// language are a file in `locales`.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import en from '../../../locales/en.json' with { type: 'json' };
import { CHANGELOG_RULES, DEFAULT_LANGUAGE } from '../../domain/content/appearance.ts';
import { ROOT } from '../../root.ts';
import { type Html, html, joined } from '../template.ts';

/** By plural category, with `{n}` for the number. */
type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

type WordsLike<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends { one: string; other: string }
      ? Plural
      : WordsLike<T[K]>;
};

/** Everything that pages, their errors and the widget say in their own words (R59); `locales/README.md` has notes on them. */
export type Words = WordsLike<typeof en>;

const LOCALES = path.join(ROOT, 'locales');
/** The languages that there are words for, by BCP 47 tag. */
export const LANGUAGES: readonly string[] = readdirSync(LOCALES)
  .filter((file) => file.endsWith('.json'))
  .map((file) => path.basename(file, '.json'));

/** A test checks that each file has what the English one has. */
const readWords = (tag: string): Words =>
  tag === DEFAULT_LANGUAGE ? en : JSON.parse(readFileSync(path.join(LOCALES, `${tag}.json`), 'utf8'));

export type Locale = Readonly<ReturnType<typeof createLocale>>;

/** In the language, or else in the nearest one that there are words for, or else in English. */
export const localeFor = (language: string): Locale => locales.memo(language);
const locales = new LRUCache<string, Locale>({ max: 100, memoMethod: createLocale });

export const localeOf = ({ language }: Readonly<{ language: string }>): Locale => localeFor(language);

/** The language of several changelogs, if they agree. */
export function sharedLanguage(changelogs: readonly Readonly<{ language: string }>[]): string {
  const [first = DEFAULT_LANGUAGE, ...others] = new Set(changelogs.map(({ language }) => language));
  return others.length === 0 ? first : DEFAULT_LANGUAGE;
}

/** Of the languages that there are words for. */
const RIGHT_TO_LEFT = ['ar', 'he'];

function createLocale(language: string) {
  // Checked again: a value written by SQL may be no language at all.
  const tag = CHANGELOG_RULES.language.read(language) ?? DEFAULT_LANGUAGE;
  const nearest = nearestOf(tag);
  const wordsTag = nearest ?? DEFAULT_LANGUAGE;
  const words: Words = language === wordsTag ? readWords(wordsTag) : localeFor(wordsTag).words;
  const direction: 'ltr' | 'rtl' = RIGHT_TO_LEFT.includes(wordsTag) ? 'rtl' : 'ltr';
  let made: ReturnType<typeof formatsIn> | undefined;
  function formats() {
    made ??= formatsIn(tag, nearest);
    return made;
  }
  return {
    /** The changelog's own language, which its texts have. */
    language,
    words,
    /** The language and the direction of the words. */
    tag: wordsTag,
    direction,
    /** Whether words and texts have the same language. */
    isOwn: nearest !== null,
    /** The day in UTC, in the changelog's own language. */
    date: (timestamp: string) => formats().dates.format(new Date(timestamp)),
    number: (value: number) => formats().numbers.format(value),
    /** Alternatives, such as `1, 2 or 3`. */
    anyOf: (items: readonly string[]) => formats().alternatives.format(items),
    /** A list of elements, such as `1, 2 and 3`. */
    allOf: (items: readonly Html[]) =>
      joined(
        formats()
          .lists.formatToParts(items.map((_, index) => String(index)))
          .map(({ type, value }) => (type === 'element' ? (items[Number(value)] as Html) : html`${value}`)),
      ),
    count: (forms: Plural, count: number) =>
      fill(forms[formats().rules.select(count)] ?? forms.other, { n: formats().numbers.format(count) }),
  };
}

/** Made when they are needed: the first ones of a process take 30 ms, and those of each language one. */
function formatsIn(tag: string, nearest: string | null) {
  const words = nearest ?? DEFAULT_LANGUAGE;
  const dated = Intl.DateTimeFormat.supportedLocalesOf(tag)[0] ?? words;
  return {
    dates: new Intl.DateTimeFormat(dated, { dateStyle: 'long', timeZone: 'UTC', calendar: 'gregory' }),
    numbers: new Intl.NumberFormat(nearest === null ? words : dated),
    rules: new Intl.PluralRules(words),
    alternatives: new Intl.ListFormat(words, { type: 'disjunction' }),
    lists: new Intl.ListFormat(words, { type: 'conjunction', style: 'narrow' }),
  };
}

/** The one with the same language and script: `de` for `de-CH`, `zh-Hant` for `zh-TW`. Throws for what is not a tag. */
export function nearestOf(tag: string): string | null {
  if (LANGUAGES.includes(tag)) return tag;
  const { language, script } = new Intl.Locale(tag).maximize();
  const isSame = (known: Intl.Locale) => known.language === language && known.script === script;
  return LANGUAGES.find((known) => isSame(new Intl.Locale(known).maximize())) ?? null;
}

const PLACEHOLDER = /\{(\w+)\}/;

function replaced<T>(text: string, values: Readonly<Record<string, T>>): (T | string)[] {
  return text.split(PLACEHOLDER).map((part, index) => (index % 2 === 0 ? part : (values[part] ?? '')));
}

/** A text with its placeholders replaced. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  replaced(text, values).join('');

/** The same with elements. */
export const fillHtml = (text: string, values: Readonly<Record<string, Html | string>>): Html =>
  joined(replaced(text, values).map((part) => html`${part}`));

export const ENGLISH = localeFor(DEFAULT_LANGUAGE);
