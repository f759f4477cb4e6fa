// Authored Markdown for readers elsewhere (R54): relative links are absolute, reference links have their URL, `#412`, `@name`
// and commit hashes are links, and headings are below those of versions. All the rest stays as written.
import type { HeadRow } from '../../store/read/reads.ts';
import { resolve } from '../html/links/relative-links.ts';
import { referencesIn } from '../html/links/repository-links.ts';
import { createParser } from '../html/parser.ts';

export type LinkTargets = Pick<HeadRow, 'linkBase' | 'repositoryUrl'>;

type Edit = Readonly<{ start: number; end: number; text: string }>;
/** `taken` has a 1 where nothing more can become a link. */
type Env = { source: string; linkBase: string | null; edits: Edit[]; taken: Uint8Array };

const NESTING_MAX = 40;
const HEADING_LEVEL_MIN = 3;
const HEADING_LEVEL_MAX = 6;
/** Very many references to a long URL would take gigabytes. */
const GROWTH_MAX = 20;
const SHORT_CHARACTERS = 10_000;

const withHtml = () => createParser(NESTING_MAX).set({ html: true });
const parser = withHtml();
for (const name of ['escape', 'backticks', 'link', 'image', 'autolink', 'html_inline']) observe(name);

/** Lets the parser say where a rule of its own has found something. */
function observe(name: string): void {
  const { ruler } = withHtml().inline;
  ruler.enableOnly(name);
  const [rule = () => false] = ruler.getRules('');
  parser.inline.ruler.at(name, (state, silent) => {
    const [start, tokensBefore] = [state.pos, state.tokens.length];
    const isFound = rule(state, silent);
    const { source, linkBase, edits, taken } = state.env as Env;
    // The text of an image is parsed on its own.
    if (!isFound || silent || state.src !== source) return isFound;
    taken.fill(1, start, state.pos);
    const type = { link: 'link_open', image: 'image' }[name];
    const link = state.tokens.slice(tokensBefore).find((token) => token.type === type);
    if (link === undefined) return isFound;
    const href = String(link.attrGet(name === 'image' ? 'src' : 'href'));
    const url = (linkBase && resolve(href, linkBase)) ?? href;
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
  const lines = text.split(/\r\n|\r|\n/);
  const env: Env = { source: '', linkBase, edits: [], taken: new Uint8Array() };
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
  const length = written.reduce((sum, line) => sum + (line?.length ?? 0), 0);
  if (length > text.length * GROWTH_MAX + SHORT_CHARACTERS) return text;
  return written.filter((line) => line !== null).join('\n');
}

/** The lines of a paragraph, a heading or a row, with the marks before them. */
function linkInline(source: string, env: Env, repositoryUrl: string | null): string {
  Object.assign(env, { source, edits: [], taken: new Uint8Array(source.length) });
  parser.inline.parse(source, parser, env, []);
  const references = referencesIn(source, repositoryUrl)
    .filter(({ start }) => env.taken[start] === 0)
    .map(({ start, end, url }) => ({ start, end, text: `[${source.slice(start, end)}]${writeTarget(url)}` }));
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
