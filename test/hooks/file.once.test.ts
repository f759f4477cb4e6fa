import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { HOOK_KINDS, type HookKind, isPurgeKind, type OnlyFilter } from '../../src/domain/hook.ts';
import {
  expandAndCheck,
  HOOKS_FILE_BYTES_MAX,
  HOOKS_MAX,
  readHooks,
  readHooksFile,
} from '../../src/hooks/file.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';
import { refusalBy } from '../content/helpers.ts';
import { codeBlock, section } from '../support/markdown.ts';

const SIGNING = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const ENVIRONMENT = { URL_OF_CHAT: 'https://chat.example/x', SIGNING, EMPTY: '' };
const KINDS = HOOK_KINDS.join(', ');

/** The reader of a folder of its own, and the lines of its error. */
function readerIn(scope: Parameters<typeof temporaryFolder>[0]) {
  const folder = temporaryFolder(scope);
  const write = (name: string, text: string | Uint8Array) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  const read = (text: string | Uint8Array, environment: Record<string, string> = ENVIRONMENT) => {
    write('hooks.yaml', text);
    return readHooksFile('hooks.yaml', { environment, folder });
  };
  return { folder, write, read, refusal: (text: string | Uint8Array) => refusalBy(() => read(text)) };
}

describe('the hooks file', () => {
  it('no file, no hooks', () => {
    assert.deepEqual(readHooks(null, { environment: {}, folder: '.' }), []);
  });

  it('has the hooks of the contract, with their defaults', (t) => {
    const { read } = readerIn(t);
    const text = [
      'hooks:',
      '  - name: chat',
      '    kind: slack',
      `    url: \${URL_OF_CHAT}`,
      '    only: { teams: [acme], products: [acme/rocket], type: [security], breaking: true, prerelease: false }',
      '    maxAgeHours: 0.5',
      '  - name: site',
      '    kind: webhook',
      '    url: https://site.example/hook',
      `    secret: \${SIGNING}`,
      '  - { name: run, kind: command, url: ./announce }',
      `  - { name: mail, kind: command, command: [mail, -s, "at \${URL_OF_CHAT}, $5"] }`,
      '  - { name: edge, kind: purge-varnish, url: "http://127.0.0.1:6081" }',
    ].join('\n');
    const only: OnlyFilter = {
      teams: ['acme'],
      products: ['acme/rocket'],
      type: ['security'],
      breaking: true,
      prerelease: false,
    };
    assert.deepEqual(read(text).hooks, [
      { name: 'chat', kind: 'slack', url: ENVIRONMENT.URL_OF_CHAT, secret: null, only, maxAgeHours: 0.5 },
      {
        name: 'site',
        kind: 'webhook',
        url: 'https://site.example/hook',
        secret: SIGNING,
        only: {},
        maxAgeHours: 72,
      },
      {
        name: 'run',
        kind: 'command',
        command: ['./announce'],
        hiddenVariables: ['URL_OF_CHAT', 'SIGNING', 'URL_OF_CHAT'],
        only: {},
        maxAgeHours: 72,
      },
      {
        name: 'mail',
        kind: 'command',
        command: ['mail', '-s', 'at https://chat.example/x, $5'],
        hiddenVariables: ['SIGNING'],
        only: {},
        maxAgeHours: 72,
      },
      { name: 'edge', kind: 'purge-varnish', url: 'http://127.0.0.1:6081/', secret: null },
    ]);
  });

  it('may be JSON, have no hooks, and begin with a byte order mark', (t) => {
    const { read } = readerIn(t);
    assert.deepEqual(read('\uFEFF{"hooks": []}').hooks, []);
  });

  it('takes the values of files beside it, without their last newline', (t) => {
    const { write, read } = readerIn(t);
    write('secrets/one', 'https://a.example\r\n');
    write('secrets/two', 'b\n');
    assert.deepEqual(
      read(
        `hooks:\n  - name: \${file:secrets/two}\n    kind: slack\n    url: \${file:secrets/one}/\${file:secrets/two}\n`,
      ).hooks.map((hook) => [hook.name, 'url' in hook && hook.url]),
      [['b', 'https://a.example/b']],
    );
  });

  it('knows whether a secret is written in it', (t) => {
    const { read } = readerIn(t);
    for (const [fields, expected] of [
      [`kind: webhook, url: "https://a.example", secret: "\${SIGNING}"`, false],
      [`kind: webhook, url: "https://a.example", secret: "${SIGNING}"`, true],
      [`kind: slack, url: "\${URL_OF_CHAT}"`, false],
      ['kind: slack, url: "https://a.example"', true],
      ['kind: websub, url: "https://a.example"', false],
      ['kind: websub, url: "https://me:password@a.example"', true],
    ] as const)
      assert.equal(read(`hooks: [{ name: a, ${fields} }]`).hasSecret, expected, fields);
  });

  it('the example in the docs is valid', (t) => {
    const { write, read } = readerIn(t);
    write('secrets/site', SIGNING);
    const docs = readFileSync(path.resolve(import.meta.dirname, '../../docs/hooks.md'), 'utf8');
    const { hooks } = read(codeBlock(section(docs, '## Hooks file'), 'yaml'), {
      CHAT_URL: 'https://chat.example',
    });
    assert.equal(hooks.length, 3);
  });
});

/** A hook with these fields on lines 2 and on, after its name and kind on line 2 and 3. */
const hook = (kind: string, ...fields: string[]) =>
  ['hooks:', '  - name: a', `    kind: ${kind}`, ...fields.map((field) => `    ${field}`), ''].join('\n');
const URL_FIELD = 'url: https://a.example';
const SECRET_WANTED =
  'whsec_ and the base64 of 24 to 64 random bytes, as made by: echo "whsec_$(openssl rand -base64 32)"';
const BEARER = 'a token for the header Authorization: Bearer: ASCII characters without spaces';
const noSecret = (kind: string) =>
  `hooks.yaml:5: hooks[0].secret: the kind ${kind} takes no secret; remove it.`;
const slugAdvice = 'a slug has 1 to 64 of a-z, 0-9 and -, with no - at either end';

const REFUSED: readonly (readonly [text: string, message: string])[] = [
  // The text as a whole.
  ['', 'hooks.yaml:1: the file is empty, or has only comments; write `hooks:` and a list below it.'],
  ['# a\n', 'hooks.yaml:1: the file is empty, or has only comments; write `hooks:` and a list below it.'],
  [
    'hooks: []\n---\nhooks: []\n',
    'hooks.yaml:2: a second document begins here; write all hooks into one list.',
  ],
  [
    'hooks:\n  - [x\n',
    'hooks.yaml:3: too little indentation, a bracket or quote that is not closed, or a tab outside of quotes.',
  ],
  [
    `hooks:\n  - { name: a, kind: slack, url: \${X} }\n`,
    `hooks.yaml:2: cannot be parsed: missed comma between flow collection entries. Between [ ] or { }, put a text with \${…} in quotes.`,
  ],
  [
    hook('slack', URL_FIELD, URL_FIELD),
    'hooks.yaml:5: duplicate field "url"; each field may appear once in a mapping.',
  ],
  ['- name: a\n', 'hooks.yaml:1: document: must be a mapping.'],
  ['hook: []\n', 'hooks.yaml:1: hook: unknown field "hook"; did you mean "hooks"?'],
  ['hooks:\n', 'hooks.yaml:1: hooks: must be a list, not null.'],
  ['hooks:\n  - a\n', 'hooks.yaml:2: hooks[0]: must be a mapping, not "a".'],
  ['hooks:\n  - https://a.example/secret\n', 'hooks.yaml:2: hooks[0]: must be a mapping.'],
  ['{}\n', 'hooks.yaml:1: hooks: is missing; add it.'],
  [
    `hooks:\n${Array.from({ length: HOOKS_MAX + 1 }, (_, at) => `  - { name: a${at}, kind: command, url: x }\n`).join('')}`,
    `hooks.yaml:1: hooks: has ${HOOKS_MAX + 1} items; at most ${HOOKS_MAX}.`,
  ],
  // Fields.
  [
    hook('slack', URL_FIELD, 'onyl: {}'),
    'hooks.yaml:5: hooks[0].onyl: unknown field "onyl"; did you mean "only"?',
  ],
  [
    hook('slack', URL_FIELD, 'headers: {}'),
    'hooks.yaml:5: hooks[0].headers: unknown field "headers"; check its spelling or remove it.',
  ],
  [
    hook('slack', URL_FIELD, 'products: []'),
    'hooks.yaml:5: hooks[0].products: unknown field "products"; it belongs in hooks[].only.',
  ],
  ['hooks:\n  - kind: slack\n    url: http://a\n', 'hooks.yaml:2: hooks[0].name: is missing; add it.'],
  ['hooks:\n  - name: a\n    url: http://a\n', 'hooks.yaml:2: hooks[0].kind: is missing; add it.'],
  [
    'hooks:\n  - name: 1\n    kind: slack\n    url: http://a\n',
    'hooks.yaml:2: hooks[0].name: must be a string, not 1; put it in quotes.',
  ],
  ...['a b', 'ä', 'a/b', 'a'.repeat(65)].map(
    (name) =>
      [
        `hooks:\n  - name: ${name}\n    kind: slack\n    url: http://a\n`,
        `hooks.yaml:2: hooks[0].name: ${name.length > 64 ? '' : `"${name}" `}is not valid; use 1 to 64 of A-Z, a-z, 0-9, ., _ and -.`,
      ] as const,
  ),
  [
    'hooks:\n  - { name: a, kind: command, url: x }\n  - { name: b, kind: command, url: x }\n  - { name: a, kind: command, url: x }\n',
    'hooks.yaml:4: hooks[2].name: duplicate name "a" (also on line 2); names must be unique.',
  ],
  [
    hook('slak', URL_FIELD),
    `hooks.yaml:3: hooks[0].kind: must be one of ${KINDS}, not "slak"; did you mean "slack"?`,
  ],
  [hook('irc', URL_FIELD), `hooks.yaml:3: hooks[0].kind: must be one of ${KINDS}, not "irc".`],
  [hook('https://a.example', URL_FIELD), `hooks.yaml:3: hooks[0].kind: must be one of ${KINDS}.`],
  // URLs and programs.
  [hook('slack'), 'hooks.yaml:2: hooks[0].url: is missing; add it.'],
  [hook('slack', 'url: 5'), 'hooks.yaml:4: hooks[0].url: must be a string; put it in quotes.'],
  [hook('slack', 'url: [http://a]'), 'hooks.yaml:4: hooks[0].url: must be a string.'],
  ...[
    "''",
    'a.example',
    'ftp://a.example',
    'http://',
    'http://a b',
    '"http://a\\nb"',
    '"http://a.example\\x7f"',
  ].map(
    (url) =>
      [
        hook('slack', `url: ${url}`),
        'hooks.yaml:4: hooks[0].url: must be an http:// or https:// URL.',
      ] as const,
  ),
  [
    hook('slack', `url: http://a/${'x'.repeat(4_096)}`),
    'hooks.yaml:4: hooks[0].url: is too long; at most 4,096 characters.',
  ],
  [hook('slack', 'url: "http://a\\0"'), 'hooks.yaml:4: hooks[0].url: contains a NUL character; remove it.'],
  [
    hook('slack', URL_FIELD, 'command: [a]'),
    'hooks.yaml:5: hooks[0].command: the kind slack runs no program; remove it, or write kind: command.',
  ],
  [
    hook('command'),
    'hooks.yaml:2: hooks[0].command: is missing; write the program and its parameters: command: [PROGRAM, PARAMETER]',
  ],
  [
    hook('command', 'command: [a]', 'url: b'),
    'hooks.yaml:5: hooks[0].url: the field command already names the program; remove one of them.',
  ],
  ...[URL_FIELD, "url: ''"].map(
    (field) =>
      [
        hook('command', field),
        'hooks.yaml:4: hooks[0].url: must be a program, because the kind is command; use the kind webhook for a URL.',
      ] as const,
  ),
  ...['[]', "['', a]"].map(
    (command) =>
      [
        hook('command', `command: ${command}`),
        'hooks.yaml:4: hooks[0].command: must begin with a program.',
      ] as const,
  ),
  [hook('command', 'command: a'), 'hooks.yaml:4: hooks[0].command: must be a list.'],
  [
    hook('command', 'command: [a, 5]'),
    'hooks.yaml:4: hooks[0].command[1]: must be a string; put it in quotes.',
  ],
  // Secrets.
  [hook('webhook', URL_FIELD), `hooks.yaml:2: hooks[0].secret: is missing; it must be ${SECRET_WANTED}.`],
  ...[
    'abc',
    'whsec_',
    SIGNING.slice('whsec_'.length),
    SIGNING.slice(0, -1),
    `${SIGNING}!`,
    `whsec_${Buffer.alloc(23).toString('base64')}`,
    `whsec_${Buffer.alloc(65).toString('base64')}`,
    `whsec_${Buffer.alloc(32, 0xff).toString('base64url')}`,
  ].map(
    (secret) =>
      [
        hook('webhook', URL_FIELD, `secret: ${secret}`),
        `hooks.yaml:5: hooks[0].secret: must be ${SECRET_WANTED}.`,
      ] as const,
  ),
  [
    hook('mastodon', URL_FIELD),
    'hooks.yaml:2: hooks[0].secret: is missing; it must be the access token of the account: ASCII characters without spaces.',
  ],
  [
    hook('purge-fastly', URL_FIELD),
    'hooks.yaml:2: hooks[0].secret: is missing; it must be an API token of Fastly: ASCII characters without spaces.',
  ],
  [
    hook('purge-cloudflare', URL_FIELD),
    'hooks.yaml:2: hooks[0].secret: is missing; it must be an API token of Cloudflare: ASCII characters without spaces.',
  ],
  [hook('purge-varnish', URL_FIELD, 'secret: a b'), `hooks.yaml:5: hooks[0].secret: must be ${BEARER}.`],
  [hook('purge-url', URL_FIELD, "secret: ''"), `hooks.yaml:5: hooks[0].secret: must be ${BEARER}.`],
  [
    hook('mastodon', URL_FIELD, 'secret: 5'),
    'hooks.yaml:5: hooks[0].secret: must be a string; put it in quotes.',
  ],
  ...['slack', 'discord', 'teams', 'websub'].map(
    (kind) => [hook(kind, URL_FIELD, 'secret: x'), noSecret(kind)] as const,
  ),
  [hook('command', 'url: a', 'secret: x'), noSecret('command')],
  // What is announced.
  [hook('slack', URL_FIELD, 'only: [acme]'), 'hooks.yaml:5: hooks[0].only: must be a mapping.'],
  [
    hook('slack', URL_FIELD, 'only:', '  team: [a]'),
    'hooks.yaml:6: hooks[0].only.team: unknown field "team"; did you mean "teams"?',
  ],
  [
    hook('slack', URL_FIELD, 'only:', '  teams: acme'),
    'hooks.yaml:6: hooks[0].only.teams: must be a list, not "acme".',
  ],
  ...['teams', 'products', 'type'].map(
    (field) =>
      [
        hook('slack', URL_FIELD, 'only:', `  ${field}: []`),
        `hooks.yaml:6: hooks[0].only.${field}: is empty, so nothing would match; add something to it, or remove it.`,
      ] as const,
  ),
  [
    hook('slack', URL_FIELD, 'only:', '  teams:', '    - acme', '    - Acme'),
    `hooks.yaml:8: hooks[0].only.teams[1]: "Acme" is not valid; write the slug of a team; ${slugAdvice}.`,
  ],
  [
    hook('slack', URL_FIELD, 'only:', '  products: [rocket]'),
    `hooks.yaml:6: hooks[0].only.products[0]: "rocket" is not valid; write TEAM/PRODUCT; ${slugAdvice}.`,
  ],
  [
    hook('slack', URL_FIELD, 'only:', '  type: [fix]'),
    'hooks.yaml:6: hooks[0].only.type[0]: must be one of added, changed, deprecated, removed, fixed, security, other, not "fix"; did you mean "fixed"?',
  ],
  [
    hook('slack', URL_FIELD, 'only:', '  breaking: 1'),
    'hooks.yaml:6: hooks[0].only.breaking: must be a boolean, not 1.',
  ],
  [
    hook('slack', URL_FIELD, 'only:', '  prerelease: "no"'),
    'hooks.yaml:6: hooks[0].only.prerelease: must be a boolean, not "no".',
  ],
  ...['0', '-1', '8760.5', '.inf', '.nan'].map(
    (hours) =>
      [
        hook('slack', URL_FIELD, `maxAgeHours: ${hours}`),
        'hooks.yaml:5: hooks[0].maxAgeHours: must be more than 0 and at most 8760 hours.',
      ] as const,
  ),
  [
    hook('slack', URL_FIELD, 'maxAgeHours: "72"'),
    'hooks.yaml:5: hooks[0].maxAgeHours: must be a number, not "72".',
  ],
  ...['only: {}', 'maxAgeHours: 5'].map((field) => {
    const [name] = field.split(':');
    return [
      hook('purge-varnish', URL_FIELD, field),
      `hooks.yaml:5: hooks[0].${name}: a purge hook is told of every change, so it has no ${name}; remove it.`,
    ] as const;
  }),
  // References.
  [
    hook('slack', `url: \${NOWHERE}`),
    'hooks.yaml:4: hooks[0].url: the variable NOWHERE is not set; set it in the environment or in .env.',
  ],
  [
    hook('slack', `url: \${constructor}`),
    'hooks.yaml:4: hooks[0].url: the variable constructor is not set; set it in the environment or in .env.',
  ],
  [
    hook('slack', `url: http://a/\${EMPTY}`),
    'hooks.yaml:4: hooks[0].url: the variable EMPTY is empty; set it in the environment or in .env.',
  ],
  [
    hook('slack', URL_FIELD, 'only:', `  teams: ["\${NOWHERE}"]`),
    'hooks.yaml:6: hooks[0].only.teams[0]: the variable NOWHERE is not set; set it in the environment or in .env.',
  ],
  ...[`\${}`, `\${A B}`, `\${file:}`, `\${FILE:a}`].map(
    (reference) =>
      [
        hook('slack', `url: ${reference}`),
        `hooks.yaml:4: hooks[0].url: \${…} must be \${NAME} or \${file:PATH}, and NAME may have letters, digits and _.`,
      ] as const,
  ),
  [
    hook('slack', `url: "\${SIGNING"`),
    `hooks.yaml:4: hooks[0].url: a \${ is not closed; write \${NAME} or \${file:PATH}.`,
  ],
  [
    hook('slack', `url: \${file:nowhere}`),
    'hooks.yaml:4: hooks[0].url: the file "nowhere" does not exist; correct the path.',
  ],
  [
    hook('slack', `url: \${file:.}`),
    'hooks.yaml:4: hooks[0].url: the file "." is not a file; name a file with the value.',
  ],
  [
    hook('slack', `url: \${file:empty}`),
    'hooks.yaml:4: hooks[0].url: the file "empty" is empty; write the value into it.',
  ],
  [
    hook('slack', `url: \${file:large}`),
    'hooks.yaml:4: hooks[0].url: the file "large" is larger than 64 KiB; shorten it.',
  ],
  [
    hook('slack', `url: \${file:latin1}`),
    'hooks.yaml:4: hooks[0].url: the file "latin1" is not UTF-8 text; save it as UTF-8.',
  ],
];

describe('a hooks file with a mistake', () => {
  it('is refused with one line that says where and what to do', (t) => {
    const { write, refusal } = readerIn(t);
    write('empty', '\n');
    write('large', 'x'.repeat(64 * 1024 + 1));
    write('latin1', Uint8Array.of(0xe9));
    for (const [text, message] of REFUSED) assert.equal(refusal(text), message, text);
  });

  it('is refused with a line for each mistake, unknown fields first', (t) => {
    const { refusal } = readerIn(t);
    assert.deepEqual(
      refusal(`${hook('slak', 'url: x', 'ony: 1')}  - name: a b\n`)
        .split('\n')
        .map((line) => line.split(': ', 2).join(' ')),
      [
        'hooks.yaml:5 hooks[0].ony',
        'hooks.yaml:3 hooks[0].kind',
        'hooks.yaml:6 hooks[1].kind',
        'hooks.yaml:6 hooks[1].name',
      ],
    );
  });

  it('is refused by its name if it cannot be read', (t) => {
    const { folder, refusal, read } = readerIn(t);
    assert.equal(
      refusal(' '.repeat(HOOKS_FILE_BYTES_MAX + 1)),
      'HOOKS is "hooks.yaml", which is larger than 1024 KiB; shorten it.',
    );
    assert.equal(
      refusal(Uint8Array.of(0xe9)),
      'HOOKS is "hooks.yaml", which is not UTF-8 text; save it as UTF-8.',
    );
    for (const [file, problem] of [
      ['nowhere.yaml', 'does not exist; correct the path.'],
      ['.', 'is not a file; name a YAML file of hooks.'],
    ] as const)
      assert.equal(
        refusalBy(() => readHooks(file, { environment: {}, folder })),
        `HOOKS is "${file}", which ${problem}`,
      );
    assert.deepEqual(read('hooks: []').hooks, []);
  });
});

describe('a value that a reference stands for', () => {
  const MARKER = 'hunter2';
  /** Values that are wrong for most fields. All contain the marker. */
  const VALUES = [
    MARKER,
    `${MARKER} `,
    `https://${MARKER}.example`,
    `whsec_${MARKER}`,
    `\u0000${MARKER}`,
    `${MARKER}\n`,
  ];
  const valid = (kind: HookKind): Record<string, unknown> => ({
    name: 'a',
    kind,
    ...(kind === 'command' ? { command: ['a', 'b'] } : { url: 'https://a.example' }),
    ...((kind === 'webhook' || kind === 'mastodon' || kind.startsWith('purge')) && { secret: SIGNING }),
    ...(!isPurgeKind(kind) && { only: { teams: ['a'], products: ['a/b'], type: ['fixed'] }, maxAgeHours: 1 }),
  });

  it('is in no error, whatever the kind, the field and the mistake', () => {
    let refused = 0;
    for (const value of VALUES)
      for (const [field, wrap, kind] of combinations(FIELDS)) {
        const changed = { ...valid(kind), [field]: wrap(`\${MARKER}`) };
        const messages = messagesOf({ hooks: [changed, changed] }, { MARKER: value });
        refused += messages.length;
        for (const message of messages) assert.ok(!message.includes(MARKER), message);
      }
    assert.ok(refused > 1_000);
  });

  it('a URL or a secret that is written in the file is in no error either', () => {
    for (const value of VALUES)
      for (const [field, wrap, kind] of combinations(['url', 'secret', 'command'])) {
        const changed = { ...valid(kind), [field]: wrap(value) };
        for (const message of messagesOf({ hooks: [changed, changed] }, {}))
          assert.ok(!message.includes(MARKER), message);
      }
  });
});

const FIELDS = ['name', 'kind', 'url', 'command', 'secret', 'only', 'maxAgeHours', 'unknown'];
/** Where a value may be put by mistake. */
const WRAPS: readonly ((value: string) => unknown)[] = [
  (value) => value,
  (value) => [value],
  (value) => ({ teams: [value], products: [value], type: [value], breaking: value }),
  (value) => ({ teams: value, unknown: value }),
];

const combinations = (fields: readonly string[]) =>
  fields.flatMap((field) => WRAPS.flatMap((wrap) => HOOK_KINDS.map((kind) => [field, wrap, kind] as const)));

function messagesOf(written: unknown, environment: Record<string, string>): string[] {
  return expandAndCheck(written, { environment, folder: '.' }).problems.map(({ message }) => message);
}
