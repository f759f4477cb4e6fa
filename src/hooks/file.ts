// The hooks file (R65): YAML to hooks, or what is wrong with it and on which line.
import path from 'node:path';
import { SyntaxProblem } from '../content/read/json.ts';
import { parseYaml } from '../content/read/parse.ts';
import { requireNoProblems } from '../content/read/read.ts';
import { hasPassword } from '../domain/access/server-url.ts';
import type { ContentProblem } from '../domain/content/content.ts';
import { type Hook, isPurgeKind, MAX_AGE_HOURS_DEFAULT } from '../domain/hook.ts';
import { Refusal } from '../errors.ts';
import { readTextFile } from '../text-file.ts';
import { findHookProblems, type HookFields, type HooksDocument } from './file-problems.ts';
import { expand, hasReference, type Sources, variablesIn } from './references.ts';

export const HOOKS_FILE_BYTES_MAX = 1024 * 1024;

/** No file: no hooks. Relative paths start at the folder. */
export function readHooks(file: string | null, sources: Sources): readonly Hook[] {
  return file === null ? [] : readHooksFile(file, sources).hooks;
}

export type HooksFile = Readonly<{
  hooks: readonly Hook[];
  /** Whether a secret is written in the file itself. */
  hasSecret: boolean;
}>;

export function readHooksFile(file: string, { environment, folder }: Sources): HooksFile {
  const target = path.resolve(folder, file);
  const text = readTextFile(target, {
    bytesMax: HOOKS_FILE_BYTES_MAX,
    wanted: 'a YAML file of hooks',
    refusal: (problem, cause) => new Refusal(`HOOKS is ${JSON.stringify(file)}, which ${problem}`, { cause }),
  });
  const written = parse(text, file);
  const problems: ContentProblem[] = [];
  const document = expand(written, { environment, folder: path.dirname(target) }, problems);
  problems.push(...findHookProblems(document, written));
  requireNoProblems(problems, file, text);
  const used = (written as HooksDocument).hooks.map(variablesIn);
  const hiddenFrom = (own: readonly string[] = []) => used.flat().filter((name) => !own.includes(name));
  return {
    hooks: (document as HooksDocument).hooks.map((fields, nth) => toHook(fields, hiddenFrom(used[nth]))),
    hasSecret: (written as HooksDocument).hooks.some(isSecretWritten),
  };
}

function parse(text: string, file: string): unknown {
  try {
    const value = parseYaml(text, 'write all hooks into one list');
    if (value !== null) return value;
    throw new SyntaxProblem(
      1,
      'the file is empty, or has only comments; write `hooks:` and a list below it.',
    );
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    const hint = hasReference(text.split('\n')[error.line - 1] ?? '')
      ? ` Between [ ] or { }, put a text with \${…} in quotes.`
      : '';
    throw new Refusal(`${file}:${error.line}: ${error.message}${hint}`, { cause: error });
  }
}

/** Of fields without problems. */
function toHook(fields: HookFields, hiddenVariables: readonly string[]): Hook {
  const { name, kind, url = '', command, only = {}, maxAgeHours = MAX_AGE_HOURS_DEFAULT } = fields;
  const secret = fields.secret ?? null;
  if (isPurgeKind(kind)) return { name, kind, url: new URL(url).href, secret };
  const announcing = { name, only, maxAgeHours };
  if (kind !== 'command') return { ...announcing, kind, url: new URL(url).href, secret };
  const [program = url, ...parameters] = command ?? [];
  return { ...announcing, kind, command: [program, ...parameters], hiddenVariables };
}

/** The URLs of chats are secrets, too: whoever knows one can write there. */
const SECRET_URLS: readonly string[] = ['slack', 'discord', 'teams'];

function isSecretWritten({ kind, url, secret }: HookFields): boolean {
  return [secret, SECRET_URLS.includes(kind) || hasPassword(url ?? '') ? url : undefined].some(
    (text) => text !== undefined && !hasReference(text),
  );
}
