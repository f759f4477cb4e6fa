// The content of a release's fixture: every kind of content, created with the commands of that release.

import { HARD_LABELS, HARD_TEXTS } from './hard-content.ts';
import { GITHUB_RELEASES, KEEP_A_CHANGELOG, PACKAGE_CHANGES } from './imports.ts';

export type Command = Readonly<{
  args: readonly string[];
  /** Standard input. */
  input?: string;
  /** The name that requests and later commands use for the key that this command creates. */
  key?: string;
}>;

const LAUNCH_VERSIONS = [
  {
    id: 'ver_300',
    version: '3.0.0',
    title: 'One launch file',
    description: 'A hushed draft: *not yet public*.',
    changes: [
      { id: 'chg_300a', type: 'removed', text: '`rocket.toml` is no longer read.', breaking: true },
      { id: 'chg_300b', type: 'added', text: 'A hushed command: `rocket plan`.' },
    ],
  },
  {
    id: 'ver_next',
    version: 'Unreleased',
    title: 'A second draft, without changes',
    publishAt: '2999-01-01T09:00:00.000Z',
  },
  published('3.0.0-rc.1', '2026-06-01T10:00:00.000Z', {
    title: 'Release candidate',
    changes: [{ id: 'chg_rc1', type: 'added', text: 'A first look at the launch file.' }],
  }),
  published('2.1.0', '2026-05-04T09:00:00.000Z', {
    title: 'Faster launches',
    description: 'Launches finish in about **half the time**. See [the notes](https://rocket.example/notes).',
    changes: [
      { id: 'chg_210a', type: 'added', text: 'Launches can be paused:\n\n- inspect\n- skip\n- roll back' },
      { id: 'chg_210b', type: 'changed', text: 'Up to eight uploads at once, instead of two.' },
      { id: 'chg_210c', type: 'deprecated', text: '`rocket.toml` gives way to `launch.yaml`.' },
      { id: 'chg_210d', type: 'removed', text: 'The `push` command.', breaking: true },
      { id: 'chg_210e', type: 'fixed', text: '`status --watch` reconnects.' },
      { id: 'chg_210f', type: 'security', text: 'Tokens are masked in logs.', breaking: true },
      { id: 'chg_210g', type: 'other', text: 'The documentation has moved.' },
    ],
  }),
  published('2.0.0', '2026-03-02T10:00:00.000Z', {
    title: 'Environments',
    changes: [{ id: 'chg_200', type: 'changed', text: '`rocket launch` needs `--env`.', breaking: true }],
  }),
  // Two at the same time.
  published('2.0.0-beta.10', '2026-02-01T00:00:00.000Z', { title: 'Tenth beta' }),
  published('2.0.0-beta.2', '2026-02-01T00:00:00.000Z', { title: 'Second beta' }),
  published('1.4.1', '2025-11-18T16:45:00.123Z', {
    title: 'Withdrawn after its release',
    yanked: true,
    changes: [{ id: 'chg_141', type: 'fixed', text: 'A failed upload is retried.' }],
  }),
  published('1.10.0', '2025-10-01', { title: 'After 1.9.0, not before', description: '' }),
  published('1.9.0', '2025-09-01', { title: 'Unpublished again, with its date' }),
  published('1.0.1', '2025-01-02T00:00:00+02:00', { title: 'Deleted by a command' }),
  published('v1.0.0', '2025-01-01T00:00:00Z', { title: 'Lift-off', changes: [] }),
  { id: 'ver_undated', version: '0.9.0', title: 'Published by a command, at that time' },
];

/** Every field of a product, a changelog and a version that is only shown. */
const ADORNED = {
  slug: 'adorned',
  name: 'Adorned',
  status: 'published',
  domain: 'changes.adorned.example',
  logo: 'https://adorned.example/logo.svg',
  image: 'https://adorned.example/cover.png',
  accent: '#1a7f37',
  links: {
    base: 'https://adorned.example/docs/',
    home: 'https://adorned.example',
    repository: 'https://github.com/acme/adorned',
  },
  changelog: {
    id: 'cl_adorned',
    name: 'Neues',
    status: 'published',
    language: 'de',
    description: 'Was sich *ändert*.',
    versions: [
      published('1.1.0', '2026-05-04T09:00:00.000Z', {
        id: 'ver_adorned2',
        title: 'Türen',
        image: 'https://adorned.example/doors.png',
        links: { compare: 'https://github.com/acme/adorned/compare/1.0.0...1.1.0' },
        changes: [{ id: 'chg_adorned', type: 'fixed', text: 'Siehe #12, [hier](doors.md) und @ann.' }],
      }),
      published('1.0.0', '2026-05-03T09:00:00.000Z', { id: 'ver_adorned1', title: 'Wände' }),
    ],
  },
};

const ACME = {
  team: { slug: 'acme', name: 'Acme & Söhne <GmbH>', visibility: 'public', plan: 'paid' },
  products: [
    product('rocket', { name: 'Rocket "R"', versions: LAUNCH_VERSIONS }),
    product('labels', { versions: HARD_LABELS }),
    product('texts', { versions: HARD_TEXTS }),
    ADORNED,
    product('empty', {}),
    product('drafts', { versions: [{ id: 'ver_d1', version: '1.0.0', title: 'hushed' }] }),
    product('secret', { status: 'draft', versions: hidden('secret') }),
    product('frozen', { versions: hidden('frozen') }),
    product('quiet', { changelogStatus: 'draft', versions: hidden('quiet') }),
    product('still', { versions: hidden('still') }),
    product('unwritten', { versions: hidden('unwritten') }),
    product('dropped', { versions: hidden('dropped') }),
    { slug: 'bare', name: 'Bare', status: 'published' },
    { slug: 'imported', name: 'Imported', status: 'published' },
    { slug: 'releases', name: 'Releases', status: 'published' },
    { slug: 'packages', name: 'Packages', status: 'published' },
  ],
};

const VAULT = {
  team: { slug: 'vault', name: 'Vault', visibility: 'private', plan: 'paid' },
  products: [product('rocket', { changelogId: 'cl_vault', versions: hidden('vault') })],
};

const LEGACY = {
  team: { slug: 'legacy', name: 'Legacy', visibility: 'public', plan: 'paid' },
  products: [
    product('engine', { versions: [published('1.0.0', '2024-02-29', { id: 'ver_engine', title: 'One' })] }),
  ],
};

const GONE = {
  team: { slug: 'gone', name: 'Gone', visibility: 'public', plan: 'paid' },
  products: [product('rocket', { changelogId: 'cl_gone', versions: hidden('gone') })],
};

export const TEAMS = ['acme', 'vault', 'legacy'];

/** Imported again as dry runs: the import marks show which versions were edited by hand since. */
export const IMPORTS: readonly Command[] = [
  {
    args: ['import', 'acme/imported', '-', '--format', 'keep-a-changelog', '--prune', '--yes'],
    input: KEEP_A_CHANGELOG.next,
  },
  { args: ['import', 'acme/imported', '-', '--format', 'keep-a-changelog'], input: KEEP_A_CHANGELOG.grown },
  { args: ['import', 'acme/releases', '-', '--format', 'github-releases'], input: GITHUB_RELEASES },
  { args: ['import', 'acme/packages', '-', '--format', 'changesets'], input: PACKAGE_CHANGES },
];

/** Run in this order. `KEY:name` in an argument is replaced by the id of that key. */
export const COMMANDS: readonly Command[] = [
  { args: ['migrate'] },
  ...[ACME, VAULT, LEGACY, GONE].map((document) => ({
    args: ['apply', '-'],
    input: JSON.stringify(document),
  })),

  { args: ['import', 'acme/imported', '-', '--format', 'keep-a-changelog'], input: KEEP_A_CHANGELOG.first },
  { args: ['import', 'acme/imported', '-', '--format', 'keep-a-changelog'], input: KEEP_A_CHANGELOG.grown },
  { args: ['import', 'acme/releases', '-', '--format', 'github-releases'], input: GITHUB_RELEASES },
  {
    args: [
      'import',
      'acme/packages',
      '-',
      '--format',
      'changesets',
      '--published-at',
      '2026-04-01T12:00:00Z',
    ],
    input: PACKAGE_CHANGES,
  },
  { args: ['changelog', 'set', 'acme/imported', '--status', 'published'] },
  { args: ['changelog', 'set', 'acme/releases', '--status', 'published', '--name', 'Renamed releases'] },
  { args: ['changelog', 'set', 'acme/packages', '--status', 'published'] },
  // Counts as an edit by hand.
  { args: ['version', 'unpublish', 'acme/imported', '1.1.0'] },

  newKey('full', 'acme', '--kind', 'FULL', '--name', 'Everything of Acme'),
  newKey(
    'select',
    'acme',
    '--kind',
    'SELECT',
    '--product',
    'rocket',
    '--product',
    'secret',
    '--product',
    'dropped',
  ),
  newKey('detached', 'acme', '--kind', 'SELECT', '--product', 'rocket'),
  newKey('disabled', 'acme', '--kind', 'FULL', '--name', 'Ünïcode 钥匙'),
  newKey('enabled', 'acme', '--kind', 'FULL'),
  newKey('deleted', 'acme', '--kind', 'FULL'),
  newKey('unused', 'acme', '--kind', 'FULL'),
  newKey('ending', 'acme', '--kind', 'FULL', '--expires', '2999-01-01'),
  newKey('vault', 'vault', '--kind', 'FULL'),
  newKey('legacy', 'legacy', '--kind', 'FULL'),
  newKey('gone', 'gone', '--kind', 'FULL'),
  { args: ['key', 'detach', 'KEY:detached', 'rocket'] },
  { args: ['key', 'attach', 'KEY:select', 'imported'] },
  { args: ['key', 'disable', 'KEY:disabled'] },
  { args: ['key', 'disable', 'KEY:enabled'] },
  { args: ['key', 'enable', 'KEY:enabled'] },
  { args: ['key', 'delete', 'KEY:deleted', '--yes'] },

  { args: ['version', 'publish', 'acme/rocket', '0.9.0'] },
  { args: ['version', 'unpublish', 'acme/rocket', '1.9.0'] },
  { args: ['version', 'delete', 'acme/rocket', '1.0.1', '--yes'] },
  { args: ['product', 'set', 'acme/frozen', '--status', 'locked'] },
  { args: ['changelog', 'set', 'acme/still', '--status', 'locked'] },
  { args: ['changelog', 'delete', 'acme/unwritten', '--yes'] },
  { args: ['product', 'delete', 'acme/dropped', '--yes'] },
  { args: ['team', 'set', 'legacy', '--plan', 'free', '--name', 'Legacy, downgraded'] },
  { args: ['team', 'delete', 'gone', '--yes'] },
];

/** The keys that `COMMANDS` creates. */
export const KEYS = COMMANDS.flatMap(({ key }) => key ?? []);

export const PRODUCTS: readonly string[] = ACME.products.map(({ slug }) => slug);

function newKey(key: string, team: string, ...options: string[]): Command {
  return { key, args: ['key', 'create', team, ...options] };
}

function product(
  slug: string,
  options: Readonly<{
    name?: string;
    status?: string;
    changelogId?: string;
    changelogStatus?: string;
    versions?: readonly object[];
  }>,
) {
  const { name = slug, status = 'published', changelogId = `cl_${slug}`, versions = [] } = options;
  const changelog = {
    id: changelogId,
    name: `${name} changelog`,
    status: options.changelogStatus ?? 'published',
  };
  return { slug, name, status, changelog: { ...changelog, versions } };
}

function published(version: string, publishedAt: string, more: object) {
  return { id: `ver_${version.replaceAll('.', '_')}`, version, status: 'published', publishedAt, ...more };
}

function hidden(name: string) {
  const changes = [{ id: `chg_${name}`, type: 'added', text: `hushed ${name}` }];
  return [published('1.0.0', '2026-01-01', { id: `ver_${name}`, title: `Of ${name}`, changes })];
}
