// Which folders may import which. docs/architecture.md has the same rules as a diagram.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

const ROOT = path.resolve(import.meta.dirname, '..');
const FILES = globSync('src/**/*.ts', { cwd: ROOT }).sort();
/** Lines of TypeScript that rooms may have together. A commit that raises one says why. */
const LINES_MAX: readonly (readonly [rooms: readonly string[], lines: number])[] = [
  [['domain'], 2_250],
  [['content'], 1_000],
  [['import'], 8_695],
  [['check'], 1_050],
  [['store'], 7_310],
  [['present', 'text', 'reference'], 6_900],
  [['http'], 5_600],
  [['hooks'], 1_700],
  [['serve'], 1_100],
  [['site'], 850],
  [['mcp'], 750],
  [['cli'], 4_800],
  [[], 880],
];

const STORE_FOR_SERVERS = ['src/store/read/', 'src/store/source/', 'src/store/engine/'];
/** What each folder may import besides itself, by the start of the path. */
const ARROWS: Record<string, readonly string[]> = {
  'src/main.ts': ['src/cli/', 'src/root.ts'],
  'src/config.ts': ['src/setting-parsers.ts', 'src/domain/', 'src/dot-env.ts', 'src/errors.ts'],
  'src/setting-parsers.ts': ['src/domain/'],
  'src/unknown-settings.ts': [
    'src/config.ts',
    'src/dot-env.ts',
    'src/domain/',
    'src/errors.ts',
    'src/command-name.ts',
  ],
  'src/dot-env.ts': ['src/errors.ts'],
  'src/command-name.ts': [],
  'src/errors.ts': [],
  'src/make-folder.ts': [],
  'src/timeout.ts': [],
  'src/text-file.ts': ['src/errors.ts'],
  'src/event-loop.ts': [],
  'src/root.ts': [],
  'src/domain/': [],
  'src/content/': ['src/domain/', 'src/errors.ts', 'src/command-name.ts'],
  'src/import/': [
    'src/content/',
    'src/domain/',
    'src/errors.ts',
    'src/command-name.ts',
    'src/make-folder.ts',
    'locales/',
  ],
  'src/check/': ['src/import/', 'src/text/', 'src/content/', 'src/errors.ts'],
  'src/store/engine/': ['src/store/sqlite/', 'src/store/postgres/', 'src/domain/', 'src/errors.ts'],
  'src/store/sqlite/': [
    'src/store/engine/',
    'src/domain/',
    'src/errors.ts',
    'src/command-name.ts',
    'src/make-folder.ts',
  ],
  'src/store/postgres/': ['src/store/engine/', 'src/domain/', 'src/errors.ts'],
  'src/store/migrate/': ['src/store/engine/', 'src/errors.ts', 'src/command-name.ts'],
  'src/store/read/': ['src/event-loop.ts', 'src/store/engine/', 'src/domain/', 'src/errors.ts'],
  'src/store/source/': [
    'src/store/read/',
    'src/store/migrate/',
    'src/store/engine/',
    'src/domain/',
    'src/errors.ts',
    'src/timeout.ts',
  ],
  'src/store/catalogue/': [
    'src/store/read/',
    'src/store/engine/',
    'src/domain/',
    'src/errors.ts',
    'src/command-name.ts',
  ],
  'src/store/write/': [
    'src/store/catalogue/',
    'src/store/read/',
    'src/store/engine/',
    'src/domain/',
    'src/errors.ts',
    'src/command-name.ts',
  ],
  'src/hooks/store/': ['src/store/read/', 'src/store/engine/', 'src/domain/'],
  'src/store/copy/': [
    'src/store/engine/',
    'src/domain/',
    'src/errors.ts',
    'src/command-name.ts',
    'src/event-loop.ts',
  ],
  'src/store/import/': [
    'src/store/write/',
    'src/store/catalogue/',
    'src/store/read/',
    'src/store/engine/',
    'src/domain/',
    'src/errors.ts',
    'src/command-name.ts',
  ],
  'src/text/': ['src/domain/', 'src/event-loop.ts'],
  'src/present/': [
    'src/text/',
    'src/domain/',
    'src/store/read/',
    'src/errors.ts',
    'src/event-loop.ts',
    'src/root.ts',
    'client/records.d.ts',
    'locales/',
  ],
  'src/reference/': ['src/present/', 'src/text/', 'src/domain/', 'src/store/read/'],
  'src/http/': [
    ...STORE_FOR_SERVERS,
    'src/text/',
    'src/hooks/cache-tags.ts',
    'src/reference/',
    'src/present/',
    'src/domain/',
    'src/config.ts',
    'src/errors.ts',
    'src/root.ts',
    'src/timeout.ts',
    'src/event-loop.ts',
  ],
  'src/site/': [
    ...STORE_FOR_SERVERS,
    'src/text/',
    'src/present/',
    'src/import/',
    'src/domain/',
    'src/errors.ts',
    'src/make-folder.ts',
    'src/event-loop.ts',
  ],
  'src/mcp/': ['client/', 'src/domain/', 'src/config.ts', 'src/errors.ts'],
  'src/hooks/': [
    ...STORE_FOR_SERVERS,
    'src/text/',
    'src/present/',
    'src/content/',
    'src/domain/',
    'src/config.ts',
    'src/errors.ts',
    'src/command-name.ts',
    'src/root.ts',
    'src/text-file.ts',
  ],
  'src/serve/': [
    ...STORE_FOR_SERVERS,
    'src/text/',
    'src/hooks/',
    'src/http/',
    'src/store/write/publish-due.ts',
    'src/present/',
    'src/domain/',
    'src/config.ts',
    'src/errors.ts',
    'src/command-name.ts',
    'src/text-file.ts',
  ],
  'src/cli/': [
    'src/hooks/',
    'src/text/',
    'src/serve/',
    'src/http/',
    'src/content/',
    'src/import/',
    'src/check/',
    'src/mcp/',
    'src/site/',
    'src/present/',
    'src/store/',
    'src/domain/',
    'src/config.ts',
    'src/setting-parsers.ts',
    'src/dot-env.ts',
    'src/unknown-settings.ts',
    'src/errors.ts',
    'src/command-name.ts',
    'src/make-folder.ts',
    'src/root.ts',
  ],
};

/** The same for the other top folders. Tests may import all of them. */
const ARROWS_BESIDE: Record<string, readonly string[]> = {
  'scripts/': ['scripts/', 'cluster/', 'src/'],
  'cluster/': ['cluster/', 'src/'],
  'support/': ['support/', 'cluster/', 'src/'],
  'proofs/': ['proofs/', 'support/', 'cluster/', 'src/', 'bench/data/'],
  'bench/': ['bench/', 'support/', 'cluster/', 'src/'],
};

describe('imports', () => {
  it('this test finds imports in every syntax', () => {
    const text = [
      "import { a } from './a.ts';",
      "import type { B } from '../b.ts';",
      'import {',
      '  type C,',
      '  type D,',
      "} from './c.ts';",
      "import e, { type F } from './e.ts';",
      "export { g } from './g.ts';",
      "import './h.ts';",
      "const { i } = await import('./i.ts');",
      "// import('./j.ts') in a comment is none",
    ].join('\n');
    assert.deepEqual(
      importsIn(text).map(({ target, typesOnly }) => [target, typesOnly]),
      [
        ['./a.ts', false],
        ['../b.ts', true],
        ['./c.ts', true],
        ['./e.ts', false],
        ['./g.ts', false],
        ['./h.ts', false],
        ['./i.ts', false],
      ],
    );
  });

  it('every import of src follows the rules of its folder', () => {
    const forbidden = internalImports().filter(({ file, target }) => {
      const part = partOf(file) ?? file;
      return ![part, ...(ARROWS[part] ?? [])].some((allowed) => target.startsWith(allowed));
    });
    assert.deepEqual(
      forbidden.map(({ file, target }) => `${file} may not import ${target}`),
      [],
    );
  });

  it('no files import each other in a circle', () => {
    const files = [
      ...FILES,
      ...Object.keys(ARROWS_BESIDE).flatMap((part) => globSync(`${part}**/*.ts`, { cwd: ROOT })),
    ].filter((file) => !file.includes('node_modules'));
    const targets = Map.groupBy(internalImports(files), ({ file }) => file);
    const components = stronglyConnected(
      files,
      (file) => targets.get(file)?.map(({ target }) => target) ?? [],
    );
    assert.deepEqual(
      components.filter((files) => files.length > 1),
      [],
    );
  });

  it('no folders of the command line import each other in a circle', () => {
    const nodeOf = (file: string) =>
      /^src\/cli\/(?:[a-z-]+\/)?/.exec(file)?.[0].replace(/^src\/cli\/$/, file) ?? file;
    const imports = internalImports().filter(
      ({ file, typesOnly }) => file.startsWith('src/cli/') && !typesOnly,
    );
    const targets = Map.groupBy(imports, ({ file }) => nodeOf(file));
    const components = stronglyConnected(
      [...new Set(FILES.map(nodeOf))],
      (node) => targets.get(node)?.map(({ target }) => nodeOf(target)) ?? [],
    );
    assert.deepEqual(
      components.filter((nodes) => nodes.length > 1),
      [],
    );
  });

  it('every import of the other top folders follows the rules of its folder', () => {
    for (const [part, allowed] of Object.entries(ARROWS_BESIDE)) {
      const found = internalImports(globSync(`${part}**/*.ts`, { cwd: ROOT }));
      assert.ok(found.length > 0, part);
      for (const { file, target } of found)
        assert.ok(
          allowed.some((prefix) => target.startsWith(prefix)),
          `${file} may not import ${target}`,
        );
    }
  });

  it('every source file belongs to a folder with rules', () => {
    assert.ok(FILES.length > 40);
    assert.deepEqual(
      FILES.filter((file) => partOf(file) === undefined),
      [],
    );
  });

  it('src/errors.ts imports nothing', () => {
    assert.deepEqual(importsIn(read('src/errors.ts')), []);
  });

  it('src/present/ imports only types from the store', () => {
    const rows = internalImports().filter(
      ({ file, target }) => isIn(file, 'present') && isIn(target, 'store'),
    );
    assert.ok(rows.length > 0);
    for (const { file, typesOnly } of rows) assert.ok(typesOnly, file);
  });

  it('each database driver is imported only for its engine, and only one file chooses between the engines', () => {
    const importersOf = (wanted: RegExp) =>
      [...allImports(), ...internalImports()]
        .filter(({ target }) => wanted.test(target))
        .map(({ file }) => file);
    for (const file of importersOf(/^better-sqlite3/)) assert.match(file, /^src\/store\/sqlite\//);
    for (const file of importersOf(/^pg(\/|$)/)) assert.match(file, /^src\/store\/postgres\//);
    const choosers = importersOf(/^src\/store\/(sqlite|postgres)\//).filter(
      (file) => !/^src\/store\/(sqlite|postgres)\//.test(file),
    );
    assert.deepEqual(new Set(choosers), new Set(['src/store/engine/open.ts']));
  });

  it('only `changelog mcp` loads the SDK of the Model Context Protocol', () => {
    const importersOf = (wanted: RegExp) =>
      new Set(
        [...allImports(), ...internalImports()]
          .filter(({ target }) => wanted.test(target))
          .map(({ file }) => file),
      );
    assert.deepEqual([...importersOf(/^@modelcontextprotocol\//)], ['src/mcp/server.ts', 'src/mcp/stdio.ts']);
    assert.deepEqual([...importersOf(/^src\/mcp\/stdio\.ts$/)], ['src/mcp/server.ts']);
    assert.deepEqual([...importersOf(/^src\/mcp\/server\.ts$/)], ['src/cli/commands/mcp.ts']);
    assert.match(codeOf('src/cli/commands/mcp.ts'), /await import\('..\/..\/mcp\/server\.ts'\)/);
  });

  it('the source imports exactly the packages in dependencies', () => {
    const packages = allImports()
      .filter(({ typesOnly }) => !typesOnly)
      .map(({ target }) => target)
      .filter((target) => !target.startsWith('.') && !target.startsWith('node:'))
      .map((target) => target.split('/', target.startsWith('@') ? 2 : 1).join('/'));
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    assert.deepEqual([...new Set(packages)].sort(), Object.keys(dependencies).sort());
  });

  it('every import names its file literally and in full', () => {
    for (const file of FILES) {
      assert.doesNotMatch(codeOf(file), /\bimport\(\s*[^'\s]/, file);
      assert.doesNotMatch(codeOf(file), /\b(?:require|createRequire)\(/, file);
    }
  });

  it('what is bundled does not depend on its file: only one file asks for it, and packages are loaded by default', () => {
    const asking = FILES.filter((file) => codeOf(file).includes('import.meta'));
    assert.deepEqual(asking, ['src/root.ts']);
    for (const file of FILES) {
      const loaded = codeOf(file).matchAll(/(\S[^=\n]*) = (?:\(?await )?import\('[^.]/g);
      for (const [, names = ''] of loaded) assert.match(names, /^const \{ default: \w+ \}$/, file);
    }
  });
});

describe('a circle', () => {
  it('this test finds circles of any length', () => {
    const imports: Record<string, string[]> = {
      a: ['b', 'd'],
      b: ['c'],
      c: ['a'],
      d: ['e'],
      e: [],
      f: ['a'],
    };
    assert.deepEqual(
      stronglyConnected(Object.keys(imports), (file) => imports[file] ?? []),
      [['e'], ['d'], ['a', 'b', 'c'], ['f']],
    );
  });
});

describe('the process', () => {
  it('only src/main.ts exits the process and reads its environment', () => {
    for (const file of FILES) {
      if (file === 'src/main.ts') continue;
      assert.doesNotMatch(codeOf(file), /\bprocess\.(?:exit|reallyExit|abort)\(/, file);
      const code = codeOf(file).replace('process.env.CHANGELOG_COMMAND', '');
      assert.doesNotMatch(code, /\bprocess\.(?:env|exitCode)\b/, file);
    }
  });

  it('no file imports the process object under another name', () => {
    const importers = allImports().filter(({ target }) => /^(?:node:)?process$/.test(target));
    assert.deepEqual(importers, []);
  });
});

describe('the rooms of the source', () => {
  const roomOf = (file: string) => /^src\/([^/]+)\//.exec(file)?.[1];

  it('no room of src has more lines than it may have', () => {
    for (const [rooms, max] of LINES_MAX) {
      const files = FILES.filter((file) =>
        roomOf(file) === undefined ? rooms.length === 0 : rooms.includes(roomOf(file) ?? ''),
      );
      const lines = files.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0);
      assert.ok(
        lines > 0 && lines <= max,
        `${rooms.join(', ') || 'src itself'}: ${lines} lines, at most ${max}`,
      );
    }
  });

  it('every room has a number of lines', () => {
    const rooms = new Set(FILES.flatMap((file) => roomOf(file) ?? []));
    assert.deepEqual([...rooms].sort(), LINES_MAX.flatMap(([names]) => names).sort());
  });
});

/** Tarjan's algorithm: the groups of nodes that can all reach each other, each group sorted. */
function stronglyConnected(nodes: readonly string[], targetsOf: (node: string) => string[]): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const components: string[][] = [];

  function visit(node: string): number {
    const number = order.size;
    order.set(node, number);
    lowest.set(node, number);
    stack.push(node);
    for (const target of targetsOf(node)) {
      const reached = order.has(target) ? lowest.get(target) : visit(target);
      lowest.set(node, Math.min(lowest.get(node) as number, reached as number));
    }
    const low = lowest.get(node) as number;
    if (low === number) {
      const component = stack.splice(stack.indexOf(node));
      // A finished group must not pull later nodes into it.
      for (const member of component) lowest.set(member, Number.POSITIVE_INFINITY);
      components.push(component.sort());
      return Number.POSITIVE_INFINITY;
    }
    return low;
  }

  for (const node of nodes) if (!order.has(node)) visit(node);
  return components;
}

type Import = { target: string; typesOnly: boolean };

function importsIn(text: string): Import[] {
  const code = withoutComments(text);
  const fromElsewhere = code.matchAll(/^(?:import|export)\s+([^'";]*?)\s+from\s+'([^']+)'/gm);
  const forEffect = code.matchAll(/^import\s+'([^']+)'/gm);
  const dynamic = code.matchAll(/\bimport\(\s*'([^']+)'/g);
  return [
    ...[...fromElsewhere].map(([, names = '', target = '']) => ({ target, typesOnly: isOfTypes(names) })),
    ...[...forEffect, ...dynamic].map(([, target = '']) => ({ target, typesOnly: false })),
  ];
}

/** `type X`, `type { X }` or `{ type X, type Y }`. */
function isOfTypes(names: string): boolean {
  if (/^type\b/.test(names)) return true;
  const listed = /^\{(.*)\}$/s
    .exec(names)?.[1]
    ?.split(',')
    .filter((name) => name.trim() !== '');
  return listed?.every((name) => /^\s*type\b/.test(name)) ?? false;
}

function allImports(files = FILES): (Import & { file: string })[] {
  return files.flatMap((file) => importsIn(read(file)).map((found) => ({ file, ...found })));
}

/** Imports of our own files, with the target as a path from the root. */
function internalImports(files = FILES): (Import & { file: string })[] {
  return allImports(files)
    .filter(({ target }) => target.startsWith('.'))
    .map((found) => ({
      ...found,
      target: path.posix.join(path.posix.dirname(found.file), found.target),
    }));
}

function partOf(file: string): string | undefined {
  return Object.keys(ARROWS).find((part) => (part.endsWith('/') ? file.startsWith(part) : file === part));
}

function isIn(file: string, folder: string): boolean {
  return file.startsWith(`src/${folder}/`);
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

function codeOf(file: string): string {
  return withoutComments(read(file));
}

/** Good enough for this source: no string has a line that starts like a comment. */
function withoutComments(text: string): string {
  return text.replaceAll(/^\s*\/\*.*?\*\//gms, '').replaceAll(/^\s*\/\/.*$/gm, '');
}
