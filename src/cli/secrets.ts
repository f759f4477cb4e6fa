import { hideApiKeys } from '../domain/access/api-key.ts';
import type { Cli } from './cli.ts';

/**
 * Hides API keys and passwords from everything a command prints to standard error. Standard output may have a new key,
 * or content that looks like one, so it is filtered only if a secret was typed as an argument.
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

/** Whether one of these comma-separated URLs has a password, which may also be in the query. */
export function hasPassword(urls: string): boolean {
  return urls
    .split(',')
    .map((url) => URL.parse(url.trim()))
    .some((url) => url !== null && (url.password !== '' || /[?&]\w*password=/i.test(url.search)));
}

/** `USER:PASSWORD` is the example in the messages about settings. */
export function hideSecrets(text: string): string {
  return hideApiKeys(text)
    .replaceAll(/:\/\/(?!USER:PASSWORD@)[^\s/:]*:\S+@/g, '://…@')
    .replaceAll(/([?&]\w*password=)[^\s&']+/gi, '$1…');
}
