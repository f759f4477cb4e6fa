// Which file may import which. The arrows are drawn in docs/architecture.md.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

const ROOT = path.resolve(import.meta.dirname, '..');
const FILES = globSync('src/**/*.ts', { cwd: ROOT }).sort();
const LINES_MAX = 300;

/**
 * For each room, the rooms that it may import from besides itself. A room is a folder, and its rule is a prefix of paths;
 * the longest prefix decides.
 */
const STORE_FOR_SERVERS = ['src/store/read/', 'src/store/source/', 'src/store/engine/'];
const ARROWS: Record<string, readonly string[]> = {
  'src/main.ts': ['src/cli/'],
  'src/config.ts': ['src/domain/', 'src/errors.ts'],
  'src/errors.ts': [],
  'src/domain/': [],
  'src/content/': ['src/domain/', 'src/errors.ts'],
  'src/import/': ['src/content/', 'src/domain/', 'src/errors.ts'],
  'src/store/engine/': ['src/store/sqlite/', 'src/store/postgres/', 'src/domain/', 'src/errors.ts'],
  'src/store/sqlite/': ['src/store/engine/', 'src/domain/', 'src/errors.ts'],
  'src/store/postgres/': ['src/store/engine/', 'src/domain/', 'src/errors.ts'],
  'src/store/migrate/': ['src/store/engine/', 'src/errors.ts'],
  'src/store/read/': ['src/store/engine/', 'src/domain/', 'src/errors.ts'],
  'src/store/source/': ['src/store/migrate/', 'src/store/engine/', 'src/domain/', 'src/errors.ts'],
  'src/store/catalogue/': ['src/store/read/', 'src/store/engine/', 'src/domain/', 'src/errors.ts'],
  'src/store/write/': [
    'src/store/catalogue/',
    'src/store/read/',
    'src/store/engine/',
    'src/domain/',
    'src/errors.ts',
  ],
  'src/store/import/': [
    'src/store/write/',
    'src/store/catalogue/',
    'src/store/read/',
    'src/store/engine/',
    'src/domain/',
    'src/errors.ts',
  ],
  'src/present/': ['src/domain/', 'src/store/read/'],
  'src/http/': [...STORE_FOR_SERVERS, 'src/present/', 'src/domain/', 'src/config.ts', 'src/errors.ts'],
  'src/serve/': [
    ...STORE_FOR_SERVERS,
    'src/http/',
    'src/present/',
    'src/domain/',
    'src/config.ts',
    'src/errors.ts',
  ],
  'src/cli/': [
    'src/serve/',
    'src/http/',
    'src/content/',
    'src/import/',
    'src/present/',
    'src/store/',
    'src/domain/',
    'src/config.ts',
    'src/errors.ts',
  ],
};

describe('imports', () => {
  it('are found in whatever form they are written', () => {
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

  it('point one way', () => {
    for (const { file, target } of internalImports()) {
      const part = partOf(file);
      assert.ok(part !== undefined, `${file} belongs to no part that is known here`);
      assert.ok(
        [part, ...(ARROWS[part] ?? [])].some((allowed) => target.startsWith(allowed)),
        `${file} may not import ${target}`,
      );
    }
  });

  it('leave every file in a part that is known', () => {
    assert.ok(FILES.length > 40);
    assert.deepEqual(
      FILES.filter((file) => partOf(file) === undefined),
      [],
    );
  });

  it('are absent from the catalogue of errors', () => {
    assert.deepEqual(importsIn(read('src/errors.ts')), []);
  });

  it('of rows into the presenters are of types only', () => {
    const rows = internalImports().filter(
      ({ file, target }) => isIn(file, 'present') && isIn(target, 'store'),
    );
    assert.ok(rows.length > 0);
    for (const { file, typesOnly } of rows) assert.ok(typesOnly, file);
  });

  it('of a database engine are in one file each, and only one file chooses between those', () => {
    const importersOf = (wanted: RegExp) =>
      [...allImports(), ...internalImports()]
        .filter(({ target }) => wanted.test(target))
        .map(({ file }) => file);
    assert.deepEqual(importersOf(/^better-sqlite3/), ['src/store/sqlite/sqlite.ts']);
    assert.deepEqual(importersOf(/^pg(\/|$)/), ['src/store/postgres/postgres.ts']);
    assert.deepEqual(importersOf(/^src\/store\/(sqlite\/sqlite|postgres\/postgres)\.ts$/), [
      'src/store/engine/open.ts',
      'src/store/engine/open.ts',
    ]);
  });

  it('of packages are of those that are installed with the program, and of each of them', () => {
    const packages = allImports()
      .filter(({ typesOnly }) => !typesOnly)
      .map(({ target }) => target)
      .filter((target) => !target.startsWith('.') && !target.startsWith('node:'))
      .map((target) => target.split('/', target.startsWith('@') ? 2 : 1).join('/'));
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    assert.deepEqual([...new Set(packages)].sort(), Object.keys(dependencies).sort());
  });

  it('name their target in full, where this test can see it', () => {
    for (const file of FILES) {
      assert.doesNotMatch(codeOf(file), /\bimport\(\s*[^'\s]/, file);
      assert.doesNotMatch(codeOf(file), /\b(?:require|createRequire)\(/, file);
    }
  });
});

describe('the process', () => {
  it('is ended, and its environment read, in src/main.ts alone', () => {
    for (const file of FILES) {
      if (file === 'src/main.ts') continue;
      assert.doesNotMatch(codeOf(file), /\bprocess\.(?:exit|reallyExit|abort)\(/, file);
      assert.doesNotMatch(codeOf(file), /\bprocess\.(?:env|exitCode)\b/, file);
    }
  });

  it('is not imported under another name', () => {
    const importers = allImports().filter(({ target }) => /^(?:node:)?process$/.test(target));
    assert.deepEqual(importers, []);
  });
});

describe('a source file', () => {
  it(`has no more than ${LINES_MAX} lines`, () => {
    const long = FILES.filter((file) => read(file).trimEnd().split('\n').length > LINES_MAX);
    assert.deepEqual(long, []);
  });
});

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

function allImports(): (Import & { file: string })[] {
  return FILES.flatMap((file) => importsIn(read(file)).map((found) => ({ file, ...found })));
}

/** Those within the source, with their target as a path from the root. */
function internalImports(): (Import & { file: string })[] {
  return allImports()
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

/** Good enough for this source: no string in it holds what looks like the start of a comment at a line's start. */
function withoutComments(text: string): string {
  return text.replaceAll(/^\s*\/\*.*?\*\//gms, '').replaceAll(/^\s*\/\/.*$/gm, '');
}
