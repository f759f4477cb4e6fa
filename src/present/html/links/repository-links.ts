// Links `#412`, `@name` and commit hashes to the product's repository (R62), in HTML written by `token-html.ts`: tags
// are balanced, and neither texts nor values of attributes contain `<` or `>`.
import { PRODUCT_RULES } from '../../../domain/content/appearance.ts';
import type { HeadRow } from '../../../store/read/reads.ts';
import { localeOf } from '../../words/locale.ts';
import { escapeHtml } from '../escape.ts';
import { type Render, thenChange } from '../render.ts';
import { withLinkBase } from './relative-links.ts';

/** Most texts have nothing like a reference: no number or name, nor a digit beside a letter of a hash. */
const MAY_REFER = /[#@][0-9A-Za-z]|\d(?:[a-f]|(?<=[a-f]\d))/;

/** Not inside a word, a path or a character reference. Only cased letters extend a word: Chinese has no spaces. */
const BEFORE = '(?<![\\p{LC}\\p{N}_&#@/.\\-]|&amp;)';
const AFTER_NUMBER = '(?![\\p{LC}\\p{N}_])';
/** A slash follows the scope of a package; a dot and a letter, the name of a file or a host. */
const AFTER_NAME = '(?![\\p{LC}\\p{N}_@/\\-]|\\.[\\p{LC}\\p{N}])';
const REFERENCE = new RegExp(
  [
    // Links and code stay as they are, like all other tags, and URLs in Markdown.
    '<(a|code|pre)[ >].*?</\\1>|<[^>]*>|https?://[^\\s<>]*',
    `${BEFORE}#([1-9]\\d{0,6})${AFTER_NUMBER}`,
    // Names as on GitHub.
    `${BEFORE}@([A-Za-z\\d](?:-?[A-Za-z\\d]){0,38})${AFTER_NAME}`,
    // With a digit and a letter: neither a number nor a word.
    `(?=[a-f]{0,39}\\d)(?=\\d{0,39}[a-f])${BEFORE}([\\da-f]{7,40})${AFTER_NAME}`,
  ].join('|'),
  'gsu',
);

/** A text of nothing but references would grow to hundreds of times its length if the URL is long. */
const GROWTH_MAX = 20;
const SHORT_CHARACTERS = 10_000;
const ADDED_CHARACTERS_MAX = 5_000_000;

type Repository = Pick<HeadRow, 'repositoryUrl' | 'language'>;

/** Where a repository has its issues, people and commits: URLs that the name of one completes. */
type Places = Readonly<{ issues: string; people: string; commits: string }>;

/** All links that depend on the product, for HTML. In text without markup, those to the repository would be noise. */
export function withLinks(render: Render, head: Repository & Pick<HeadRow, 'linkBase'>): Render {
  return withRepositoryLinks(withLinkBase(render, head.linkBase), head);
}

export function withRepositoryLinks(render: Render, head: Repository): Render {
  return thenChange(render, linkerFor(head.repositoryUrl, localeOf(head).direction));
}

/** Null without a repository: texts stay as written. */
export function linkerFor(repositoryUrl: string | null, direction = 'ltr') {
  const places = repositoryUrl === null ? null : placesOf(repositoryUrl);
  // Among words from right to left, `#412` would be shown as `412#`.
  const attributes = `rel="noopener nofollow"${direction === 'rtl' ? ' dir="ltr"' : ''}`;
  return (
    places && ((html: string) => (MAY_REFER.test(html) ? linkReferences(html, places, attributes) : html))
  );
}

function linkReferences(html: string, places: Places, attributes: string): string {
  let left = Math.min(html.length * GROWTH_MAX + SHORT_CHARACTERS, ADDED_CHARACTERS_MAX);
  return html.replaceAll(REFERENCE, (text, _, issue, person, commit) => {
    const target = targetOf(places, issue, person, commit);
    const link = `<a href="${target}" ${attributes}>${text}</a>`;
    left -= target === null ? 0 : link.length;
    return target === null || left < 0 ? text : link;
  });
}

/** Null for what only looks like a reference. */
function targetOf({ issues, people, commits }: Places, issue = '', person = '', commit = ''): string | null {
  if (issue !== '') return issues + issue;
  if (person !== '') return people + person;
  return commit === '' ? null : commits + commit;
}

/** What refers to the repository in Markdown, wherever it is, and where it leads. */
export function referencesIn(text: string, repositoryUrl: string | null) {
  const places = repositoryUrl !== null && MAY_REFER.test(text) ? placesOf(repositoryUrl) : null;
  if (places === null) return [];
  return [...text.matchAll(REFERENCE)].flatMap(({ 0: found, index, 2: issue, 3: person, 4: commit }) => {
    const url = targetOf(places, issue, person, commit);
    return url === null ? [] : [{ start: index, end: index + found.length, url }];
  });
}

/** Checked again: SQL can write anything. */
function placesOf(repositoryUrl: string): Places | null {
  const url = URL.parse(PRODUCT_RULES.repository.read(repositoryUrl) ?? '');
  if (url === null) return null;
  const people = escapeHtml(`${url.origin}/`);
  const repository = escapeHtml(url.href);
  if (url.host.includes('gitlab'))
    return { issues: `${repository}/-/issues/`, people, commits: `${repository}/-/commit/` };
  const commits = url.host.includes('bitbucket') ? 'commits' : 'commit';
  return { issues: `${repository}/issues/`, people, commits: `${repository}/${commits}/` };
}
