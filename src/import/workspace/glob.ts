// Globs for folders. A pattern and a path are walked together, and no pair of places in them is visited twice: nothing is
// tried again, as by backtracking, and no alternative is written out.
import { Refusal } from '../../errors.ts';

/** Visits, for all patterns and folders of a monorepo together. */
const STEPS_MAX = 50_000_000;
const LAST_STARS = /(?<![^/{,])\*\*(?=[,}]|$)/g;
const TOKEN = /(?<![^/{,])\*\*\/|\*+|\[[!^]?[^\]/]+\]|[\w.-]*\/|[\w.-]+|./gs;

/** Says whether a folder matches, and whether it or one below it may. */
export type Glob = (folder: string) => Readonly<{ isMatch: boolean; mayLeadTo: boolean }>;
/** A token of the pattern, and a place in the path. */
type Pair = readonly [at: number, place: number];

/** For the patterns of one monorepo, `root`. */
export function globCompiler(root: string, stepsMax = STEPS_MAX): (pattern: string) => Glob {
  let steps = 0;
  return (pattern) => {
    if (/[!?*+@]\(|\\|\{[^{}]*\.\./.test(pattern))
      throw new Refusal(`${root}: the pattern ${pattern} cannot be read; use only *, **, ?, [a-z] and {a,b}`);
    const tokens = /[*?[{]/.test(pattern) ? (pattern.replaceAll(LAST_STARS, '**/*').match(TOKEN) ?? []) : [];
    const jumps = findJumps(tokens);
    return (folder) => {
      const path = `${folder}/`;
      let isMatch = folder === pattern;
      let mayLeadTo = isMatch || pattern.startsWith(path);
      const seen = new Set<number>();
      const waiting: Pair[] = [[0, 0]];
      for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
        if (++steps > stepsMax)
          throw new Refusal(
            `${root} has too many folders for the patterns in its manifests; name its packages more exactly`,
          );
        const [at, place] = pair;
        const key = at * (path.length + 1) + place;
        if (seen.has(key)) continue;
        seen.add(key);
        isMatch ||= at === tokens.length && place === folder.length;
        mayLeadTo ||= isMatch || place === path.length;
        const next = jumps.get(at)?.map((to): Pair => [to, place]);
        waiting.push(...(next ?? stepsFrom(pair, tokens[at], path)));
      }
      return { isMatch, mayLeadTo };
    };
  };
}

/** From `{` to each alternative, and from the end of each to behind `}`. */
function findJumps(tokens: readonly string[]): Map<number, number[]> {
  const jumps = new Map<number, number[]>();
  const open: number[][] = [];
  for (const [at, token] of tokens.entries()) {
    if (token === '{') open.push([at]);
    if (token === ',') open.at(-1)?.push(at);
    const starts = token === '}' ? open.pop() : undefined;
    if (starts === undefined) continue;
    for (const end of [...starts, at]) jumps.set(end, [at + 1]);
    jumps.set(
      starts[0] ?? at,
      starts.map((before) => before + 1),
    );
  }
  return jumps;
}

/** Wildcards match no name that a dot hides. */
function stepsFrom([at, place]: Pair, token: string | undefined, path: string): Pair[] {
  const character = path.charAt(place);
  const isHidden = character === '.' && (path[place - 1] ?? '/') === '/';
  if (token === undefined || character === '' || (isHidden && /^[*?[]/.test(token) && token !== '**/'))
    return [];
  const behind: Pair = [at + 1, place];
  const isName = character !== '/' && !isHidden;
  if (token === '**/') return isName ? [behind, [at, path.indexOf('/', place) + 1]] : [behind];
  if (token.startsWith('*')) return isName ? [behind, [at, place + 1]] : [behind];
  if (token === '?' || /^\[.+\]$/.test(token))
    return isName && isIn(token, character) ? [[at + 1, place + 1]] : [];
  return path.startsWith(token, place) ? [[at + 1, place + token.length]] : [];
}

/** In a set such as `[a-z_]` or `[!a-z_]`. */
function isIn(token: string, character: string): boolean {
  const [, not, set] = /^\[([!^]?)(.*)\]$/s.exec(token) ?? [];
  const ranges = [...(set ?? '').matchAll(/(.)-(.)|./gs)];
  const isListed = ranges.some(([one, from = one, to = one]) => from <= character && character <= to);
  return set === undefined || isListed === (not === '');
}
