import type { Step } from './step.ts';

/** A separate table, so that remembering options does not change the product. */
export const IMPORT_OPTIONS: Step = {
  name: '0013_import_options',
  sqlite: [
    `create table "import_options" (\
"product_id" integer not null primary key references "products" ("id") on delete cascade on update cascade, \
"options" text not null)`,
    `create trigger import_options_go_with_products after delete on products begin
         delete from import_options where product_id = old.id; end`,
  ],
  postgres: [
    `create table import_options (
      product_id integer not null primary key references products (id) on delete cascade on update cascade,
      options text collate "C" not null)`,
  ],
};
