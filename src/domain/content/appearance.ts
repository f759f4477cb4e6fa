// A product's domain and page settings, a changelog's language, a version's links and image: which texts are valid, and how
// they are stored.

const URL_CHARACTERS_MAX = 2_048;
const IMAGE_CHARACTERS_MAX = 32_768;
/** For a colour or a language tag. */
const WORD_CHARACTERS_MAX = 64;
const HOST_CHARACTERS_MAX = 253;
export const DEFAULT_LANGUAGE = 'en';

export const NO_APPEARANCE = {
  domain: null,
  links: { home: null, base: null, repository: null },
  image: null,
  logo: null,
  accent: null,
} as const;

export type TextRule = Readonly<{
  /** Also for editors. A text that matches may still be invalid. */
  pattern: string;
  maxLength: number;
  /** Completes "must be …". */
  wanted: string;
  /** The text as stored, or null if it is invalid. */
  read: (text: string) => string | null;
}>;

/** An @ before the path would publish a user name or a password. */
const AFTER_SCHEME = '://[^\\s\\x00-\\x1f\\x7f\\\\/?#@]+(?:[/?#][^\\s\\x00-\\x1f\\x7f\\\\]*)?';
const HTTPS_URL = `https${AFTER_SCHEME}`;
const IMAGE_TYPE = 'image/(?:png|jpeg|gif|webp|avif|svg\\+xml)';
const BASE64 = ';base64,[A-Za-z0-9+/]+={0,2}';
const PERCENT_ENCODED =
  "(?:;(?:charset=)?[Uu][Tt][Ff]-?8)?,(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})+";
const STORED_DATA_URL = new RegExp(`^data:${IMAGE_TYPE}(?:${BASE64}|${PERCENT_ENCODED})$`);
/** As people paste it, with spaces and quotes. */
const DATA_URL = `data:${IMAGE_TYPE}\\s*(?:;[^,]*)?,[\\s\\S]+`;
/** Of a file, which is read before these rules are checked. */
const IMAGE_PATH = `[^\\x00-\\x1f\\x7f:]+\\.(?:${['svg', 'png', 'jpe?g', 'gif', 'webp', 'avif'].map(inAnyCase).join('|')})`;
const WHOLE_IMAGE_PATH = new RegExp(`^${IMAGE_PATH}$`);

const HOST_LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** With a dot: a name without one is known only in its own network. The last part of an IP address is a number. */
const HOST_NAME = new RegExp(`^(?:${HOST_LABEL}\\.)+(?!\\d+$)${HOST_LABEL}$`);

const url = rule({
  pattern: `^${HTTPS_URL}$`,
  maxLength: URL_CHARACTERS_MAX,
  wanted: 'an absolute https: URL without user name or password, such as https://rocket.example',
  read: normaliseUrl,
});

export const IMAGE_RULE = rule({
  pattern: `^(?:${HTTPS_URL}|${DATA_URL}|${IMAGE_PATH})$`,
  maxLength: IMAGE_CHARACTERS_MAX,
  wanted: `an https: URL without user name or password, a data: URL of a PNG, JPEG, GIF, WebP, AVIF or SVG image, at most ${IMAGE_CHARACTERS_MAX} characters long when it is percent-encoded, or the path of such a file, such as ./logo.svg`,
  read: (text) => (text.startsWith('data:') ? normaliseDataUrl(text) : normaliseUrl(text)),
});

export const PRODUCT_RULES = {
  domain: rule({
    // Of ASCII, only letters, digits, dots and hyphens.
    pattern: '^[^\\x00-,/:-@\\[-`{-\\x7f]+$',
    maxLength: HOST_CHARACTERS_MAX,
    wanted: 'a host name such as changes.example.com, without https://, a port or a path',
    read: normaliseHost,
  }),
  home: url,
  base: url,
  repository: rule({
    pattern: '^https://[^\\s\\x00-\\x1f\\x7f\\\\/?#@]+/[^\\s\\x00-\\x1f\\x7f\\\\?#]+$',
    maxLength: URL_CHARACTERS_MAX,
    wanted:
      'the https: URL of a repository without user name, password, ? or #, such as https://github.com/acme/rocket',
    read: (text) => normaliseUrl(text)?.replace(/(?:\/|\.git)+$/, '') ?? null,
  }),
  image: IMAGE_RULE,
  logo: IMAGE_RULE,
  accent: rule({
    pattern: '^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$',
    maxLength: WORD_CHARACTERS_MAX,
    wanted: 'a colour in the form #rgb or #rrggbb, such as "#4f46e5"; put it in quotes',
    read: (text) => (text.length === 4 ? text.replaceAll(/\w/g, '$&$&') : text).toLowerCase(),
  }),
} as const satisfies Record<string, TextRule>;

export const CHANGELOG_RULES = {
  language: rule({
    // The specification reserves longer first parts; `english` is a mistake.
    pattern: '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$',
    maxLength: WORD_CHARACTERS_MAX,
    wanted: 'a BCP 47 language tag, such as en, de-CH or zh-Hant',
    read: canonicalLanguage,
  }),
} as const satisfies Record<string, TextRule>;

export const VERSION_RULES = {
  compare: rule({
    pattern: `^https?${AFTER_SCHEME}$`,
    maxLength: URL_CHARACTERS_MAX,
    wanted:
      'an absolute https: or http: URL without user name or password, such as https://rocket.example/compare/v2.0.0...v2.1.0',
    read: normaliseForMarkdown,
  }),
  image: IMAGE_RULE,
} as const satisfies Record<string, TextRule>;

/** A stored text must be valid too, so that an export can be applied. */
function rule({ pattern, maxLength, wanted, read }: TextRule): TextRule {
  const whole = new RegExp(pattern);
  return {
    pattern,
    maxLength,
    wanted,
    read: (text) => {
      if (text.length > maxLength || !whole.test(text)) return null;
      const stored = read(text);
      return stored !== null && stored.length <= maxLength && whole.test(stored) ? stored : null;
    },
  };
}

/** In ASCII, without the slash that a parser adds to a bare host. */
function normaliseUrl(text: string): string | null {
  const parsed = URL.parse(text);
  if (parsed === null || parsed.username !== '' || parsed.password !== '') return null;
  return parsed.href === `${text}/` ? text : parsed.href;
}

/** As requests name it: in ASCII and lower case, without the dot that may end a full name. */
function normaliseHost(text: string): string | null {
  const host = URL.parse(`https://${text}`)?.hostname.replace(/\.$/, '') ?? '';
  return HOST_NAME.test(host) ? host : null;
}

/** Encodes what may not be in a URL. A bare `%` or `#` belongs to the picture, because a data: URL has no fragment here. */
function normaliseDataUrl(text: string): string | null {
  const comma = text.indexOf(',');
  const head = text.slice(0, comma).replaceAll(/\s/g, '');
  const data = text.slice(comma + 1);
  if (!data.isWellFormed()) return null;
  const url = `${head},${head.endsWith(';base64') ? data.replaceAll(/\s/g, '') : data.trim().replaceAll(NOT_IN_URL, encodeURIComponent)}`;
  return STORED_DATA_URL.test(url) ? url : null;
}

const NOT_IN_URL = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9._~!$&'()*+,;=:@/?%-]/gu;

function inAnyCase(word: string): string {
  return word.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}

/** Whether a text names a file with a picture. */
export function isImagePath(text: string): boolean {
  return WHOLE_IMAGE_PATH.test(text);
}

/** Without the brackets that would end a link in Markdown; null if they are in the name of the host. */
function normaliseForMarkdown(text: string): string | null {
  const url = normaliseUrl(text)?.replaceAll('(', '%28').replaceAll(')', '%29') ?? null;
  return url === null || normaliseUrl(url) !== url ? null : url;
}

function canonicalLanguage(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}
