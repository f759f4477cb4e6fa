import type { Step } from './step.ts';

/** What the pages of a product show besides its content: its site, the base of relative links, its logo, its colour. */
export const PAGES: Step = {
  name: '0009_pages',
  sqlite: [
    `alter table products add column home_url text`,
    `alter table products add column base_url text`,
    `alter table products add column logo text`,
    `alter table products add column accent text`,
    `alter table changelogs add column language text not null default 'en'`,
  ],
  postgres: [
    `alter table products
      add column home_url text collate "C",
      add column base_url text collate "C",
      add column logo text collate "C",
      add column accent text collate "C"`,
    `alter table changelogs add column language text collate "C" not null default 'en'`,
  ],
};
