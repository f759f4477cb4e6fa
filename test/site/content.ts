// What the tests of static sites build: public content that is hard to put into files, and hidden content of every kind.
import { HIDDEN } from '../../support/content/world.ts';
import { apply, type Sandbox } from '../../support/program/command.ts';
import type { TeamDocument, VersionDocument } from '../cli/helpers.ts';

type Changelog = NonNullable<NonNullable<TeamDocument['products']>[number]['changelog']> & {
  description?: string;
};
type Version = VersionDocument & { links?: { compare: string } };

/** In texts of products without a link base. */
export const RELATIVE_LINKS = ['docs/guide.md', '#there'];
const LOGO = `data:image/svg+xml,%3Csvg xmlns=%22%22/%3E`.replaceAll(' ', '%20').replaceAll('"', '%22');

const day = (number: number) => new Date(Date.UTC(2022, 10, 1 + number * 20, 12)).toISOString();

function version(label: string, publishedAt: string, more: Partial<Version> = {}): Version {
  return { version: label, title: `Title of ${label}`, status: 'published', publishedAt, ...more };
}

const draft = (label: string, more: Partial<Version> = {}): Version => ({
  version: label,
  title: HIDDEN,
  status: 'draft',
  description: HIDDEN,
  changes: [{ type: 'security', text: HIDDEN }],
  ...more,
});

/** More than two pages, over several years, with prereleases, builds and warnings. */
function rocketVersions(base: string): Version[] {
  const labels = Array.from({ length: 36 }, (_, number) => `${Math.floor(number / 10)}.${number % 10}.0`);
  labels.splice(21, 0, '2.1.0-alpha', '2.1.0-rc.1', '2.1.0-rc.2');
  return [
    ...labels.map((label, number) =>
      version(label, day(number), {
        title: number % 3 === 0 ? label : `Faster *launches* <${number}>`,
        description: number % 4 === 0 ? `See [the guide](${base}) & more.\n\n> Quoted` : null,
        yanked: label === '1.7.0',
        changes: [
          { type: number % 2 === 0 ? 'added' : 'fixed', text: `A **change** of ${label}, see \`code\`.` },
          {
            type: 'changed',
            text: `Not ![an image](${base}) but [words](${base}).`,
            breaking: number % 5 === 0,
          },
          { type: 'changed', text: `Twice in ${label}\n\n    with code` },
        ],
        ...(number % 6 === 0 && { links: { compare: `https://git.example/compare/${number}` } }),
      }),
    ),
    version('4.4.0', day(60), { title: '', changes: [] }),
    version('4.4.0+build.7', day(60), { changes: [{ type: 'removed', text: 'The fuse <script>' }] }),
    version('4.5.0', day(61), { description: 'Only words.' }),
    draft('5.0.0'),
    draft('6.0.0', { publishAt: '2999-01-01T00:00:00Z' }),
  ];
}

/** Some cannot be the name of a file, some only where files differ by case, and some mean something else in a URL. */
export const ODD_LABELS = [
  ...[
    'latest',
    'LATEST',
    '2.0.0.json',
    '2.0.0',
    'V1',
    'v1',
    '1',
    '1.0+build',
    'a/b',
    'a b',
    '..',
    '.',
    '.hidden',
  ],
  ...[
    '-1',
    '--',
    'ver_mine',
    'ver_odd3',
    'ver_odd8',
    'index.html',
    'notes.md',
    'Größe',
    '🚀',
    '機能',
    'a%2Fb',
    '100%',
    'a?b=c',
    'a#b',
  ],
  ...[
    'a&b',
    '"quoted"',
    '<b>',
    "it's",
    'a\\b',
    'a:b',
    'CON',
    'x'.repeat(100),
    'y'.repeat(101),
    '機'.repeat(60),
    '+',
    '_',
  ],
];

/** All of one day: their order is that of their ids. */
const ODD_VERSIONS = ODD_LABELS.map((label, number) =>
  version(label, '2025-03-01T00:00:00.000Z', {
    id: `ver_odd${number}`,
    changes: [
      { type: 'deprecated', text: `In ${label}: ${RELATIVE_LINKS.map((link) => `[see](${link})`)}.` },
    ],
  }),
);

const LARGE: Version[] = [
  version('2.0.0', '2025-06-02', {
    changes: Array.from({ length: 3_000 }, (_, number) => ({
      type: 'fixed',
      text: `Fault number ${number}.`,
    })),
  }),
  version('1.0.0', '2025-06-01', { changes: [{ type: 'security', text: 'CVE-2025-12345 is *fixed*.' }] }),
];

const published = (versions: VersionDocument[], more: Partial<Changelog> = {}) => ({
  name: 'What’s *new* & why',
  status: 'published',
  versions,
  ...more,
});

const product = (slug: string, changelog: Changelog | undefined, more: object = {}) => ({
  slug,
  name: `${slug} <name>`,
  status: 'published',
  ...(changelog !== undefined && { changelog }),
  ...more,
});

const hiddenVersion = (id: string) => ({ ...version('1.0.0', '2025-01-01'), id, title: HIDDEN });

function hidden(slug: string, status: string, changelogStatus: string) {
  const changelog = { name: HIDDEN, status: changelogStatus, versions: [hiddenVersion(`ver_${slug}`)] };
  return { slug: `${HIDDEN}-${slug}`, name: HIDDEN, status, changelog };
}

const BASE = 'https://git.example/acme/rocket/';

const ACME = {
  team: { slug: 'acme', name: 'Acme & <Sons>', visibility: 'public', plan: 'paid' },
  products: [
    product(
      'rocket',
      published(rocketVersions('docs/guide.md'), {
        language: 'de-CH',
        description: 'About **Rocket**, see [the guide](docs/guide.md).',
      }),
      {
        links: { home: 'https://rocket.example/', base: BASE },
        logo: LOGO,
        accent: '#ff8800',
      },
    ),
    hidden('locked', 'locked', 'published'),
    hidden('quiet', 'published', 'draft'),
    hidden('still', 'published', 'locked'),
  ],
};

const BETA = {
  team: { slug: 'beta', name: 'Beta', visibility: 'public', plan: 'free' },
  products: [
    product('large', published(LARGE)),
    product('odd', published(ODD_VERSIONS), { logo: 'https://rocket.example/logo.png' }),
    product('empty', published([])),
    product('drafts', published([draft('1.0.0')])),
    product('bare', undefined, { name: HIDDEN }),
    hidden('draft', 'draft', 'published'),
    hidden('shut', 'locked', 'published'),
  ],
};

const VAULT = {
  team: { slug: `${HIDDEN}-vault`, name: HIDDEN, visibility: 'private', plan: 'paid' },
  products: [product('rocket', published([hiddenVersion('ver_vault')]), { name: HIDDEN })],
};

/** Only hidden products. */
const SHY = {
  team: { slug: `${HIDDEN}-shy`, name: HIDDEN, visibility: 'public', plan: 'paid' },
  products: [hidden('only', 'draft', 'published')],
};

export async function fillContent(sandbox: Sandbox): Promise<void> {
  for (const document of [ACME, BETA, VAULT, SHY]) await apply(sandbox, document);
}

export const PUBLIC_PRODUCTS = ['acme/rocket', 'beta/large', 'beta/odd', 'beta/empty', 'beta/drafts'];
