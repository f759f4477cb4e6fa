// Inline markup of reStructuredText: literals, roles, links, references and substitutions. The text of a paragraph is
// converted as a whole, because a link may go over two lines; the number of lines stays the same.
import { code, escapeTags, INLINE_CHARACTERS_MAX, link, outsideCode } from '../inline.ts';
import type { Survey } from '../survey.ts';

export class RstInline {
  readonly #targets: Survey['targets'];
  readonly #substitutions: Survey['substitutions'];
  /** Anonymous links and their targets belong together in the order of the text. */
  #anonymousLinks = 0;
  #anonymousTargets = 0;

  constructor({ targets, substitutions }: Pick<Survey, 'targets' | 'substitutions'>) {
    this.#targets = targets;
    this.#substitutions = substitutions;
  }

  convert(text: string): string {
    if (text.length > INLINE_CHARACTERS_MAX) return text;
    const replaced = text.replaceAll(INTERPRETED, (whole, literal, role, inner, end, at) =>
      literal === undefined
        ? withLinesOf(whole, this.#interpret(whole, role, inner, end ?? ''), at)
        : literalOf(whole, literal),
    );
    return outsideCode(replaced, (part) => this.#convertPlain(part));
  }

  defineAnonymous(url: string): string {
    this.#anonymousTargets++;
    return `[anonymous-${this.#anonymousTargets}]: ${url}`;
  }

  #interpret(whole: string, role: string | undefined, inner: string, end: string): string {
    if (role !== undefined) return roleOf(role, inner);
    if (end === '') return whole;
    const [, text = inner, url] = EMBEDDED.exec(inner) ?? [];
    if (url !== undefined) return link(text.trim() || url, withoutBlanks(url));
    if (end === '__') {
      this.#anonymousLinks++;
      return `[${inner}][anonymous-${this.#anonymousLinks}]`;
    }
    return this.#isTarget(inner) ? `[${inner}]` : inner;
  }

  #convertPlain(text: string): string {
    const named = text
      .replaceAll(SUBSTITUTION, (whole, name) => this.#substitutions.get(name) ?? whole)
      .replaceAll(NAMED, (whole, name) => (this.#isTarget(name) ? `[${name}]` : whole))
      .replaceAll(FOOTNOTE, '[$1]')
      .replaceAll(/\\\s/g, (blank) => (blank === '\\\n' ? '\n' : ''));
    return escapeTags(named)
      .replaceAll(LONE_UNDERSCORES, (marks) => marks.replaceAll('_', '\\_'))
      .replaceAll(/^#(?=#{0,5}\s)/gm, '\\#');
  }

  #isTarget(name: string): boolean {
    return this.#targets.has(name.replaceAll(/\s+/g, ' ').trim().toLowerCase());
  }
}

/** ``literal``, :role:`text`, `text`, `text`_ and `text`__ */
const INTERPRETED =
  /(?<!`)``([^\s`](?:[^`]|`(?!`)){0,1000}?)``(?!`)|(?<![\w`])(?::([A-Za-z][\w:+.-]{0,60}):)?`(?!`)([^`\n]{1,500}(?:\n[^`\n]{1,500}){0,4})`(?!`)(__?(?![\w`]))?/g;
const EMBEDDED = /^((?:[^<]|<(?=\s)){0,800})<([^<>]{1,1000})>$/;
const SUBSTITUTION = /\|([^|\s][^|\n]{0,100})\|_?/g;
const NAMED = /(?<![\w:`/.\\])([A-Za-z0-9][\w.+-]{0,100}?)_(?![\w`])/g;
const FOOTNOTE = /\[([#*]?[\w.-]{0,60})\]_(?!\w)/g;
/** In reStructuredText only stars mark emphasis. */
const LONE_UNDERSCORES = /(?<![\w\\])_+(?=\w)|(?<=\w)_+(?![\w\]])/g;

/** With as many lines as before. */
function withLinesOf(before: string, after: string, at: number): string {
  const missing = before.split('\n').length - after.split('\n').length;
  if (missing <= 0) return after;
  return at === 0 ? after + '\n'.repeat(missing) : '\n'.repeat(missing) + after;
}

function literalOf(whole: string, literal: string): string {
  return literal.includes('`') || literal.includes('\n') ? whole : code(literal);
}

const CODE_ROLE =
  /^(?:(?:py|c|cpp|js|rst|std|sphinx):)?(?:class|func|function|meth|method|mod|attr|exc|data|obj|const|type|macro|member|option|envvar|file|command|program|code|literal|confval|fixture|hook|setting|keyword|kbd|samp|paramref|makevar|mimetype|token|sig|dir|source)$/i;
const NUMBER_ROLE = /^(?:issue|pr|pull|pull-request|gh|ghissue|ghpull|ghpr|ticket|bug|bpo|gh-issue|mr)$/i;
const PREFIXES: Readonly<Record<string, string>> = { user: '@', pep: 'PEP ', rfc: 'RFC ', ghuser: '@' };

const OTHER_ROLE =
  /^(?:strong|emphasis|sub|sup|ref|numref|doc|any|term|abbr|cve|cwe|title|title-reference)$/i;

export const isKnownRole = (name: string): boolean =>
  [CODE_ROLE, NUMBER_ROLE, OTHER_ROLE].some((known) => known.test(name)) || name.toLowerCase() in PREFIXES;

/** The text that a role shows. */
export function roleOf(role: string, inner: string): string {
  const name = role.toLowerCase();
  const [, title, target] = EMBEDDED.exec(inner) ?? [];
  if (title?.trim() && target !== undefined) {
    const url = withoutBlanks(target);
    return CODE_ROLE.test(name) ? codeOf(title.trimEnd()) : link(title.trimEnd(), url);
  }
  if (CODE_ROLE.test(name))
    return codeOf(inner.startsWith('~') ? lastPart(inner) : inner.replace(/^[!.]/, ''));
  if (NUMBER_ROLE.test(name)) return /^\d/.test(inner) ? `#${inner}` : inner;
  if (name === 'strong') return `**${inner}**`;
  if (name === 'emphasis') return `*${inner}*`;
  return `${PREFIXES[name] ?? ''}${inner.replace(/^[~!]/, '')}`;
}

function codeOf(text: string): string {
  return text.includes('\n') ? `\`${text}\`` : code(text);
}

/** `~a.b.c` shows `c`. */
function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).replace(/^~/, '');
}

function withoutBlanks(url: string): string {
  return url.replaceAll(/\s/g, '');
}
