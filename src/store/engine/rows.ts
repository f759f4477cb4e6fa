// What the queries of the commands share.
import { type Selectable, sql } from 'kysely';
import type { Reader, Writer } from './engine.ts';
import type { Tables } from './schema.ts';

export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;

export const PRODUCTS = sql`teams t join products p on p.team_id = t.id`;
export const CHANGELOGS = sql`${PRODUCTS} join changelogs c on c.product_id = p.id`;
export const VERSIONS = sql`${CHANGELOGS} join versions v on v.changelog_id = c.id`;

export const isAt = ({ team, product }: Readonly<Record<'team' | 'product', string>>) =>
  sql`t.slug = ${team} and p.slug = ${product}`;

/** The rows of a query, which is a template: `rowsOf<Row>(db)`select …``. */
export const rowsOf =
  <T>(db: Reader | Writer) =>
  async (text: TemplateStringsArray, ...values: unknown[]): Promise<T[]> =>
    (await sql<T>(text, ...values).execute(db as Writer)).rows;
