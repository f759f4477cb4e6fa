// What a site weighs: its bytes, compared with its changelog, and the source files that write it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../support/processes/scope.ts';
import { run } from '../../support/program/command.ts';
import { sandboxWithoutDatabase } from '../cli/helpers.ts';
import { filesIn } from './files.ts';

/** This one has 19 major versions, each with a page of everything since; real ones are below 45 times. */
const RATIO_MAX = 48;

function writeChangelog(versions: number): string {
  const parts = ['# Changelog\n'];
  for (let number = versions; number > 0; number--) {
    const label = [Math.floor(number / 8), Math.floor(number / 2) % 4, number % 2].join('.');
    const day = new Date(Date.UTC(2026, 0, 1) - (versions - number) * 20 * 86_400_000);
    parts.push(`\n## [${label}] - ${day.toISOString().slice(0, 10)}\n`);
    for (const [section, count] of Object.entries({ Added: 2, Fixed: 3 })) {
      parts.push(`\n### ${section}\n\n`);
      for (let change = 0; change < count; change++)
        parts.push(
          `- Change ${change} of ${label} makes \`launch\` **faster** for [users](https://example.com/${number}/${change}) with many targets, and says which of them were slow (#${number}${change}).\n`,
        );
    }
  }
  return parts.join('');
}

it(`a site of 150 versions has at most ${RATIO_MAX} times the bytes of its changelog`, async (t) => {
  const sandbox = sandboxWithoutDatabase(t);
  const text = writeChangelog(150);
  writeFileSync(path.join(sandbox.folder, 'CHANGELOG.md'), text);
  const { code, stderr } = await run(sandbox, ['build', 'CHANGELOG.md', '--out', 'site']);
  assert.equal(code, 0, stderr);
  const site = path.join(sandbox.folder, 'site');
  const bytes = filesIn(site).reduce((sum, file) => sum + statSync(path.join(site, file)).size, 0);
  t.diagnostic(`${(bytes / text.length).toFixed(1)} times`);
  assert.ok(bytes <= RATIO_MAX * text.length, `${(bytes / text.length).toFixed(1)} times`);
});

const MAIN = path.resolve(import.meta.dirname, '../../src/main.ts');
/** Each with a function that runs. */
const SOURCE_FILES_MAX = 128;

type Coverage = { result: { url: string; functions: { ranges: { count: number }[] }[] }[] };

it(`one file becomes a site by at most ${SOURCE_FILES_MAX} source files, and without a database`, (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(path.join(folder, 'CHANGELOG.md'), writeChangelog(20));
  const coverage = path.join(folder, 'coverage');
  execFileSync(process.execPath, [MAIN, 'build', 'CHANGELOG.md', '--out', 'site'], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_V8_COVERAGE: coverage },
    stdio: 'pipe',
  });
  const scripts = readdirSync(coverage).flatMap(
    (file) => (JSON.parse(readFileSync(path.join(coverage, file), 'utf8')) as Coverage).result,
  );
  const own = scripts.filter(({ url }) => url.startsWith('file:'));
  // The first function is the file itself.
  const ran = own.filter(({ functions }) => functions.slice(1).some(({ ranges }) => ranges[0]?.count !== 0));
  const paths = ran.map(({ url }) => path.relative(path.dirname(MAIN), fileURLToPath(url)));
  const files = paths.filter((file) => !file.startsWith('..'));
  t.diagnostic(`${files.length} files`);
  assert.ok(files.length > 50 && files.length <= SOURCE_FILES_MAX, `${files.length} files`);
  assert.deepEqual(
    own.filter(({ url }) =>
      /better-sqlite3|\/src\/(?:http|store\/(?:sqlite|postgres|migrate|write))\//.test(url),
    ),
    [],
  );
});
