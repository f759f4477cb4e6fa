// Programs of others that read outputs as they are: a validator of AppStream, what shields draws badges with, and a feed
// reader.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { serverProgram } from '../../cluster/debian.ts';
import { type Scope, temporaryFolder } from '../../cluster/scope.ts';
import { listenApp } from '../../support/program/app.ts';
import { apply, runOk, type Sandbox } from '../../support/program/command.ts';

export const READERS_NEED = ['appstreamcli', 'newsboat'] as const;

const ROOT = path.resolve(import.meta.dirname, '../..');
const ROCKET = '/api/v1/public/teams/acme/products/rocket/changelog';
const NASTY = '/api/v1/public/teams/nasty/products/app/changelog';
const run = promisify(execFile);

/** Texts that AppStream has no markup for, and characters that XML has no place for. */
const TEXTS = [
  '1. one\n   - two\n     1. three\n\n       four\n\n           code\n\n   five',
  '```sh\ncurl https://example.com/a?b&c | <sh>\n```\n\n- ```\n  code\n  ```',
  '<script>alert(1)</script> <b>bold</b> & &amp; ]]> <!-- c -->',
  '[text](https://example.com), <https://example.com/x>, ftp://example.com, ![](x.png) ![alt](x.png)',
  '| a | b |\n|---|---|\n| `1` | **2** |\n| | |',
  '***both** one*, **`code`**, ~~gone~~, a\\\nb  \nc',
  '🚀 機能 תיקון \u202eabc\u202c إصلاح \u0001\u001b[31m \ufffe \u2028',
  '# Heading\n\n> quote\n> - list\n\n---\n\n- \n-\n\n&nbsp;',
];

const version = (label: string, day: number, text: string) => ({
  version: label,
  title: 'T',
  status: 'published',
  publishedAt: `2026-01-${String(day).padStart(2, '0')}`,
  description: text,
  changes: [
    { type: 'security', text: `${text}\n\nCVE-2026-0001`, breaking: true },
    { type: 'added', text },
    { type: 'security', text: `CVE-2026-${10_000 + day}` },
  ],
});

const NASTY_TEAM = {
  team: { slug: 'nasty', name: 'Nasty', visibility: 'public' },
  products: [
    {
      slug: 'app',
      name: 'App',
      status: 'published',
      changelog: {
        status: 'published',
        versions: [
          ...TEXTS.map((text, index) => version(`2.0.${index}`, 10 + index, text)),
          version('1.9.9', 30, 'A backport.'),
          version('v2.0.0-rc.1', 2, 'A prerelease.'),
        ],
      },
    },
  ],
};

export async function assertReaders(scope: Scope): Promise<readonly string[]> {
  const folder = temporaryFolder(scope);
  const sandbox: Sandbox = { folder };
  await runOk(sandbox, ['apply', path.join(ROOT, 'demo/acme.yaml')]);
  await apply(sandbox, NASTY_TEAM);
  const { address } = await listenApp(scope, sandbox, { BASE_URL: 'https://changes.example.com' });
  const read = async (target: string) => await (await fetch(address + target)).text();
  return [
    await validateReleases(folder, [
      await read(`${ROCKET}/releases.xml`),
      await read(`${NASTY}/releases.xml`),
    ]),
    await drawBadges([await read(`${ROCKET}/badge.json`), await read(`${NASTY}/badge.json?label=%3Cb%3E`)]),
    await readFeeds(folder, address),
  ];
}

/** In the metainfo file of an app, and next to one that names them. */
async function validateReleases(folder: string, documents: readonly string[]): Promise<string> {
  for (const releases of documents) {
    const element = releases.replace(/^<\?xml.*\n/, '');
    await validate(folder, element);
    await validate(folder, '<releases type="external"/>', releases);
    const planted = releases.replace('<description>', '<description><p><b>bold</b></p>');
    await assert.rejects(validate(folder, '<releases type="external"/>', planted), /markup-invalid/);
  }
  const { stdout } = await run(serverProgram('appstreamcli'), ['--version']);
  return `${stdout.trim().replace(' version:', '')}: releases are valid, inside a metainfo file and external`;
}

async function validate(folder: string, element: string, external?: string): Promise<void> {
  const file = path.join(folder, 'org.example.rocket.metainfo.xml');
  mkdirSync(path.join(folder, 'releases'), { recursive: true });
  writeFileSync(
    file,
    `<?xml version="1.0" encoding="utf-8"?>
<component type="console-application">
<id>org.example.rocket</id>
<metadata_license>CC0-1.0</metadata_license>
<project_license>MIT</project_license>
<name>Rocket</name>
<summary>Launches builds</summary>
<description><p>Rocket launches builds to all targets of a project, and checks that they have arrived there.</p></description>
<url type="homepage">https://rocket.example.org</url>
<provides><binary>rocket</binary></provides>
<content_rating type="oars-1.1"/>
${element}
</component>
`,
  );
  if (external !== undefined)
    writeFileSync(path.join(folder, 'releases/org.example.rocket.releases.xml'), external);
  await run(serverProgram('appstreamcli'), ['validate', '--no-net', file]).catch(({ stdout, stderr }) => {
    throw new Error(`${stdout}${stderr}`);
  });
}

type BadgeMaker = Readonly<{ makeBadge: (format: object) => string }>;

async function drawBadges(documents: readonly string[]): Promise<string> {
  const require = createRequire(import.meta.url);
  const { makeBadge } = require('badge-maker') as BadgeMaker;
  for (const text of documents) {
    const { label, message, color } = JSON.parse(text);
    const svg = makeBadge({ label, message, color });
    assert.ok(svg.includes(color) && svg.includes(`>${message}<`), svg);
  }
  const { version } = require('./node_modules/badge-maker/package.json');
  return `badge-maker ${version}: draws the badges`;
}

type Item = Readonly<{ guid: string; title: string; url: string; pubDate: number; content: string }>;

/** With the filter, only the security fixes of the same entries. */
async function readFeeds(folder: string, address: string): Promise<string> {
  for (const name of ['feed.atom', 'feed.rss']) {
    const all = await readWithNewsboat(folder, `${address}${ROCKET}/${name}`);
    const fixes = await readWithNewsboat(folder, `${address}${ROCKET}/${name}?type=security`);
    assert.deepEqual(
      fixes.map(({ title }) => title),
      ['1.4.2', '2.0.1'].map((label) => all.find(({ title }) => title.startsWith(label))?.title),
    );
    for (const fix of fixes) {
      const { content, ...entry } = fix;
      const { content: whole, ...same } = all.find(({ guid }) => guid === fix.guid) as Item;
      assert.deepEqual(entry, same);
      assert.match(content, /Deploy tokens/);
      assert.doesNotMatch(content, /Rollbacks restore/);
      if (fix.title.startsWith('2.0.1')) assert.match(whole, /Rollbacks restore/);
    }
  }
  const { stdout } = await run(serverProgram('newsboat'), ['--version']);
  return `${stdout.split(' - ')[0]}: reads Atom and RSS, and only security fixes with the filter`;
}

async function readWithNewsboat(folder: string, url: string): Promise<Item[]> {
  const home = path.join(folder, `newsboat-${url.replaceAll(/\W/g, '-')}`);
  const [urls, cache] = [path.join(home, 'urls'), path.join(home, 'cache.db')];
  mkdirSync(home);
  writeFileSync(urls, `${url}\n`);
  await run(serverProgram('newsboat'), ['-u', urls, '-c', cache, '-x', 'reload'], {
    env: { ...process.env, HOME: home, LC_ALL: 'C.UTF-8' },
  });
  const database = new Database(cache, { readonly: true });
  try {
    return database
      .prepare('select guid, title, url, pubDate, content from rss_item order by pubDate desc')
      .all() as Item[];
  } finally {
    database.close();
  }
}
