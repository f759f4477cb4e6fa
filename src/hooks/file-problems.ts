// What may be wrong with the hooks of the file. No message shows a URL, a secret, or what a reference stood for.
import { DuplicateProblem } from '../content/read/problems.ts';
import { findShapeProblems, isMapping, type ShapeHelp } from '../content/read/shape.ts';
import { ContentProblem, type FieldPath } from '../domain/content/content.ts';
import { HOOK_KINDS, type HookKind, isPurgeKind } from '../domain/hook.ts';
import { CHANGE_TYPES, SLUG_PATTERN } from '../domain/model.ts';
import { array, boolean, number, object, oneOf, type Static, text } from '../domain/schema.ts';

export const HOOKS_MAX = 100;
const MAX_AGE_HOURS_MAX = 8_760;
const TEXT_CHARACTERS_MAX = 4_096;

const slug = SLUG_PATTERN.slice(1, -1);

const HookFields = object(
  { name: text({ pattern: '^[\\w.-]{1,64}$' }), kind: oneOf(HOOK_KINDS) },
  {
    optional: {
      url: text({ maxLength: TEXT_CHARACTERS_MAX }),
      command: array(text({ maxLength: TEXT_CHARACTERS_MAX })),
      secret: text({ maxLength: TEXT_CHARACTERS_MAX }),
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
const HooksDocument = object({ hooks: array(HookFields) });
export type HookFields = Static<typeof HookFields>;
export type HooksDocument = Static<typeof HooksDocument>;

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

/** `written` is the document before its references were replaced. */
export function* findHookProblems(document: unknown, written: unknown): Generator<ContentProblem> {
  const isSecret = (path: FieldPath) => isHidden(written, path);
  yield* findShapeProblems(HooksDocument, document, { ...HELP, isSecret });
  const hooks = isMapping(document) && Array.isArray(document.hooks) ? document.hooks : [];
  if (hooks.length > HOOKS_MAX)
    yield new ContentProblem(
      ['hooks', HOOKS_MAX],
      `a file may have at most ${HOOKS_MAX} hooks; remove some.`,
    );
  const names = new Map<unknown, FieldPath>();
  for (const [index, hook] of hooks.entries()) {
    if (!isMapping(hook)) continue;
    const at = ['hooks', index];
    const path = [...at, 'name'];
    const first = names.get(hook.name);
    if (typeof hook.name === 'string' && first !== undefined)
      yield new DuplicateProblem('name', isSecret(path) ? null : hook.name, path, first);
    else names.set(hook.name, path);
    const kind = HOOK_KINDS.find((each) => each === hook.kind);
    if (kind === undefined) continue;
    for (const [field, message] of findFieldProblems(kind, hook))
      yield new ContentProblem([...at, ...field.split('.')], message);
  }
}

const HIDDEN_FIELDS: readonly unknown[] = ['url', 'secret', 'command'];
/** Neither a reference nor a URL nor a signing secret in the wrong field. */
const SHOWN = /^(?!whsec_)[^$:]{0,64}$/;

function isHidden(written: unknown, path: FieldPath): boolean {
  if (HIDDEN_FIELDS.includes(path[2])) return true;
  const value = path.reduce<unknown>(
    (around, part) => (around as Readonly<Record<string | number, unknown>> | undefined)?.[part],
    written,
  );
  return typeof value === 'object' ? value !== null : !SHOWN.test(String(value));
}

type FieldProblem = readonly [field: string, message: string];

/** Values of the wrong type are found by their shape. */
function* findFieldProblems(
  kind: HookKind,
  hook: Readonly<Record<string, unknown>>,
): Generator<FieldProblem> {
  yield* kind === 'command' ? findProgramProblems(hook) : findUrlProblems(kind, hook);
  yield* findSecretProblems(kind, hook.secret);
  const { only, maxAgeHours } = hook;
  if (isPurgeKind(kind)) {
    for (const field of ['only', 'maxAgeHours'])
      if (hook[field] !== undefined)
        yield [field, `a purge hook is told of every change, so it has no ${field}; remove it.`];
    return;
  }
  if (isMapping(only))
    for (const [field, value] of Object.entries(only))
      if (Array.isArray(value) && value.length === 0)
        yield [`only.${field}`, 'is empty, so nothing would match; add something to it, or remove it.'];
  if (typeof maxAgeHours === 'number' && !(maxAgeHours > 0 && maxAgeHours <= MAX_AGE_HOURS_MAX))
    yield ['maxAgeHours', `must be more than 0 and at most ${MAX_AGE_HOURS_MAX} hours.`];
}

const isHttpUrl = (url: string) => /^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) && URL.canParse(url);

function* findUrlProblems(
  kind: HookKind,
  { url, command }: Readonly<Record<string, unknown>>,
): Generator<FieldProblem> {
  if (url === undefined) yield ['url', 'is missing; add it.'];
  else if (typeof url === 'string' && !isHttpUrl(url)) yield ['url', 'must be an http:// or https:// URL.'];
  if (command !== undefined)
    yield ['command', `the kind ${kind} runs no program; remove it, or write kind: command.`];
}

function* findProgramProblems({ url, command }: Readonly<Record<string, unknown>>): Generator<FieldProblem> {
  if (command === undefined && url === undefined)
    yield ['command', 'is missing; write the program and its parameters: command: [PROGRAM, PARAMETER]'];
  if (command !== undefined && url !== undefined)
    yield ['url', 'the field command already names the program; remove one of them.'];
  if (typeof url === 'string' && (url === '' || isHttpUrl(url)))
    yield ['url', 'must be a program, because the kind is command; use the kind webhook for a URL.'];
  if (Array.isArray(command) && (command.length === 0 || command[0] === ''))
    yield ['command', 'must begin with a program.'];
}

type SecretRule = Readonly<{ isRequired: boolean; isValid: (secret: string) => boolean; wanted: string }>;

const token = (isRequired: boolean, wanted: string): SecretRule => ({
  isRequired,
  isValid: (secret) => /^[\x21-\x7e]+$/.test(secret),
  wanted: `${wanted}: ASCII characters without spaces`,
});

const urlIsSecret = (receiver: string) =>
  `the URL of a ${receiver} webhook is its secret; remove this field, and write url: \${NAME} to keep the URL out of the file.`;

/** Why a kind takes no secret, or the secret that it takes. */
const SECRETS: Readonly<Record<HookKind, string | SecretRule>> = {
  webhook: {
    isRequired: true,
    isValid: isSigningSecret,
    wanted:
      'whsec_ and the base64 of 24 to 64 random bytes, as made by: echo "whsec_$(openssl rand -base64 32)"',
  },
  slack: urlIsSecret('Slack'),
  discord: urlIsSecret('Discord'),
  teams: urlIsSecret('Teams'),
  mastodon: token(true, 'the access token of the account'),
  websub: 'a WebSub hub needs no secret to be told of new content; remove it.',
  command: 'nothing is signed for a program; remove it, and let the program read its secrets itself.',
  'purge-fastly': token(true, 'an API token of Fastly'),
  'purge-cloudflare': token(true, 'an API token of Cloudflare'),
  'purge-varnish': token(false, 'a token for the header Authorization: Bearer'),
  'purge-url': token(false, 'a token for the header Authorization: Bearer'),
};

function* findSecretProblems(kind: HookKind, secret: unknown): Generator<FieldProblem> {
  const rule = SECRETS[kind];
  if (typeof rule === 'string') {
    if (secret !== undefined) yield ['secret', rule];
  } else if (secret === undefined) {
    if (rule.isRequired) yield ['secret', `is missing; it must be ${rule.wanted}.`];
  } else if (typeof secret === 'string' && !rule.isValid(secret)) yield ['secret', `must be ${rule.wanted}.`];
}

function isSigningSecret(secret: string): boolean {
  const base64 = /^whsec_(.+)$/.exec(secret)?.[1] ?? '';
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === base64;
}
