import { COMMAND } from '../../command-name.ts';
import type { Hook } from '../../domain/hook.ts';
import { nearest } from '../../domain/nearest.ts';
import { Refusal } from '../../errors.ts';
import { shellWord } from '../terminal/shell-word.ts';

export const HOOKS_UNSET =
  'There are no hooks. If a server has some, set HOOKS as it is set there; otherwise write a hooks file, as docs/hooks.md describes.';

export function requireHook(hooks: readonly Hook[], name: string): Hook {
  const found = hooks.find((hook) => hook.name === name);
  if (found !== undefined) return found;
  if (hooks.length === 0) throw new Refusal(HOOKS_UNSET);
  const names = hooks.map((hook) => hook.name);
  const meant = nearest(name, names);
  const question = meant === undefined ? '' : ` did you mean ${meant}?`;
  throw new Refusal(`there is no hook ${name}:${question} \`${COMMAND} hook list\` lists them.`);
}

type NamedVersion = Readonly<{ team: string; product: string; version: string }>;
type ForHook = NamedVersion & Readonly<{ hook: string }>;

export const formatVersion = ({ team, product, version }: NamedVersion): string =>
  `${team}/${product} ${version}`;

/** What to do about a version that a hook has not announced, and will not by itself. */
export function adviseToAnnounce({ hook, ...named }: ForHook, purpose = 'try again'): string {
  const { team, product, version } = named;
  return `To ${purpose}: ${COMMAND} hook announce ${team}/${product} ${shellWord(version)} --hook ${hook}`;
}
