// Versions that become public in every way there is, and hidden ones that never do.
import { laterThan } from '../../src/domain/timestamp.ts';
import { ACME, HIDDEN } from '../../support/content/world.ts';
import { runOk, type Sandbox } from '../../support/program/command.ts';
import { PUBLIC_VERSIONS } from './receiver.ts';

/** A database in plain SQL, and a folder for commands that write to it. */
export type Instance = Readonly<{
  sandbox: Sandbox;
  databaseUrl: string;
  execute: (statement: string) => Promise<unknown>;
  query: <T>(statement: string) => Promise<T[]>;
}>;

export const WAYS = ['command', 'schedule', 'apply', 'import', 'SQL', 'team'] as const;
type Way = (typeof WAYS)[number];

const PRODUCT = 'acme/rocket';
const SCHEDULED_MS_MAX = 2_000;
const now = () => new Date().toISOString();

const insertVersion = (
  id: string,
  changelogId: string,
  { status = 'published', title = 'Title', publishAt = null as string | null } = {},
) => `insert into versions (id, changelog_id, label, title, status, published_at, publish_at, yanked, created_order)
  values ('${id}', '${changelogId}', '${id.slice(4)}', '${title}', '${status}',
    ${status === 'draft' ? 'null' : `'${now()}'`}, ${publishAt === null ? 'null' : `'${publishAt}'`}, 0, 1)`;

const PUBLISH: Record<Way, (instance: Instance, number: number) => Promise<unknown>> = {
  command: async ({ sandbox, execute }, number) => {
    await execute(insertVersion(`ver_1.${number}`, 'cl_rocket', { status: 'draft', title: HIDDEN }));
    await execute(`update versions set title = 'Title' where id = 'ver_1.${number}'`);
    await runOk(sandbox, ['version', 'publish', PRODUCT, `1.${number}`]);
  },
  schedule: async ({ execute }, number) => {
    const publishAt = laterThan(now(), Math.random() * SCHEDULED_MS_MAX);
    await execute(insertVersion(`ver_2.${number}`, 'cl_rocket', { status: 'draft', publishAt }));
  },
  apply: async ({ sandbox }, number) => {
    const versions = [{ version: `3.${number}`, title: 'Title', status: 'published' }];
    const [{ changelog, ...product }] = ACME.products as [(typeof ACME.products)[number]];
    const document = { team: ACME.team, products: [{ ...product, changelog: { ...changelog, versions } }] };
    await runOk(sandbox, ['apply', '-'], JSON.stringify(document));
  },
  import: async ({ sandbox }, number) => {
    const section = `## [4.${number}] - ${now().slice(0, 10)}\n\n### Added\n\n- Something.\n`;
    await runOk(sandbox, ['import', 'acme/new', '-'], `# Changelog\n\n${section}`);
  },
  SQL: async ({ execute }, number) => await execute(insertVersion(`ver_5.${number}`, 'cl_rocket')),
  team: async ({ sandbox, execute }, number) => {
    const id = 10_000 + number;
    await execute(
      `insert into teams (id, slug, name, visibility, plan) values (${id}, 'team-${id}', 'T', 'private', 'paid')`,
    );
    await execute(
      `insert into products (id, team_id, slug, name, status) values (${id}, ${id}, 'p', 'P', 'published')`,
    );
    await execute(
      `insert into changelogs (id, product_id, name, status) values ('cl_${id}', ${id}, 'C', 'published')`,
    );
    await execute(insertVersion(`ver_6.${number}`, `cl_${id}`));
    await runOk(sandbox, ['team', 'set', `team-${id}`, '--visibility', 'public']);
  },
};

export type Publications = Readonly<{
  /** Publishes the next version, and changes hidden content around it. */
  publishNext: () => Promise<void>;
  /** All that have become public so far; scheduled ones may be missing. */
  published: () => Promise<string[]>;
}>;

export async function openPublications(instance: Instance): Promise<Publications> {
  const { query, execute } = instance;
  const listPublic = async () => (await query<{ id: string }>(PUBLIC_VERSIONS)).map(({ id }) => id);
  const before = new Set(await listPublic());
  const hidden = await query<{ id: string }>(
    `select c.id from changelogs c join products p on p.id = c.product_id join teams t on t.id = p.team_id
      where t.visibility = 'private' or p.status = 'locked' order by c.id`,
  );
  let count = 0;
  return {
    publishNext: async () => {
      const number = count++;
      await execute(insertVersion(`ver_7.${number}`, 'cl_rocket', { status: 'draft', title: HIDDEN }));
      const changelogId = hidden[number % hidden.length]?.id as string;
      await execute(insertVersion(`ver_8.${number}`, changelogId, { title: HIDDEN }));
      const way = WAYS[number % WAYS.length] as Way;
      await PUBLISH[way](instance, number);
      await execute(
        `update versions set description = '${HIDDEN} ${number}' where id in ('ver_7.${number}', 'ver_8.${number}')`,
      );
    },
    published: async () => (await listPublic()).filter((id) => !before.has(id)),
  };
}
