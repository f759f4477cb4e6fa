import type { Environment } from '../config.ts';
import { Refusal } from '../errors.ts';

/** A product; without its slug, all products of the team. */
export type Place = Readonly<{ team: string; product: string | null }>;

/** As in the URL of its page. */
export const nameOf = ({ team, product }: Place) => (product === null ? team : `${team}/${product}`);

export type McpSettings = Readonly<{
  /** Without a slash at its end. */
  url: string;
  /** What the tools read if a call names nothing else. */
  place: Place | null;
  apiKey: string | null;
  basic: Readonly<{ username: string; password: string }> | null;
}>;

/** Secrets are not options: other users of the machine could see them in the list of processes. */
export const SECRETS = {
  apiKey: {
    variable: 'CHANGELOG_API_KEY',
    help: 'an API key, to read what is not public',
    shape: /^[\x21-\x7e]{1,256}$/,
    accepts: 'an API key, at most 256 characters without spaces',
  },
  basic: {
    variable: 'CHANGELOG_BASIC_AUTH',
    help: 'USERNAME:PASSWORD, if a password protects the whole site',
    shape: /^[^:\p{Cc}]+:\P{Cc}+$/u,
    accepts: 'USERNAME:PASSWORD, without control characters',
  },
} as const;

/** An empty value counts as unset, as some programs write one for every variable that they know. */
export function readSecrets(environment: Environment): Pick<McpSettings, 'apiKey' | 'basic'> {
  const [, username, password] = /^([^:]*):(.*)$/s.exec(read(environment, SECRETS.basic) ?? '') ?? [];
  return {
    apiKey: read(environment, SECRETS.apiKey),
    basic: username === undefined || password === undefined ? null : { username, password },
  };
}

function read(environment: Environment, secret: (typeof SECRETS)[keyof typeof SECRETS]): string | null {
  const text = environment[secret.variable] || null;
  if (text !== null && !secret.shape.test(text))
    throw new Refusal(`${secret.variable} is not valid; it must be ${secret.accepts}.`);
  return text;
}
