// The hooks file (R65): YAML to hooks, or what is wrong with it and on which line. No message shows a URL, a secret, or what a
// reference stands for.
import path from 'node:path';
import { SyntaxProblem } from '../content/read/json.ts';
import { parseYaml } from '../content/read/parse.ts';
import { DuplicateProblem } from '../content/read/problems.ts';
import { requireNoProblems } from '../content/read/read.ts';
import { findShapeProblems, isMapping, mappingsIn, type ShapeHelp } from '../content/read/shape.ts';
import { hasPassword } from '../domain/access/server-url.ts';
import { ContentProblem, type FieldPath } from '../domain/content/content.ts';
import { HOOK_KINDS, type Hook, type HookKind, isPurgeKind, MAX_AGE_HOURS_DEFAULT } from '../domain/hook.ts';
import { CHANGE_TYPES, SLUG_PATTERN } from '../domain/model.ts';
import { array, boolean, number, object, oneOf, type Static, text } from '../domain/schema.ts';
import { Refusal } from '../errors.ts';
import { readTextFile } from '../text-file.ts';

export const HOOKS_FILE_BYTES_MAX = 1024 * 1024;
export const HOOKS_MAX = 100;
const MAX_AGE_HOURS_MAX = 8_760;

const slug = SLUG_PATTERN.slice(1, -1);
const short = (about = {}) => text({ maxLength: 4_096, ...about });

const HookFields = object(
  { name: text({ pattern: '^[\\w.-]{1,64}$' }), kind: oneOf(HOOK_KINDS) },
  {
    optional: {
      url: short(),
      command: array(short()),
      secret: short(),
      only: object(
        {},
        {
          optional: {
            teams: array(text({ pattern: SLUG_PATTERN })),
            products: array(text({ pattern: `^${slug}/${slug}$` })),
            type: array(oneOf(CHANGE_TYPES)),
            breaking: boolean(),
            prerelease: boolean(),
          },
        },
      ),
      maxAgeHours: number(),
    },
  },
);
const HooksDocument = object({ hooks: array(HookFields, { maxItems: HOOKS_MAX }) });
type HookFields = Static<typeof HookFields>;
type HooksDocument = Static<typeof HooksDocument>;

const SLUG_ADVICE = 'a slug has 1 to 64 of a-z, 0-9 and -, with no - at either end';
const HELP: ShapeHelp = {
  document: HooksDocument,
  rules: {},
  patterns: {
    name: 'use 1 to 64 of A-Z, a-z, 0-9, ., _ and -',
    teams: `write the slug of a team; ${SLUG_ADVICE}`,
    products: `write TEAM/PRODUCT; ${SLUG_ADVICE}`,
  },
};

type SecretRule = Readonly<{ isRequired: boolean; isValid: (secret: string) => boolean; wanted: string }>;

const token = (isRequired: boolean, wanted: string): SecretRule => ({
  isRequired,
  isValid: (secret) => /^[\x21-\x7e]+$/.test(secret),
  wanted: `${wanted}: ASCII characters without spaces`,
});

/** Of the kinds that take one. The URL of a chat is its secret. */
const SECRETS: Readonly<Partial<Record<HookKind, SecretRule>>> = {
  webhook: {
    isRequired: true,
    isValid: isSigningSecret,
    wanted:
      'whsec_ and the base64 of 24 to 64 random bytes, as made by: echo "whsec_$(openssl rand -base64 32)"',
  },
  mastodon: token(true, 'the access token of the account'),
  'purge-fastly': token(true, 'an API token of Fastly'),
  'purge-cloudflare': token(true, 'an API token of Cloudflare'),
  'purge-varnish': token(false, 'a token for the header Authorization: Bearer'),
  'purge-url': token(false, 'a token for the header Authorization: Bearer'),
};

function isSigningSecret(secret: string): boolean {
  const base64 = /^whsec_(.+)$/.exec(secret)?.[1] ?? '';
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === base64;
}

/** No file: no hooks. Relative paths start at the folder. */
export function readHooks(file: string | null, sources: Sources): readonly Hook[] {
  return file === null ? [] : readHooksFile(file, sources).hooks;
}

/** And whether a secret is written in the file itself. */
export function readHooksFile(file: string, { environment, folder }: Sources) {
  const target = path.resolve(folder, file);
  const text = readTextFile(target, {
    bytesMax: HOOKS_FILE_BYTES_MAX,
    wanted: 'a YAML file of hooks',
    refusal: (problem, cause) => new Refusal(`HOOKS is ${JSON.stringify(file)}, which ${problem}`, { cause }),
  });
  const written = parse(text, file);
  const { document, problems } = expandAndCheck(written, { environment, folder: path.dirname(target) });
  requireNoProblems(problems, file, text);
  const fields = (written as HooksDocument).hooks;
  const used = fields.map(variablesIn);
  const hiddenFrom = (own: readonly string[] = []) => used.flat().filter((name) => !own.includes(name));
  return {
    hooks: (document as HooksDocument).hooks.map((each, nth) => toHook(each, hiddenFrom(used[nth]))),
    hasSecret: fields.some(isSecretWritten),
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

/** The document with its references replaced, and what is wrong with it. */
export function expandAndCheck(written: unknown, sources: Sources) {
  const problems: ContentProblem[] = [];
  const document = expand(written, sources, problems);
  const isSecret = (at: FieldPath) => isHidden(written, at);
  problems.push(...findShapeProblems(HooksDocument, document, { ...HELP, isSecret }));
  const names = new Map<unknown, FieldPath>();
  for (const [index, hook] of mappingsIn(document, 'hooks')) {
    const at = ['hooks', index];
    const nameAt = [...at, 'name'];
    const first = names.get(hook.name);
    if (typeof hook.name === 'string' && first !== undefined)
      problems.push(new DuplicateProblem('name', isSecret(nameAt) ? null : hook.name, nameAt, first));
    else names.set(hook.name, nameAt);
    const kind = HOOK_KINDS.find((each) => each === hook.kind);
    for (const [field, message] of kind === undefined ? [] : problemsOf(kind, hook))
      problems.push(new ContentProblem([...at, ...field.split('.')], message));
  }
  return { document, problems };
}

const HIDDEN_FIELDS: readonly unknown[] = ['url', 'secret', 'command'];
/** Neither a reference nor a URL nor a signing secret in the wrong field. */
const SHOWN = /^(?!whsec_)[^$:]{0,64}$/;

function isHidden(written: unknown, at: FieldPath): boolean {
  if (HIDDEN_FIELDS.includes(at[2])) return true;
  const value = at.reduce<unknown>(
    (around, part) => (around as Readonly<Record<string | number, unknown>> | undefined)?.[part],
    written,
  );
  return typeof value === 'object' ? value !== null : !SHOWN.test(String(value));
}

type Problem = readonly [field: string, message: string];

const isHttpUrl = (url: string) => /^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) && URL.canParse(url);

/** What depends on the kind. Values of the wrong type are found by their shape. */
function* problemsOf(kind: HookKind, hook: Readonly<Record<string, unknown>>): Generator<Problem> {
  const { url, command, secret, only, maxAgeHours } = hook;
  if (kind === 'command') {
    if (command === undefined && url === undefined)
      yield ['command', 'is missing; write the program and its parameters: command: [PROGRAM, PARAMETER]'];
    if (command !== undefined && url !== undefined)
      yield ['url', 'the field command already names the program; remove one of them.'];
    if (typeof url === 'string' && (url === '' || isHttpUrl(url)))
      yield ['url', 'must be a program, because the kind is command; use the kind webhook for a URL.'];
    if (Array.isArray(command) && (command[0] ?? '') === '') yield ['command', 'must begin with a program.'];
  } else {
    if (url === undefined) yield ['url', 'is missing; add it.'];
    if (typeof url === 'string' && !isHttpUrl(url)) yield ['url', 'must be an http:// or https:// URL.'];
    if (command !== undefined)
      yield ['command', `the kind ${kind} runs no program; remove it, or write kind: command.`];
  }
  const rule = SECRETS[kind];
  if (rule === undefined) {
    if (secret !== undefined) yield ['secret', `the kind ${kind} takes no secret; remove it.`];
  } else if (secret === undefined) {
    if (rule.isRequired) yield ['secret', `is missing; it must be ${rule.wanted}.`];
  } else if (typeof secret === 'string' && !rule.isValid(secret)) yield ['secret', `must be ${rule.wanted}.`];
  if (isPurgeKind(kind)) {
    for (const field of ['only', 'maxAgeHours'])
      if (hook[field] !== undefined)
        yield [field, `a purge hook is told of every change, so it has no ${field}; remove it.`];
    return;
  }
  for (const [field, value] of Object.entries(isMapping(only) ? only : {}))
    if (Array.isArray(value) && value.length === 0)
      yield [`only.${field}`, 'is empty, so nothing would match; add something to it, or remove it.'];
  if (typeof maxAgeHours === 'number' && !(maxAgeHours > 0 && maxAgeHours <= MAX_AGE_HOURS_MAX))
    yield ['maxAgeHours', `must be more than 0 and at most ${MAX_AGE_HOURS_MAX} hours.`];
}

// `${NAME}` and `${file:PATH}` in texts of the file. Messages name the variable or the path, never its value.

export type Sources = Readonly<{
  environment: Readonly<Record<string, string | undefined>>;
  /** Relative paths start here. */
  folder: string;
}>;

const FILE_BYTES_MAX = 64 * 1024;
const REFERENCE = /\$\{(?<inner>[^}]*)(?<end>\}?)/g;

const hasReference = (text: string): boolean => text.includes('${');

/** The names of the variables that a value refers to. */
const variablesIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(REFERENCE)].map(([, inner = '']) => inner);

/** The same value with all references replaced. Those that cannot be are added to the problems. */
function expand(value: unknown, sources: Sources, problems: ContentProblem[], at: FieldPath = []): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => expand(item, sources, problems, [...at, index]));
  if (isMapping(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, expand(field, sources, problems, [...at, name])]),
    );
  if (typeof value !== 'string' || !hasReference(value)) return value;
  try {
    return value.replaceAll(REFERENCE, (_, inner: string, end: string) => {
      if (end === '') throw new Refusal(`a \${ is not closed; write \${NAME} or \${file:PATH}.`);
      return resolve(inner, sources);
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    problems.push(new ContentProblem(at, error.message));
    return value;
  }
}

function resolve(inner: string, { environment, folder }: Sources): string {
  const file = /^file:(.+)$/s.exec(inner)?.[1];
  if (file !== undefined) return readSecret(file, folder);
  // Without what is there: it may be a secret that somebody put between the braces.
  if (!/^[A-Za-z_]\w*$/.test(inner))
    throw new Refusal(`\${…} must be \${NAME} or \${file:PATH}, and NAME may have letters, digits and _.`);
  const value = Object.hasOwn(environment, inner) ? environment[inner] : undefined;
  if (value === undefined || value === '')
    throw new Refusal(
      `the variable ${inner} is ${value === '' ? 'empty' : 'not set'}; set it in the environment or in .env.`,
    );
  return value;
}

function readSecret(file: string, folder: string): string {
  const refusal = (problem: string, cause?: unknown) =>
    new Refusal(`the file ${JSON.stringify(file)} ${problem}`, { cause });
  const text = readTextFile(path.resolve(folder, file), {
    bytesMax: FILE_BYTES_MAX,
    wanted: 'a file with the value',
    refusal,
  }).replace(/\r?\n$/, '');
  if (text === '') throw refusal('is empty; write the value into it.');
  return text;
}
