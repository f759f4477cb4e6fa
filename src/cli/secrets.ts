import { hideApiKeys } from '../domain/access/api-key.ts';
import { hideCredentials } from '../domain/access/server-url.ts';
import type { Cli } from './cli.ts';

/**
 * Hides API keys and passwords from everything a command prints to standard error. Standard output may have a new key,
 * or content that looks like one, so it is filtered only if a secret was typed as an argument.
 */
export function withoutSecrets(cli: Cli, typed: readonly string[]): Cli {
  const isTyped = typed.some((arg) => hideSecrets(arg) !== arg);
  const { ask, terminal } = cli;
  return {
    ...cli,
    print: (text) => cli.print(isTyped ? hideSecrets(text) : text),
    say: (text) => cli.say(hideSecrets(text)),
    ...(terminal && { terminal: { ...terminal, draw: (text: string) => terminal.draw(hideSecrets(text)) } }),
    ...(ask && { ask: (question) => ask(hideSecrets(question)) }),
  };
}

export function hideSecrets(text: string): string {
  return hideCredentials(hideApiKeys(text));
}
