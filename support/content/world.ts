// A small world that seeds most tests: public content, and hidden content of every kind.
import { provideFilled } from '../databases/engine.ts';
import { apply, createKey, runOk, type Sandbox } from '../program/command.ts';

/** Part of every hidden text, so that a test can assert that none of it appears. */
export const HIDDEN = 'hush-hush';

export const ACME = {
  team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
  products: [
    {
      slug: 'rocket',
      name: 'Rocket',
      status: 'published',
      changelog: {
        id: 'cl_rocket',
        name: 'Rocket changelog',
        status: 'published',
        versions: [
          {
            id: 'ver_300',
            version: '3.0.0',
            title: HIDDEN,
            status: 'draft',
            changes: [{ type: 'added', text: HIDDEN }],
          },
          {
            id: 'ver_210',
            version: '2.1.0',
            title: 'Faster launches',
            status: 'published',
            publishedAt: '2026-05-04T09:00:00.000Z',
            description: 'Optional *Markdown*.',
            changes: [
              { id: 'chg_1', type: 'added', text: 'A countdown, in *Markdown*.' },
              { id: 'chg_2', type: 'removed', text: 'The fuse. <script>alert(1)</script>', breaking: true },
            ],
          },
          {
            id: 'ver_100',
            version: '1.0.0',
            title: 'Lift-off',
            status: 'published',
            publishedAt: '2025-01-01T00:00:00Z',
            yanked: true,
          },
        ],
      },
    },
    hiddenProduct('secret', 'draft', 'published'),
    hiddenProduct('frozen', 'locked', 'published'),
    hiddenProduct('quiet', 'published', 'draft'),
    hiddenProduct('still', 'published', 'locked'),
    { slug: 'bare', name: HIDDEN, status: 'published' },
    { slug: 'new', name: 'New', status: 'published', changelog: { id: 'cl_new', status: 'published' } },
  ],
};

const VAULT = {
  team: { slug: 'vault', name: HIDDEN, visibility: 'private', plan: 'paid' },
  products: [hiddenProduct('rocket', 'published', 'published', 'ver_vault')],
};

function hiddenProduct(slug: string, status: string, changelogStatus: string, versionId = `ver_${slug}`) {
  const versions = [
    {
      id: versionId,
      version: '1.0.0',
      title: HIDDEN,
      status: 'published',
      publishedAt: '2026-01-01',
      changes: [],
    },
  ];
  return { slug, name: HIDDEN, status, changelog: { name: HIDDEN, status: changelogStatus, versions } };
}

export type World = Readonly<{
  full: string;
  select: string;
  disabled: string;
  vault: string;
  fullId: string;
}>;

/** Applies the documents and creates a key of each kind. All new databases get the same keys. */
export async function seedWorld(sandbox: Sandbox): Promise<World> {
  return await provideFilled(sandbox, fillWorld);
}

async function fillWorld(sandbox: Sandbox): Promise<World> {
  await apply(sandbox, ACME);
  await apply(sandbox, VAULT);
  const full = await createKey(sandbox, 'acme', '--kind', 'FULL');
  const select = await createKey(sandbox, 'acme', '--kind', 'SELECT', '--product', 'rocket');
  const disabled = await createKey(sandbox, 'acme', '--kind', 'FULL');
  const vault = await createKey(sandbox, 'vault', '--kind', 'FULL');
  await runOk(sandbox, ['key', 'disable', disabled.id]);
  return { full: full.key, select: select.key, disabled: disabled.key, vault: vault.key, fullId: full.id };
}

export const PUBLIC_FEED = '/api/v1/public/teams/acme/products/rocket/changelog';
export const TEAM_FEED = '/api/v1/teams/acme/products/rocket/changelog';

/** Everything on the public surface that must look nonexistent. */
export const HIDDEN_PATHS = [
  '/teams/vault/products/rocket/changelog',
  '/teams/vault/products/rocket/changelog/versions/ver_vault',
  '/teams/acme/products/secret/changelog',
  '/teams/acme/products/secret/changelog/versions/ver_secret',
  '/teams/acme/products/frozen/changelog',
  '/teams/acme/products/frozen/changelog/versions/ver_frozen',
  '/teams/acme/products/quiet/changelog',
  '/teams/acme/products/quiet/changelog/versions/ver_quiet',
  '/teams/acme/products/still/changelog',
  '/teams/acme/products/bare/changelog',
  '/teams/acme/products/rocket/changelog/versions/ver_300',
  '/teams/acme/products/rocket/changelog/versions/ver_vault',
].map((path) => `/api/v1/public${path}`);
