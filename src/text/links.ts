// Links of a text that depend on its product: relative ones (R43), and `#412`, `@name` and commit hashes (R62).
import { PRODUCT_RULES } from '../domain/content/appearance.ts';
import {
  cutOut,
  isAbsolute,
  isElement,
  mapElements,
  type Node,
  resolve,
  type Tree,
  textsIn,
} from './tree.ts';

export type LinkTargets = Readonly<{
  /** For relative links, which otherwise stay as written. */
  linkBase: string | null;
  repositoryUrl: string | null;
}>;

/** Most texts have nothing like a reference: no number or name, nor a digit beside a letter of a hash. */
const MAY_REFER = /[#@][0-9A-Za-z]|\d(?:[a-f]|(?<=[a-f]\d))/;

/** Not inside a word or a path. Only cased letters extend a word: Chinese has no spaces. */
const BEFORE = '(?<![\\p{LC}\\p{N}_&#@/.\\-])';
const AFTER_NUMBER = '(?![\\p{LC}\\p{N}_])';
/** A slash follows the scope of a package; a dot and a letter, the name of a file or a host. */
const AFTER_NAME = '(?![\\p{LC}\\p{N}_@/\\-]|\\.[\\p{LC}\\p{N}])';
const REFERENCE = new RegExp(
  [
    'https?://[^\\s<>]*',
    `${BEFORE}#([1-9]\\d{0,6})${AFTER_NUMBER}`,
    // Names as on GitHub.
    `${BEFORE}@([A-Za-z\\d](?:-?[A-Za-z\\d]){0,38})${AFTER_NAME}`,
    // With a digit and a letter: neither a number nor a word.
    `(?=[a-f]{0,39}\\d)(?=\\d{0,39}[a-f])${BEFORE}([\\da-f]{7,40})${AFTER_NAME}`,
  ].join('|'),
  'gu',
);

/** Where a repository has its issues, people and commits: URLs that the name of one completes. */
type Places = Readonly<{ issues: string; people: string; commits: string }>;

/** A text of nothing but references or links would take hundreds of times its size; it stays as written. */
const ADDED_CHARACTERS_MAX = 200_000;

export function linkTree(tree: Tree, { linkBase, repositoryUrl }: LinkTargets): Tree {
  const places = placesFor(tree.source, repositoryUrl);
  if (linkBase === null && places === null) return tree;
  let left = ADDED_CHARACTERS_MAX;
  const link = (nodes: readonly Node[], isPlain: boolean): Node[] => {
    if (left < 0) return [];
    return nodes.flatMap((node): Node[] => {
      if (!isElement(node)) return isPlain || places === null ? [node] : linkReferences(node, places);
      const isInside = isPlain || node.tag === 'a' || node.tag === 'code' || node.tag === 'pre';
      const { href, src } = node.attributes;
      const target = href ?? src;
      const url = linkBase === null || target === undefined ? null : resolve(target, linkBase);
      const children = link(node.children, isInside);
      if (url === null) return [{ ...node, children }];
      left -= url.length;
      return [
        { ...node, attributes: { ...node.attributes, [href === undefined ? 'src' : 'href']: url }, children },
      ];
    });
  };
  const linkReferences = (text: string, at: Places): Node[] => {
    const references = findReferences(text, at);
    for (const { url } of references) left -= url.length;
    return cutOut(text, references, (name, { url: href }) => ({
      tag: 'a',
      attributes: { href },
      children: [name],
    }));
  };
  const linked = link(tree.nodes, false);
  return left < 0 ? tree : { ...tree, nodes: linked };
}

/** Leaves only the text of relative links: where there is no server for them, they lead nowhere. */
export function withoutRelativeLinks(tree: Tree): Tree {
  const nodes = mapElements(tree.nodes, (element) => {
    const { href, src, alt = '' } = element.attributes;
    if (src !== undefined && !isAbsolute(src)) return [alt];
    return href !== undefined && !isAbsolute(href) ? element.children : [element];
  });
  return { ...tree, nodes };
}

/** Among words from right to left, `#412` would be shown as `412#`, and code in a wrong order. */
export function keepDirection(tree: Tree): Tree {
  const nodes = mapElements(tree.nodes, (element) => {
    const { tag, attributes, children } = element;
    const isKept = tag === 'code' || (tag === 'a' && IS_REFERENCE.test(textsIn(children).join('')));
    return [isKept ? { ...element, attributes: { ...attributes, dir: 'ltr' } } : element];
  });
  return { ...tree, nodes };
}

/** `#412`, `@name` or a URL. */
const IS_REFERENCE = /^(?:[#@]|https?:)\S*$/;

/** What refers to the repository in Markdown, wherever it is, and where it leads. */
export function referencesIn(text: string, repositoryUrl: string | null) {
  const places = placesFor(text, repositoryUrl);
  return places === null ? [] : findReferences(text, places);
}

function findReferences(text: string, { issues, people, commits }: Places) {
  return [...text.matchAll(REFERENCE)].flatMap(({ 0: found, index, 1: issue, 2: person, 3: commit }) => {
    const url =
      issue !== undefined
        ? issues + issue
        : person !== undefined
          ? people + person
          : commit && commits + commit;
    return url === undefined ? [] : [{ start: index, end: index + found.length, url }];
  });
}

function placesFor(text: string, repositoryUrl: string | null): Places | null {
  if (repositoryUrl === null || !MAY_REFER.test(text)) return null;
  // Checked again: SQL can write anything.
  const url = URL.parse(PRODUCT_RULES.repository.read(repositoryUrl) ?? '');
  if (url === null) return null;
  const people = `${url.origin}/`;
  if (url.host.includes('gitlab'))
    return { issues: `${url.href}/-/issues/`, people, commits: `${url.href}/-/commit/` };
  const commits = url.host.includes('bitbucket') ? 'commits' : 'commit';
  return { issues: `${url.href}/issues/`, people, commits: `${url.href}/${commits}/` };
}
