// Recognises texts that are not changelogs, for an error that says what to do instead.

type TextKind = Readonly<{ name: string; advice: string }>;

const convert = (from: string) => `convert it to Markdown: pandoc -f ${from} -t gfm FILE -o CHANGELOG.md`;
const WRITE = 'write a heading such as `## 1.2.0 - 2026-05-04` for each version';
const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';

/** The first that matches counts. */
const KINDS: readonly (readonly [RegExp, string, string])[] = [
  [
    /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype html|html|head|body|h[1-6]|div)\b/i,
    'HTML',
    convert('html'),
  ],
  [/^\s*(?:<\?xml[\s\S]{0,2000}?)?<(?:rss|feed)\b/i, 'a feed', 'pass the changelog that it was made from'],
  [/^\s*<\?xml\b/i, 'XML', 'pass the changelog as Markdown'],
  [/^[a-z0-9][\w+.-]* \([^()\s]+\) [\w -]+; ?urgency=/im, 'a Debian changelog', WRITE],
  [new RegExp(`^%changelog\\s|^\\* ${DAY} \\w{3} +\\d{1,2} \\d{4} \\S`, 'm'), 'an RPM changelog', WRITE],
  [
    /^\d{4}-\d\d-\d\d {1,2}\S[^\n<]{0,100}<[^\s<>]+@[^\s<>]+>\s*$/m,
    'a ChangeLog of commits, as GNU projects keep it',
    'pass their NEWS, which has versions',
  ],
  [/^commit [0-9a-f]{7,40}\b|^[0-9a-f]{7,40} \S[^\n]*\n[0-9a-f]{7,40} \S/m, 'output of `git log`', WRITE],
  [/^(?:diff --git |--- \S[^\n]*\n\+\+\+ )/m, 'a patch', 'pass the changelog itself'],
  [/^#\+(?:title|author|options|startup):/im, 'Org', convert('org')],
  [/^h[1-6]\. \S/m, 'Textile', convert('textile')],
  [/^\\documentclass\b|^\\begin\{\w+\}/m, 'LaTeX', convert('latex')],
  [/^\.(?:TH|Dd|SH) /m, 'a manual page', convert('man')],
  [/^={2,5} ?[^\s=][^\n=]{0,200}[^\s=] ?={2,5}\s*$/m, 'MediaWiki', convert('mediawiki')],
];

export function recogniseText(file: string, head: string): TextKind | null {
  const [, name, advice] = KINDS.find(([pattern]) => pattern.test(head)) ?? [];
  if (name !== undefined && advice !== undefined) return { name, advice };
  if (isJson(head))
    return {
      name: 'JSON of another kind',
      advice: 'pass releases of GitHub or GitLab, or the changelog as Markdown',
    };
  if (isTable(file, head)) return { name: 'a table (CSV)', advice: WRITE };
  if (/^\[[\w.-]+\]\s*$/m.test(head) && /^[\w-]+ *= *\S/m.test(head))
    return { name: 'TOML', advice: 'pass the changelog as Markdown' };
  if (isYaml(file, head)) return { name: 'YAML', advice: 'pass the changelog as Markdown' };
  return null;
}

function isJson(head: string): boolean {
  if (!/^\s*[[{]/.test(head)) return false;
  try {
    JSON.parse(head);
    return true;
  } catch {
    return /^\s*[[{]\s*(?:"[^"\n]*"\s*[:,]|\{|-?\d+\s*,)/.test(head);
  }
}

const ROWS = 3;

/** The first lines have the same number of separators. */
function isTable(file: string, head: string): boolean {
  if (/\.(?:csv|tsv)$/i.test(file)) return true;
  const rows = head.split(/\r?\n/, ROWS);
  return [',', ';', '\t'].some((separator) => {
    const counts = rows.map((row) => row.split(separator).length);
    return rows.length === ROWS && (counts[0] ?? 0) > 2 && counts.every((count) => count === counts[0]);
  });
}

const YAML_LINE = /^\s*(?:- )*["']?[\w$. /-]+["']?:(?:\s|$)|^\s*- \S|^---|^\s*$/;

function isYaml(file: string, head: string): boolean {
  if (/\.ya?ml$/i.test(file)) return true;
  const lines = head.split('\n').filter((line) => !/^\s*(?:#.*)?$/.test(line));
  const hasFields = /^["']?[\w$-]+["']?:(?:\s|$)/.test(lines.find((line) => !line.startsWith('---')) ?? '');
  return hasFields && lines.filter((line) => YAML_LINE.test(line)).length > lines.length * 0.8;
}
