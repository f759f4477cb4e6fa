// What is for nobody else to read: API keys, and the passwords in addresses.

import { hideApiKeys } from '../domain/access/api-key.ts';
import type { Cli } from './cli.ts';

/**
 * A command line that repeats no secret, whatever a command says. Standard error never has one. Standard output may:
 * a key that was just made, or content. It has none where one was typed, since that could only be a repetition.
 */
export function withoutSecrets(cli: Cli, args: readonly string[]): Cli {
  const isTyped = args.some((arg) => hideSecrets(arg) !== arg);
  const { ask, terminal } = cli;
  return {
    ...cli,
    print: (text) => cli.print(isTyped ? hideSecrets(text) : text),
    say: (text) => cli.say(hideSecrets(text)),
    ...(terminal && { terminal: { ...terminal, draw: (text: string) => terminal.draw(hideSecrets(text)) } }),
    ...(ask && { ask: (question, options) => ask(hideSecrets(question), options) }),
  };
}

/** Is there a password in one of these addresses, which are comma-separated? It may stand in the query, too. */
export function hasPassword(urls: string): boolean {
  return urls
    .split(',')
    .map((url) => URL.parse(url.trim()))
    .some((url) => url !== null && (url.password !== '' || /[?&]\w*password=/i.test(url.search)));
}

/** Without the keys and passwords in it that somebody typed in a wrong place. `USER:PASSWORD` is our own example. */
export function hideSecrets(text: string): string {
  return hideApiKeys(text)
    .replaceAll(/:\/\/(?!USER:PASSWORD@)[^\s/:]*:\S+@/g, '://…@')
    .replaceAll(/([?&]\w*password=)[^\s&']+/gi, '$1…');
}
