// What settings accept, for the table in config.ts.
import { type Cidr, parseCidr } from './domain/access/client-address.ts';
import { isAmbiguous } from './domain/access/server-url.ts';

export type Parser<T> = Readonly<{
  /** Completes the sentence "it must be …". */
  accepts: string;
  /** Undefined if the text is invalid. */
  parse: (text: string) => T | undefined;
  /** Never printed: it is or may contain a password. */
  secret?: true;
  /** Advice for an invalid text. */
  advise?: (text: string) => string;
}>;

export const secret = <T>(parser: Parser<T>): Parser<T> => ({ ...parser, secret: true });

export const oneOf = <const T extends string>(...values: T[]) => ({
  accepts: values.join(', ').replace(/, (?=\w+$)/, ' or '),
  parse: (text: string) => values.find((value) => value === text),
});

export const wholeNumber = (min: number, max: number) => ({
  accepts: `a whole number from ${min} to ${max}`,
  parse: (text: string) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  },
});

export const onOff = (on: string, off: string) => ({
  accepts: `${on} or ${off}`,
  parse: (text: string) => (text === on ? true : text === off ? false : undefined),
});

export const matching = (pattern: RegExp, accepts: string) => ({
  accepts,
  parse: (text: string) => (pattern.test(text) ? text : undefined),
});

export const host = matching(/^[^\s/@]+$/, 'a host name or address');

export const filePath = matching(/^[^\0]+$/, 'the path of a file');

/**
 * Returns the URL in ASCII, because headers contain it, and without trailing slashes. It must not have credentials,
 * because links are public.
 */
export const httpUrl = {
  accepts: 'an http:// or https:// URL without credentials or a query',
  parse: (text: string) =>
    /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/.test(text)
      ? URL.parse(text)?.href.replace(/\/+$/, '')
      : undefined,
};

export const redisUrl = {
  accepts: 'redis://HOST:PORT',
  parse: (text: string) => {
    const url = /^rediss?:\/\/\S+$/.test(text) && !isAmbiguous(text) ? URL.parse(text) : null;
    return url?.hostname && isDecodable(url.username + url.password) ? text : undefined;
  },
  advise: adviseOnCredentials,
};

const EVERY_ADDRESS = /\/0+\s*(?:,|$)/;

/** Not all addresses: every client could then pretend to be another. */
export const cidrList = {
  accepts: 'comma-separated CIDRs or addresses, such as 10.0.0.0/8,::1',
  parse: (text: string): readonly Cidr[] | undefined => {
    const cidrs = text.split(',').map((part) => parseCidr(part.trim()));
    return cidrs.every((cidr) => cidr !== null && cidr[1] > 0) ? (cidrs as Cidr[]) : undefined;
  },
  advise: (text: string) =>
    EVERY_ADDRESS.test(text)
      ? ' List only the proxies: with all addresses, every client could pretend to be another.'
      : '',
};

type DatabaseUrls = readonly [first: string, ...others: string[]];

const DATABASES_MAX = 16;

export const databaseList = {
  accepts:
    'sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME, or several of the latter, comma-separated',
  parse: (text: string): DatabaseUrls | undefined => {
    if (/^sqlite:(?!:memory:)(?!.*:\/\/)[^\0]+$/.test(text)) return [text];
    const urls = text.split(',').map((url) => url.trim());
    return urls.every(isPostgresUrl) && urls.length <= DATABASES_MAX
      ? (urls as [string, ...string[]])
      : undefined;
  },
  advise: adviseOnCredentials,
};

function isPostgresUrl(text: string): boolean {
  const url = /^postgres(ql)?:\/\/\S+$/.test(text) && !isAmbiguous(text) ? URL.parse(text) : null;
  // The driver accepts a % that encodes nothing.
  return (
    url !== null && isDecodable(`${url.username}:${url.password}`.replaceAll(/%(?![\da-f]{2})/gi, '%25'))
  );
}

function adviseOnCredentials(text: string): string {
  return /^(postgres(ql)?|rediss?):\/\/.*@/s.test(text)
    ? ' Percent-encode these characters in the user name and the password: @ (%40), / (%2F), # (%23), ? (%3F), % (%25), comma (%2C), space (%20).'
    : '';
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
