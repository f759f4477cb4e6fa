// Reads the strings and the lists of strings of a TOML file, which is all that manifests of packages need.

/** Strings of several lines, strings, comments, line breaks, marks, and everything else. */
const TOKEN =
  /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|\n|[[\]{}=,]|[^\s[\]{}=,#"']+/g;

/** By the whole name of the field, such as `workspace.members`. Other values are left out. */
export function readToml(text: string): ReadonlyMap<string, string | readonly string[]> {
  const values = new Map<string, string | string[]>();
  let table = '';
  for (const statement of splitStatements(text)) {
    if (statement[0] === '[') {
      const name = statement.filter((token) => token !== '[' && token !== ']').map(unquote);
      // A table in a list of tables, such as `[[bin]]`, is none that has one value.
      table = statement[1] === '[' ? '[].' : `${name.join('')}.`;
      continue;
    }
    const at = statement.indexOf('=');
    const name = `${table}${statement.slice(0, at).map(unquote).join('')}`;
    const [first = '', ...rest] = statement.slice(at + 1);
    if (at > 0 && isString(first)) values.set(name, unquote(first));
    else if (at > 0 && first === '[') values.set(name, rest.filter(isString).map(unquote));
  }
  return values;
}

/** A statement ends at the end of a line, unless a bracket is open. */
function* splitStatements(text: string): Generator<string[]> {
  let statement: string[] = [];
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.startsWith('#')) continue;
    if (token === '[' || token === '{') depth++;
    if (token === ']' || token === '}') depth--;
    if (token !== '\n') statement.push(token);
    else if (depth <= 0) {
      if (statement.length > 0) yield statement;
      [statement, depth] = [[], 0];
    }
  }
  if (statement.length > 0) yield statement;
}

const isString = (token: string) => token.startsWith('"') || token.startsWith("'");

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\' };

function unquote(token: string): string {
  if (!isString(token)) return token;
  const marks = /^(?:"""|''')/.test(token) && token.length >= 6 ? 3 : 1;
  const inner = token.slice(marks, -marks);
  if (token.startsWith("'")) return inner;
  return inner.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code?: string, letter = '') =>
    code === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
