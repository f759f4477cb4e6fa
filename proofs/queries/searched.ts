// A changelog to search: words that every version has, that some have, and that hardly any has.
import { TEAM } from '../../bench/data/datasets.ts';

export const PRODUCT = 'searched';

const BEGINNINGS = 'pro con de re in ex un over inter sub trans out pre dis en mis super under per com'.split(
  ' ',
);
const ENDINGS =
  'act port form tect vert duce fer tain pose press sist solve tend vise voke late cover load lock mand';
const INFLECTIONS = ['', 's', 'ed', 'ing', 'er', 'able'];
const VOCABULARY = BEGINNINGS.flatMap((beginning) =>
  ENDINGS.split(' ').flatMap((ending) => INFLECTIONS.map((more) => beginning + ending + more)),
);
const SHORT = 'a the of to in is and for now can no be on it'.split(' ');
const SENTENCES = 1_009;

/** Some words are far more frequent than others, as in any language. */
function sentences(): string[] {
  let state = 42;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const shuffled = VOCABULARY.map((word) => ({ word, place: random() })).sort((a, b) => a.place - b.place);
  const wordAt = (index: number) =>
    index % 3 === 1
      ? SHORT[Math.floor(random() * SHORT.length)]
      : shuffled[Math.floor(shuffled.length ** random()) - 1]?.word;
  return Array.from({ length: SENTENCES }, () =>
    Array.from({ length: 8 }, (_, index) => wordAt(index)).join(' '),
  );
}

/** SQL for both engines, with the triggers off. Versions are an hour apart. */
export function searchedStatements(versions: number): string[] {
  const numbers = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${versions})`;
  const digits = (number: string, count: number) => `substr(cast(${10 ** count} + ${number} as text), 2)`;
  const sentence = (factor: number) =>
    `(select text from sentences where id = n % 1000000 * ${factor} % ${SENTENCES})`;
  const day = `(1900 + n / 24 / 336) || '-' || ${digits('n / 24 / 28 % 12 + 1', 2)} || '-' || ${digits('n / 24 % 28 + 1', 2)}`;
  const marked = (every: number, word: string) => `case when n % ${every} = 5 then ' ${word}' else '' end`;
  return [
    'create temp table sentences (id integer primary key, text text)',
    `insert into sentences (id, text) values ${sentences()
      .map((text, id) => `(${id}, '${text}')`)
      .join()}`,
    `insert into teams (id, slug, name, visibility, plan) values (1, '${TEAM}', 'Bench', 'public', 'paid')`,
    `insert into products (id, team_id, slug, name, status) values (1, 1, '${PRODUCT}', 'Searched', 'published')`,
    `insert into changelogs (id, product_id, name, status) values ('cl_searched', 1, 'Searched', 'published')`,
    `insert into versions (id, changelog_id, label, title, status, published_at, description, yanked, created_order) ${numbers}
       select 'ver_' || ${digits('n', 8)}, 'cl_searched', (n / 10000) || '.' || (n / 100 % 100) || '.' || (n % 100),
         'Always new' || ${marked(10, 'tenth')} || ${marked(100, 'hundredth')} || ${marked(50_000, 'seldom ox')},
         'published', ${day} || 'T' || ${digits('n % 24', 2)} || ':00:00.000Z', ${sentence(7)}, 0, n from numbers`,
    ...[0, 1].map(
      (position) => `insert into changes (id, version_id, position, type, text, breaking) ${numbers}
       select 'chg_${position}' || ${digits('n', 8)}, 'ver_' || ${digits('n', 8)}, ${position},
         case when n % 5000 = 0 then 'security' else 'added' end, ${sentence(13 + position)} || ' (#' || n || ')', 0 from numbers`,
    ),
    'drop table sentences',
    'insert into touches (team_id, product_id, revision) values (1, 0, 2), (1, 1, 2)',
    'update revision set value = 2',
  ];
}
