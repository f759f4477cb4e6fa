// The seventh schema step: a product's own domain (R60), in the form in which requests name it: lower case, ASCII.

const FORM = `length(domain) <= 253 and domain like '%_._%'
    and trim(domain, 'abcdefghijklmnopqrstuvwxyz0123456789-.') = '' and trim(domain, '0123456789.') <> ''
    and '.' || domain || '.' not like '%..%' and '.' || domain || '.' not like '%.-%'
    and '.' || domain || '.' not like '%-.%'`;

const columns = (text: string) => [
  `alter table products add column domain ${text} constraint products_domain_form check (${FORM})`,
  'create unique index products_domain on products (domain) where domain is not null',
];

/** With `or replace`, SQLite would delete the product that has the domain. */
const keepsDomain = (event: string, of: string, others: string) =>
  `create trigger products_domain_kept_on_${event} before ${event} ${of} on products
  when exists (select 1 from products where domain = new.domain and id <> new.id
    and (team_id, slug) is not (new.team_id, new.slug) ${others})
  begin select raise(abort, 'UNIQUE constraint failed: products.domain'); end`;

export const SQLITE: readonly string[] = [
  ...columns('text'),
  keepsDomain('insert', '', ''),
  keepsDomain('update', 'of domain', 'and id <> old.id'),
];

export const POSTGRES: readonly string[] = columns('text collate "C"');
