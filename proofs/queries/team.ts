// A team whose versions are spread evenly over its products, with drafts and prereleases among them.
import { PUBLISH, TEAM } from '../../bench/data/datasets.ts';

/** SQL for both engines. Versions are an hour apart; every tenth is a draft. */
export function teamStatements(versions: number, products: number): string[] {
  const numbers = (count: number) =>
    `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})`;
  const digits = (number: string, count: number) => `substr(cast(${10 ** count} + ${number} as text), 2)`;
  const day = `(1900 + n / 24 / 336) || '-' || ${digits('n / 24 / 28 % 12 + 1', 2)} || '-' || ${digits('n / 24 % 28 + 1', 2)}`;
  const label = `(n / 10000) || '.' || (n / 100 % 100) || '.' || (n % 100) || case n % 7 when 3 then '-rc.1' else '' end`;
  return [
    `insert into teams (id, slug, name, visibility, plan) values (1, '${TEAM}', 'Bench', 'public', 'paid')`,
    `insert into products (id, team_id, slug, name, status) ${numbers(products)}
       select n, 1, 'product-' || n, 'Product ' || n, 'published' from numbers`,
    `insert into changelogs (id, product_id, name, status) ${numbers(products)}
       select 'cl_' || n, n, 'Changes', 'draft' from numbers`,
    ...[0, 1].map(
      (position) => `insert into changes (id, version_id, position, type, text, breaking) ${numbers(versions)}
       select 'chg_${position}' || ${digits('n', 8)}, 'ver_' || ${digits('n', 8)}, ${position},
         case when n % 5000 = 1 then 'security' else 'added' end, 'The change of version ' || n, 0 from numbers`,
    ),
    `insert into versions (id, changelog_id, label, title, status, published_at, description, yanked, created_order) ${numbers(versions)}
       select 'ver_' || ${digits('n', 8)}, 'cl_' || (n % ${products} + 1), ${label},
         'Always new' || case when n % 50000 = 5 then ' seldom' else '' end,
         case n % 10 when 9 then 'draft' else 'published' end,
         case n % 20 when 19 then null else ${day} || 'T' || ${digits('n % 24', 2)} || ':00:00.000Z' end,
         'What is new in version ' || n || case when n % 40000 = 5 then ' 機能' else '' end, 0, n from numbers`,
    PUBLISH,
  ];
}
