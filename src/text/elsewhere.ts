// Authored Markdown for readers elsewhere (R54): relative links are absolute, reference links have their URL, `#412`, `@name`
// and commit hashes are links, and headings are below those of versions. All the rest stays as written.
import { type LinkTargets, referencesIn } from './links.ts';
import { createParser, isTooComplex } from './markdown-it.ts';
import { resolve } from './tree.ts';

type Edit = Readonly<{ start: number; end: number; text: string }>;
/** `taken` has a 1 where nothing more can become a link. */
type Env = { source: string; linkBase: string | null; edits: Edit[]; taken: Uint8Array; left: number };

const HEADING_LEVEL_MIN = 3;
const HEADING_LEVEL_MAX = 6;
/** Very many references to a long URL would take gigabytes; such a text stays as written. */
const ADDED_CHARACTERS_MAX = 200_000;

const parser = createParser();
for (const name of ['escape', 'backticks', 'link', 'image', 'autolink', 'html_inline']) observe(name);

/** Lets the parser say where a rule of its own has found something. */
function observe(name: string): void {
  const { ruler } = createParser().inline;
  ruler.enableOnly(name);
  const [rule = () => false] = ruler.getRules('');
  parser.inline.ruler.at(name, (state, silent) => {
    const [start, tokensBefore] = [state.pos, state.tokens.length];
    const isFound = rule(state, silent);
    const env = state.env as Env;
    const { source, linkBase, edits, taken } = env;
    // The text of an image is parsed on its own.
    if (!isFound || silent || state.src !== source || env.left < 0) return isFound;
    taken.fill(1, start, state.pos);
    const type = { link: 'link_open', image: 'image' }[name];
    const link = state.tokens.slice(tokensBefore).find((token) => token.type === type);
    if (link === undefined) return isFound;
    const href = String(link.attrGet(name === 'image' ? 'src' : 'href'));
    const url = (linkBase && resolve(href, linkBase)) ?? href;
    env.left -= url.length;
    const labelEnd = state.md.helpers.parseLinkLabel(state, name === 'image' ? start + 1 : start);
    if (url !== href || state.src[labelEnd + 1] !== '(')
      edits.push({
        start: labelEnd + 1,
        end: state.pos,
        text: writeTarget(url, String(link.attrGet('title') ?? '')),
      });
    return isFound;
  });
}

export function writeForElsewhere(text: string, { linkBase, repositoryUrl }: LinkTargets): string {
  if (isTooComplex(text)) return text;
  const lines = text.split(/\r\n|\r|\n/);
  const env: Env = { source: '', linkBase, edits: [], taken: new Uint8Array(), left: ADDED_CHARACTERS_MAX };
  const tokens: ReturnType<typeof parser.parse> = [];
  parser.block.parse(lines.join('\n'), parser, env, tokens);
  const levels = tokens.flatMap(({ type, tag }) => (type === 'heading_open' ? [Number(tag[1])] : []));
  const deeper = Math.max(0, HEADING_LEVEL_MIN - Math.min(...levels));
  const written: (string | null)[] = [...lines];
  for (const [index, { type, map, level, content }] of tokens.entries()) {
    const [first = 0, end = 0] = map ?? [];
    // All that refers to a definition has its URL.
    if (type === 'reference_definition' && level === 0) written.fill(null, first, end);
    if (map === null || (type !== 'inline' && type !== 'tr_open')) continue;
    const linked = linkInline(lines.slice(first, end).join('\n'), env, repositoryUrl);
    const { type: around, tag = '', markup = '' } = tokens[index - 1] ?? {};
    const mark = '#'.repeat(Math.min(Number(tag[1]) + deeper, HEADING_LEVEL_MAX));
    written.fill(null, first, end);
    if (around !== 'heading_open' || deeper === 0) written[first] = linked;
    else if (markup.startsWith('#')) written[first] = linked.replace(/#+/, mark);
    else {
      // Underlined, with one line or several.
      const at = (lines[first] as string).indexOf(content.split('\n', 1)[0] as string);
      const title = linked.slice(at).replaceAll(/[ \t]*\n[ \t>]*/g, ' ');
      written[first] = `${linked.slice(0, at)}${mark} ${title.replace(/#\s*$/, '\\#')}`;
      written[end] = null;
    }
  }
  return env.left < 0 ? text : written.filter((line) => line !== null).join('\n');
}

/** Links and code in raw HTML, of a length that people write. */
const PLAIN_HTML = /<(a|code|pre)\b[^>]{0,1000}>[\s\S]{0,1000}?<\/\1\s*>/gi;

/** The lines of a paragraph, a heading or a row, with the marks before them. */
function linkInline(source: string, env: Env, repositoryUrl: string | null): string {
  Object.assign(env, { source, edits: [], taken: new Uint8Array(source.length) });
  parser.inline.parse(source, parser, env, []);
  for (const { 0: piece, index } of source.matchAll(PLAIN_HTML))
    env.taken.fill(1, index, index + piece.length);
  const references = referencesIn(source, repositoryUrl)
    .filter(({ start }) => env.taken[start] === 0)
    .map(({ start, end, url }) => ({ start, end, text: `[${source.slice(start, end)}]${writeTarget(url)}` }));
  env.left -= references.reduce((sum, { text }) => sum + text.length, 0);
  const edits = [...env.edits, ...references].sort((one, other) => one.start - other.start);
  let [out, at] = ['', 0];
  for (const { start, end, text } of edits) {
    out += source.slice(at, start) + text;
    at = end;
  }
  return out + source.slice(at);
}

function writeTarget(url: string, title = ''): string {
  const target = url.replaceAll(/&(?=#?\w+;)/g, '&amp;');
  return `(${/^[^()]+$/.test(target) ? target : `<${target}>`}${title ? ` "${title.replaceAll(/["\\&]/g, '\\$&')}"` : ''})`;
}
