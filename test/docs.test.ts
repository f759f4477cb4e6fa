// Compares the claims of the documents with the code by enumeration.
import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import type { Cli } from '../src/cli/cli.ts';
import { buildProgram } from '../src/cli/program.ts';
import { readConfig, SETTINGS } from '../src/config.ts';
import { ContentDocument } from '../src/domain/content/content.ts';
import { PURGE_KINDS } from '../src/domain/hook.ts';
import * as model from '../src/domain/model.ts';
import type { Schema } from '../src/domain/schema.ts';
import { API_ERRORS } from '../src/errors.ts';
import { readHooks } from '../src/hooks/file.ts';
import { buildApp } from '../src/http/app.ts';
import { createLog } from '../src/http/telemetry/log.ts';
import type { RecordName } from '../src/present/outputs/output.ts';
import { STYLE } from '../src/present/pages/style.ts';
import records from '../src/present/records.json' with { type: 'json' };
import type { Source } from '../src/store/source/source.ts';
import { temporaryFolder } from '../support/processes/scope.ts';
import { startApp } from '../support/program/app.ts';
import { runOk } from '../support/program/command.ts';
import {
  anchors,
  bare,
  codeBlock,
  codeBlocks,
  section,
  tableUnder,
  withoutCode,
} from './support/markdown.ts';
import { listMetrics } from './support/metrics.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const DOCUMENTS = globSync('**/*.md', {
  cwd: ROOT,
  exclude: ['**/node_modules/**', 'data/**', 'dist/**', 'docs/changelog/**'],
});
const PROGRAM = await buildProgram({} as Cli);

/** Folders of the repository with more than documents and tool settings. */
const TOP_FOLDERS = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  .map(({ name }) => name)
  .filter((name) => !['node_modules', 'docs', 'data', 'dist'].includes(name));

const RECORDS: Readonly<Record<string, Node>> = records;
const API = read('docs/api.md');
const CLI = read('docs/cli.md');

describe('README.md', () => {
  const README = read('README.md');

  it('README.md can be read in a minute, and leads to every document', () => {
    assert.ok(README.trimEnd().split('\n').length <= 90);
    const linked = [...README.matchAll(/\]\(([^)#]+)/g)].map(([, target]) => target);
    const others = DOCUMENTS.filter((file) => /^(?:docs\/[^/]+|client\/README|[A-Z]+)\.md$/.test(file));
    for (const file of others) assert.ok(file === 'README.md' || linked.includes(file), file);
  });

  it('README.md names the package and the version as they are', () => {
    const { name, version } = JSON.parse(read('package.json'));
    assert.ok(README.startsWith(`# ${name}\n`));
    // Without EBADENGINE, as .npmrc does for a checkout: the launcher runs the program with a newer Node.js.
    assert.match(read('.npmrc'), /^loglevel=error$/m);
    assert.ok(README.includes(`npm install --global --loglevel=error ./${name}-${version}.tgz\n`));
    assert.ok(README.includes(`version ${version}.`));
  });
});

describe('docs/configuration.md', () => {
  it('docs/configuration.md lists every setting with its variable, default and valid values', () => {
    const documented = tableUnder(read('docs/configuration.md'), 'Variable').map(
      ([variable = '', defaultText = '', accepts = '']) => ({
        variable: bare(variable),
        defaultText: defaultText === 'unset' ? null : bare(defaultText),
        accepts,
      }),
    );
    const settings = Object.values(SETTINGS).map(({ variable, defaultText, accepts }) => ({
      variable,
      defaultText,
      accepts,
    }));
    assert.deepEqual(documented, settings);
  });
});

describe('docs/api.md', () => {
  it('docs/api.md lists every error code with its status', () => {
    const documented = tableUnder(API, 'Code').map(([code = '', status]) => [bare(code), Number(status)]);
    assert.deepEqual(
      documented,
      Object.entries(API_ERRORS).map(([code, { status }]) => [code, status]),
    );
  });

  it('docs/api.md lists every route', () => {
    const documented = tableUnder(API, 'Method').map(([method, route = '']) => `${method} ${bare(route)}`);
    assert.deepEqual(documented.sort(), registeredRoutes().filter(isOfTheApi).sort());
  });

  it('docs/api.md lists every field of every record with its type', () => {
    const fields = (heading: string) =>
      tableUnder(section(API, heading), 'Field').map(([field = '', type]) => [bare(field), type]);
    assert.deepEqual(fields('### Changelog'), responseFields('ChangelogEnvelope'));
    assert.deepEqual(fields('### Version'), responseFields('VersionEnvelope'));
    assert.deepEqual(fields('## What changed between two versions'), responseFields('RangeEnvelope'));
    assert.deepEqual(fields('## Is there an update?'), responseFields('UpdateEnvelope'));
    assert.deepEqual(fields('## The timeline of a team'), responseFields('TimelineEnvelope'));
    assert.deepEqual(fields('## The products of a team'), responseFields('ProductsEnvelope'));
  });
});

describe('docs/pages.md', () => {
  const PAGES = read('docs/pages.md');
  const namesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

  it('docs/pages.md explains every value of LISTING', () => {
    const values = tableUnder(PAGES, '`LISTING`').map(([value = '']) => namesIn(value)[0]);
    assert.equal(SETTINGS.listing.accepts, `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`);
  });

  it('docs/pages.md names every custom property of the style sheet, and only classes that it has', () => {
    const named = tableUnder(PAGES, 'Property').flatMap(([names = '']) => namesIn(names));
    const defined = [...STYLE.matchAll(/[{;](--[\w-]+):/g)].map(([, name]) => name);
    assert.deepEqual(new Set(named), new Set(defined.filter((name) => name !== '--type')));
    for (const name of tableUnder(PAGES, 'Class').flatMap(([names = '']) => namesIn(names)))
      assert.match(STYLE, new RegExp(`${RegExp.escape(name)}(?![\\w-])`));
  });

  it('docs/pages.md lists every page', () => {
    const documented = tableUnder(PAGES, 'Path').map(([path = '']) => `GET ${bare(path)}`);
    assert.deepEqual(
      documented.sort(),
      registeredRoutes()
        .filter((route) => !isOfTheApi(route))
        .sort(),
    );
  });
});

describe('docs/cli.md', () => {
  it('docs/cli.md has a section for every command with its arguments, and no others', () => {
    assert.deepEqual(
      [...documentedCommands().keys()].sort(),
      leafCommands(PROGRAM)
        .map(({ usage }) => usage)
        .sort(),
    );
  });

  it('docs/cli.md lists exactly the options of every command', () => {
    const documented = documentedCommands();
    for (const { usage, command } of leafCommands(PROGRAM)) {
      assert.deepEqual(documented.get(usage), command.options.map(({ flags }) => flags).sort(), usage);
    }
  });

  it('docs/cli.md lists every field of the content document and its default', () => {
    const documented = tableUnder(section(CLI, '### The content document'), 'Field');
    assert.deepEqual(
      documented.map(([field = '', fallback = '']) => [bare(field), bare(fallback)]).sort(),
      contentFields(ContentDocument).sort(),
    );
  });

  it('docs/cli.md shows a content document that can be applied', async (t) => {
    const sandbox = { folder: temporaryFolder(t) };
    const example = codeBlock(section(CLI, '### The content document'), 'yaml');
    assert.match(await runOk(sandbox, ['apply', '-'], example), /^Done: 5 created/m);
    assert.match(await runOk(sandbox, ['apply', '-'], example), /^Nothing to do: .* 5 unchanged/m);
  });
});

describe('docs/production', () => {
  it('docs/production/README.md leads to every page', () => {
    const pages = DOCUMENTS.filter((file) => /^docs\/production\/[a-z-]+\.md$/.test(file));
    assert.ok(pages.length > 0);
    const overview = read('docs/production/README.md');
    for (const page of pages) assert.ok(overview.includes(`](${path.basename(page)})`), page);
  });
});

describe('docs/limits.md', () => {
  it('docs/limits.md states every limit as in the code', () => {
    const rows = tableUnder(read('docs/limits.md'), 'What');
    assert.ok(rows.length > 10);
    for (const [what, limit = '', , where = ''] of rows) {
      const [, file = '', constant = ''] = /^`(\S+)` `(\S+)`$/.exec(where) ?? [];
      assert.equal(amount(limit), constantIn(file, constant), what);
    }
  });
});

describe('docs/monitoring.md', () => {
  it('docs/monitoring.md lists the fields of a request in the log', async (t) => {
    const sandbox = { folder: temporaryFolder(t) };
    await runOk(sandbox, ['apply', path.join(ROOT, 'demo/acme.yaml')]);
    const { app, logLines } = await startApp(t, sandbox, { TRUSTED_PROXIES: '127.0.0.1' });
    const headers = { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` };
    await app.inject({ url: '/api/v1/public/teams/acme/products/rocket/changelog', headers });
    const documented = tableUnder(section(read('docs/monitoring.md'), '## Logs'), 'Field');
    assert.deepEqual(
      documented.flatMap(([fields = '']) => fields.split(', ').map(bare)),
      Object.keys(JSON.parse(logLines.at(-1) ?? '{}')),
    );
  });

  it('docs/monitoring.md lists every metric of the program with its labels', () => {
    const ours = listMetrics().filter(({ name }) => name.startsWith('changelog_'));
    const documented = tableUnder(read('docs/monitoring.md'), 'Metric').map(([name = '', labels = '']) => ({
      name: bare(name),
      labels: labels === '–' ? [] : bare(labels).split(', '),
    }));
    assert.deepEqual(
      documented,
      ours.map(({ name, labels }) => ({ name, labels })),
    );
  });
});

describe('docs/domains.md', () => {
  const DOMAINS = read('docs/domains.md');

  it('docs/domains.md names only paths that are at the root of a domain', async (t) => {
    const sandbox = { folder: temporaryFolder(t) };
    await runOk(sandbox, ['apply', path.join(ROOT, 'demo/acme.yaml')]);
    const [, domain = ''] = /--domain (\S+)/.exec(codeBlock(section(DOMAINS, '## Set a domain'), 'sh')) ?? [];
    await runOk(sandbox, ['product', 'set', 'acme/rocket', '--domain', domain]);
    const { app } = await startApp(t, sandbox);
    const paths = tableUnder(DOMAINS, 'Path').flatMap(
      ([cell = '']) => cell.match(/(?<=`)\/[^`…]*(?=`)/g) ?? [],
    );
    assert.ok(paths.length > 10);
    for (const url of paths) {
      const status = url.startsWith('/acme/rocket') ? 302 : 200;
      assert.equal((await app.inject({ url, headers: { host: domain } })).statusCode, status, url);
    }
  });

  it('docs/domains.md says which proxies were tried, as their files do', () => {
    const tried = [...section(DOMAINS, '## What was tried').matchAll(/(nginx|Caddy|Varnish) [\d.]+\d/g)];
    assert.equal(tried.length, 3);
    const files = ['deploy/nginx/below-a-path.conf', 'deploy/caddy/Caddyfile', 'deploy/varnish/default.vcl'];
    for (const [index, file] of files.entries())
      assert.ok(bare(read(file)).replaceAll(/\n# /g, ' ').includes(`Tested with ${tried[index]?.[0]}`), file);
  });
});

describe('docs/cdn.md', () => {
  const CDN = read('docs/cdn.md');

  it('docs/cdn.md has a hook of each kind that purges, and each is valid', (t) => {
    const folder = temporaryFolder(t);
    const examples = codeBlocks(CDN).filter(({ language }) => language === 'yaml');
    const kinds = examples.flatMap(({ text }) => {
      writeFileSync(path.join(folder, 'hooks.yaml'), text);
      const environment = { FASTLY_TOKEN: 'a', CLOUDFLARE_TOKEN: 'b' };
      return readHooks('hooks.yaml', { environment, folder }).map(({ kind }) => kind);
    });
    assert.deepEqual(kinds.toSorted(), [...PURGE_KINDS].sort());
  });

  it('docs/cdn.md says which caches were tested, as their files do', () => {
    const tested = section(CDN, '## What was tested');
    for (const [name, file] of [
      ['Varnish 7.1', 'deploy/varnish/purged.vcl'],
      ['nginx 1.22', 'deploy/nginx/purged.patch'],
    ] as const) {
      assert.ok(tested.includes(name), name);
      assert.ok(read(file).includes(`Tested with ${name}`), file);
    }
  });
});

describe('docs/architecture.md', () => {
  it('docs/architecture.md lists exactly the folders of src and the top folders of the repository', () => {
    const documented = tableUnder(read('docs/architecture.md'), 'Folder').flatMap(([folders = '']) =>
      folders.split(', ').map(bare),
    );
    const sources = globSync('src/**/*.ts', { cwd: ROOT }).map((file) => path.dirname(file));
    const above = sources.flatMap((folder) => (folder === 'src' ? [] : path.dirname(folder)));
    assert.deepEqual(documented.toSorted(), [...new Set([...sources, ...above, ...TOP_FOLDERS])].sort());
  });
});

describe('docs/scaling.md', () => {
  const SCALING = read('docs/scaling.md');

  it('docs/scaling.md calculates correctly with the figures of its table', () => {
    const figures = tableUnder(SCALING, 'Node on').flatMap(([, , node, server]) => [node, server]);
    const sums = [...SCALING.matchAll(/^\w+: +(.+?) = ([\d.]+) cores/gm)];
    assert.equal(sums.length, 3);
    for (const [, terms = '', cores] of sums) {
      let micros = 0;
      for (const [, count = '', each = ''] of terms.matchAll(/([\d,]+) × (\d+ µs)/g)) {
        assert.ok(figures.includes(each), each);
        micros += amount(count) * Number.parseInt(each, 10);
      }
      assert.equal((micros / 1_000_000).toFixed(1), cores);
    }
  });

  it('docs/scaling.md uses only metrics that exist', () => {
    const names = listMetrics().map(({ name }) => name);
    for (const [name = ''] of tableUnder(SCALING, 'Metric')) assert.ok(names.includes(bare(name)), name);
  });

  it('docs/scaling.md names only settings that exist', () => {
    const known = Object.values(SETTINGS).map(({ variable }) => variable);
    const named = [...SCALING.matchAll(/`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g)].map(([, name = '']) => name);
    assert.ok(named.length > 20);
    for (const name of named) assert.ok(known.includes(name), name);
  });
});

describe('docs/glossary.md', () => {
  const rows = tableUnder(read('docs/glossary.md'), 'Term');

  it('docs/glossary.md explains every term of the model', () => {
    const { VISIBILITIES, PLANS, PUBLICATION_STATES, VERSION_STATES, KEY_KINDS, KEY_STATES } = model;
    const states = [VISIBILITIES, PLANS, PUBLICATION_STATES, VERSION_STATES, KEY_KINDS, KEY_STATES].flat();
    const terms = rows.flatMap(([term = '']) => term.split(', '));
    for (const term of [...states, ...Object.keys(model.ID_PREFIXES), 'team', 'product', 'type'])
      assert.ok(terms.includes(term), term);
    const meaningOf = (wanted: string) => rows.find(([term]) => term === wanted)?.[1] ?? '';
    for (const type of model.CHANGE_TYPES) assert.ok(meaningOf('type').includes(`\`${type}\``), type);
    for (const prefix of Object.values(model.ID_PREFIXES))
      assert.ok(meaningOf('id').includes(`\`${prefix}_…\``), prefix);
  });

  it('docs/glossary.md lists each term once, in alphabetical order', () => {
    const first = rows.map(([term = '']) => term);
    assert.deepEqual(first, [...new Set(first)].toSorted(new Intl.Collator('en').compare));
  });
});

describe('docs/troubleshooting.md', () => {
  it('docs/troubleshooting.md quotes only messages that the program has', () => {
    const sources = globSync(['src/**/*.ts', 'bin/*.cjs'], { cwd: ROOT }).map(sourceText);
    const cells = read('docs/troubleshooting.md')
      .split('\n')
      .flatMap((line) => /^\| (.+?) \|/.exec(line)?.[1] ?? []);
    const quoted = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
    const messages = quoted.filter((text) => text.includes(' '));
    assert.ok(messages.length > 30);
    for (const message of messages) {
      const parts = message.split('…').filter((part) => part !== '');
      assert.ok(
        parts.some((part) => part.trim().length > 5),
        message,
      );
      assert.ok(
        sources.some((text) => parts.every((part) => text.includes(part))),
        message,
      );
    }
  });
});

describe('every document', () => {
  it('no document has a broken link', () => {
    for (const file of DOCUMENTS) {
      for (const [, target = ''] of withoutCode(read(file)).matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)) {
        if (/^(https?|mailto):/.test(target)) continue;
        const [relative, anchor] = target.split('#');
        const linked = relative ? path.join(path.dirname(file), relative) : file;
        assert.ok(existsSync(path.join(ROOT, linked)), `${file}: ${target}`);
        if (anchor !== undefined) assert.ok(anchors(read(linked)).includes(anchor), `${file}: ${target}`);
      }
    }
  });

  it('every document names only source files and folders that exist', () => {
    const top = TOP_FOLDERS.join('|');
    const isOurs = new RegExp(`^(?:(?:${top})/[\\w./-]+|[\\w./-]+\\.ts)$`);
    const files = globSync(`{${TOP_FOLDERS.join()}}/**`, { cwd: ROOT, exclude: ['**/node_modules/**'] });
    const named = DOCUMENTS.flatMap((file) =>
      [...read(file).matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => ({ file, name })),
    ).filter(({ name }) => isOurs.test(name) && !/NAME|NNNN|\/(?:\.|node_modules)/.test(name));
    assert.ok(named.length > 100);
    for (const { file, name } of named)
      assert.ok(
        files.some((known) => `/${known}`.endsWith(`/${name.replace(/\/$/, '')}`)),
        `${file}: ${name}`,
      );
  });

  it('every document shows only commands and options that exist', () => {
    let shown = 0;
    for (const file of DOCUMENTS) {
      for (const line of shownCommands(read(file))) {
        assertCommandExists(line, `${file}: ${line}`);
        shown++;
      }
    }
    assert.ok(shown > 20);
  });

  it('every document names only npm scripts that exist', () => {
    for (const file of DOCUMENTS) {
      for (const script of npmScripts(read(file)))
        assert.ok(script in packageScripts(), `${file}: npm run ${script}`);
    }
  });
});

describe('CONTRIBUTING.md', () => {
  it('CONTRIBUTING.md names every npm script that people run', () => {
    const named = npmScripts(read('CONTRIBUTING.md'));
    const scripts = Object.keys(packageScripts()).filter((script) => script !== 'prepack');
    assert.deepEqual(
      scripts.filter((script) => !named.includes(script)),
      [],
    );
  });
});

describe('the lockfiles', () => {
  for (const folder of ['.', 'runtime/linux-arm64', 'runtime/linux-x64']) {
    const file = path.join(folder, 'package-lock.json');
    it(`${file} has no registry URLs`, () => {
      assert.match(read(file), /"integrity"/);
      assert.doesNotMatch(read(file), /"resolved":\s*"https?:/);
    });
  }
});

/** With texts that continue on the next line in one piece, and without the backslashes in them. */
function sourceText(file: string): string {
  return read(file)
    .replaceAll(/['`] \+\n\s+['`]/g, '')
    .replaceAll('\\`', '`');
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** The GET routes of the app, with their parameters named as in the documents. */
const isOfTheApi = (route: string) => /^GET \/(api|docs)\b/.test(route);

/** With every page. */
function registeredRoutes(): string[] {
  const log = createLog('silent', { write: () => {} });
  const source = { onTouched: () => {} } as unknown as Source;
  const { routes } = buildApp({ config: readConfig({ LISTING: 'all' }), source, log });
  const named = (pattern: string) =>
    pattern.replace(':team', ':teamSlug').replace(':product', ':productSlug');
  return routes.map(({ path }) => `GET ${named(path).replaceAll(/:(\w+)/g, '{$1}')}`);
}

type Node = {
  $ref?: string;
  type?: string | string[];
  default?: unknown;
  required?: string[];
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
};
type Field = { field: string; node: Node; required: boolean };

function fieldsOf(node: Node, prefix = ''): Field[] {
  if (node.$ref) return fieldsOf(resolved(node), prefix);
  if (node.items) return fieldsOf(node.items, `${prefix}[]`);
  return Object.entries(node.properties ?? {}).flatMap(([name, inner]) => {
    const field = prefix === '' ? name : `${prefix}.${name}`;
    const required = node.required?.includes(name) ?? false;
    const [object = inner] = inner.anyOf ?? [];
    return [{ field, node: resolved(inner), required }, ...fieldsOf(object, field)];
  });
}

function resolved(node: Node): Node {
  const name = node.$ref?.split('/').at(-1);
  return name === undefined ? node : (RECORDS[name] ?? {});
}

function responseFields(envelope: RecordName): [string, string][] {
  return fieldsOf(RECORDS[envelope] ?? {})
    .filter(({ node }) => node.type !== 'object')
    .map(({ field, node }) => [
      field,
      (node.anyOf ?? [node]).flatMap((each) => resolved(each).type ?? '').join(' or '),
    ]);
}

function contentFields(schema: Schema<unknown>): [string, string][] {
  return fieldsOf(schema as Node).map(({ field, node, required }) => [
    field,
    required ? 'required' : String(node.default ?? 'nothing'),
  ]);
}

function leafCommands(parent: Command, before = 'changelog'): { usage: string; command: Command }[] {
  return parent.commands.flatMap((command) => {
    const called = `${before} ${command.name()}`;
    if (command.commands.length > 0) return leafCommands(command, called);
    const parameters = command.registeredArguments.map((argument) => {
      const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
      return argument.required ? `<${name}>` : `[${name}]`;
    });
    return [{ usage: [called, ...parameters].join(' '), command }];
  });
}

/** The flags in the list of options, by usage line. */
function documentedCommands(): Map<string, string[]> {
  const usages = [...CLI.matchAll(/^### `(changelog .+)`$/gm)].map(([, usage = '']) => usage);
  return new Map(
    usages.map((usage) => {
      const [, options = ''] = section(CLI, `### \`${usage}\``).split('\nOptions:\n');
      const items = options.split('\n').filter((line) => line.startsWith('- '));
      const flags = items.flatMap((item) => item.split(':')[0]?.match(/--[^`]+/g) ?? []);
      return [usage, flags.sort()];
    }),
  );
}

/** The text after the program's name, in code blocks and inline code. */
function shownCommands(markdown: string): string[] {
  const inBlocks = markdown.matchAll(/^[^`\n]*bin\/changelog ([a-z-][^\n]*)$/gm);
  const inSentences = markdown.matchAll(/`(?:bin\/)?changelog ([a-z-][^`]*)`/g);
  return [...inBlocks, ...inSentences].map(([, line = '']) => line.replace(/ #.*$/, ''));
}

function assertCommandExists(line: string, message: string): void {
  const words = line.split(/\s+/);
  const known = PROGRAM.commands.some((command) => command.name() === words[0]);
  // A command group may be named without a subcommand.
  const group = PROGRAM.commands.find((command) => command.name() === 'changelog');
  let command: Command | undefined = known || words[0]?.startsWith('-') ? PROGRAM : group;
  const rest = [...words];
  while (command && command.commands.length > 0 && !rest[0]?.startsWith('-')) {
    const name = rest.shift();
    if (name === undefined) return;
    command = command.commands.find((candidate) => candidate.name() === name);
  }
  assert.ok(command, message);
  const options = ['--help', '--version', ...command.options.map(({ long }) => long)];
  for (const flag of line.match(/--[a-z-]+/g) ?? []) assert.ok(options.includes(flag), message);
}

function packageScripts(): Record<string, string> {
  return JSON.parse(read('package.json')).scripts;
}

function npmScripts(markdown: string): string[] {
  const named = [...markdown.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)];
  return named.map(([, script, short]) => script ?? short ?? '');
}

const UNITS: Record<string, number> = { s: 1_000, KiB: 2 ** 10, MiB: 2 ** 20 };

/** A limit as documented: milliseconds, bytes, or a count. */
function amount(text: string): number {
  const [, digits = '', unit = ''] = /^([\d,]+)(?: (\w+))?$/.exec(text) ?? [];
  return Number(digits.replaceAll(',', '')) * (UNITS[unit] ?? 1);
}

function constantIn(file: string, name: string): number {
  const [, written = ''] =
    new RegExp(`^(?:export )?const ${name} = ([\\d_* ]+);$`, 'm').exec(read(file)) ?? [];
  const value = written
    .replaceAll('_', '')
    .split('*')
    .reduce((product, factor) => product * Number(factor), 1);
  return name.endsWith('_SECONDS') ? value * 1_000 : value;
}
