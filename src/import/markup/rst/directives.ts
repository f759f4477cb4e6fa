// Classifies the explicit markup of reStructuredText: `.. name:: argument`, targets, footnotes and comments.
import { heading, VERSION_LEVEL } from '../levels.ts';

export type Explicit =
  /** Shows nothing: comments, labels, and settings of tools. */
  | Readonly<{ kind: 'nothing' }>
  | Readonly<{ kind: 'line'; text: string }>
  | Readonly<{ kind: 'code'; language: string }>
  /** A text that is part of the block that follows. */
  | Readonly<{ kind: 'quotation' | 'block'; text: string }>
  | Readonly<{ kind: 'anonymous'; url: string }>
  /** A version and a change, in the changelogs of SQLAlchemy's tool. */
  | Readonly<{ kind: 'version' | 'change' }>;

const DIRECTIVE = /^\.\. ([A-Za-z][\w:+.-]*)::(?:\s+(.*))?$/;
const TARGET = /^\.\. _(`[^`]+`|[^:]+):(?:\s+(.*))?$/;
const SUBSTITUTION = /^\.\. \|[^|]+\| replace::/;
const FOOTNOTE = /^\.\. \[([^\]]+)\]\s*(.*)$/;

const CODE =
  /^(?:code|code-block|sourcecode|parsed-literal|prompt|literal|raw|math|csv-table|graphviz|doctest|testcode|testsetup|testoutput|ipython|terminal|console)$/;
const ADMONITION =
  /^(?:note|warning|attention|caution|danger|error|hint|important|tip|seealso|todo|versionadded|versionchanged|versionremoved|deprecated|admonition)$/;
const SETTING =
  /^(?:contents|currentmodule|(?:py:)?(?:current)?module|highlight|default-role|meta|index|class|sectnum|towncrier-draft-entries|tabularcolumns|role|changelog_imports|title|no-index)$/;
const TITLE = /^(?:rubric|topic|sidebar|centered)$/;

export function parseExplicit(text: string): Explicit {
  const [, name, argument = ''] = DIRECTIVE.exec(text) ?? [];
  if (name !== undefined) return directiveOf(name.toLowerCase(), argument.trim(), text);
  if (SUBSTITUTION.test(text)) return { kind: 'nothing' };
  const [, target, url] = TARGET.exec(text) ?? [];
  if (target === '_') return url ? { kind: 'anonymous', url } : { kind: 'nothing' };
  if (target !== undefined)
    return url ? { kind: 'line', text: definitionOf(target, url) } : { kind: 'nothing' };
  const [, footnote, words = ''] = FOOTNOTE.exec(text) ?? [];
  return footnote === undefined ? { kind: 'nothing' } : { kind: 'block', text: `\\[${footnote}\\] ${words}` };
}

function directiveOf(name: string, argument: string, text: string): Explicit {
  if (CODE.test(name)) return { kind: 'code', language: languageOf(name, argument) };
  if (ADMONITION.test(name)) return { kind: 'quotation', text: admonitionOf(name, argument) };
  if (SETTING.test(name)) return { kind: 'nothing' };
  if (TITLE.test(name) && argument !== '') return { kind: 'block', text: `**${argument}**` };
  if (/^(?:image|figure)$/.test(name) && /^https?:\S+$/.test(argument))
    return { kind: 'block', text: `![](${argument})` };
  if (name === 'changelog') return { kind: 'version' };
  if (name === 'release' && argument !== '') return { kind: 'line', text: heading(VERSION_LEVEL, argument) };
  if (name === 'change') return { kind: 'change' };
  // Not understood, so it stays as it is.
  return { kind: 'block', text: `\`\`${text.trim()}\`\`` };
}

function definitionOf(target: string, url: string): string {
  return `[${target.replaceAll('`', '')}]: ${url.replaceAll(/\s/g, '')}`;
}

function languageOf(name: string, argument: string): string {
  const language = /^[\w+#.-]+$/.exec(argument)?.[0];
  return /^(?:code|code-block|sourcecode|prompt|raw)$/.test(name) ? (language ?? '') : '';
}

const VERSION_NOTES: Readonly<Record<string, string>> = {
  versionadded: 'New in version',
  versionchanged: 'Changed in version',
  versionremoved: 'Removed in version',
  deprecated: 'Deprecated since version',
};

function admonitionOf(name: string, argument: string): string {
  const note = VERSION_NOTES[name];
  if (note !== undefined) {
    const [version = '', ...rest] = argument.split(/\s+/);
    return `**${note} ${version}:** ${rest.join(' ')}`.trimEnd();
  }
  if (name === 'admonition') return `**${argument}**`;
  const title = name === 'seealso' ? 'See also' : name.replace(/^./, (first) => first.toUpperCase());
  return `**${title}:** ${argument}`.trimEnd();
}
