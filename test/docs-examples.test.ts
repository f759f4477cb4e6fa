// Runs every curl example of the documents on a real server and compares the response with the one shown.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { FEED_PARAMETERS, RANGE_PARAMETERS } from '../src/http/query.ts';
import { UPDATE_PARAMETERS } from '../src/http/reads/records.ts';
import { type HttpResponse, openClient } from '../support/http/http-client.ts';
import { sharedScope, temporaryFolder } from '../support/processes/scope.ts';
import { listenApp } from '../support/program/app.ts';
import { createKey, runOk } from '../support/program/command.ts';
import { type Block, bare, codeBlocks, section, tableUnder } from './support/markdown.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** The URL of the demo, and the base of its links. */
const SHOWN_ADDRESS = 'http://127.0.0.1:3000';
const CUT = '…';
/** Identifiers, cursors, numbers of releases and ETags. */
const OWN_NAME = /(?:cl|ver|chg)_[0-9a-f]{32}|(?<=cursor=)[\w-]+|(?<=releases\/)\d+|"[\w-]{27}"/g;
const RESPONSES = ['json', 'xml', 'html', 'http', 'markdown', 'text'];
const GATE = {
  PASSWORD_PROTECTION: 'true',
  PASSWORD_PROTECTION_USERNAME: 'site',
  PASSWORD_PROTECTION_PASSWORD: 'PASSWORD',
};

type Call = Readonly<{ url: string; headers: Readonly<Record<string, string>>; withHead: boolean }>;
type Example = Readonly<{ file: string; command: string; response: Block | undefined }>;

const EXAMPLES = [
  'README.md',
  'docs/api.md',
  'docs/feeds.md',
  'docs/outputs.md',
  'docs/pages.md',
  'docs/agents.md',
].flatMap(examplesIn);

describe('the examples of the documents', () => {
  const scope = sharedScope();
  const client = openClient();
  scope.after(client.close);
  const names = createNameMap();
  let addresses: Readonly<{ open: string; gated: string }>;
  let routes: string[] = [];
  let key = '';

  before(async () => {
    const sandbox = { folder: temporaryFolder(scope) };
    await runOk(sandbox, [
      'apply',
      path.join(ROOT, 'demo/acme.yaml'),
      path.join(ROOT, 'demo/nightshift.yaml'),
    ]);
    key = (await createKey(sandbox, 'acme', '--kind', 'FULL')).key;
    const open = await listenApp(scope, sandbox, { BASE_URL: SHOWN_ADDRESS, LISTING: 'all' });
    const gated = await listenApp(scope, sandbox, { BASE_URL: SHOWN_ADDRESS, ...GATE });
    addresses = { open: open.address, gated: gated.address };
    routes = open.app.routes.map(({ path: route }) => route);
  });

  for (const { file, command, response } of EXAMPLES) {
    it(`an example of ${file} returns the response shown: ${command.replaceAll(/\s+/g, ' ')}`, async () => {
      assert.ok(response && RESPONSES.includes(response.language), 'the example has no response');
      const { url, headers, withHead } = readCall(names.toOurs(command), { KEY: key });
      const address = headers.authorization?.startsWith('Basic ') ? addresses.gated : addresses.open;
      assert.ok(url.startsWith(SHOWN_ADDRESS), url);
      const got = await client.get(url.replace(SHOWN_ADDRESS, address), headers);
      assert.equal(response.language === 'http', withHead, '-i shows the headers');
      if (withHead) assertHttp(response.text, got);
      else assertBody(response, got.body);
    });
  }

  it('the documents have an example for every parameter of every route that accepts it', () => {
    const shown = (end: string) =>
      new Set(
        successes()
          .filter(({ pathname }) => pathname.endsWith(end))
          .flatMap(({ searchParams }) => [...searchParams.keys()]),
      );
    assert.deepEqual([...shown('/changelog')].sort(), Object.keys(FEED_PARAMETERS).sort());
    assert.deepEqual([...shown('/changes')].sort(), Object.keys(RANGE_PARAMETERS).sort());
    assert.deepEqual([...shown('/update')].sort(), Object.keys(UPDATE_PARAMETERS).sort());
  });

  it('the documents have an example for every route that is not a page', () => {
    const paths = successes().map(({ pathname }) => pathname);
    for (const route of routes.filter((pattern) => /^\/(?:api|docs)\b|\.md$/.test(pattern))) {
      // A file has the same text on both surfaces, so one example is enough.
      const surfaces = /\.\w+$/.test(route) ? route.replace('/v1/teams', '/v1/(public/)?teams') : route;
      const pattern = new RegExp(`^${surfaces.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
      assert.ok(
        paths.some((shown) => pattern.test(shown)),
        route,
      );
    }
  });

  function assertHttp(shown: string, got: HttpResponse): void {
    const [head = '', ...body] = shown.split('\n\n');
    const [first, ...lines] = head.trim().split('\n');
    assert.equal(first, `HTTP/1.1 ${got.status} ${STATUS_CODES[got.status]}`);
    for (const line of lines.filter((text) => text !== CUT)) {
      const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(line) ?? [];
      assertText(value, String(got.headers[name.toLowerCase()]));
    }
    if (body.length === 0) assert.equal(got.body, '');
    else assertBody({ language: 'json', text: body.join('\n\n') }, got.body);
  }

  function assertBody({ language, text }: Block, body: string): void {
    if (language === 'json') assertValue(JSON.parse(text), JSON.parse(body));
    else assertText(text.trimEnd(), body.trimEnd());
  }

  /** A shortened list ends with the ellipsis, and a shortened object has it as a field. */
  function assertValue(shown: unknown, got: unknown): void {
    if (typeof shown === 'string') assertText(shown, got);
    else if (typeof shown === 'object' && shown !== null) assertFields(shown, got);
    else assert.equal(got, shown);
  }

  function assertFields(shown: object, got: unknown): void {
    assert.ok(typeof got === 'object' && got !== null);
    assert.equal(Array.isArray(got), Array.isArray(shown));
    const isCut = CUT in shown || (Array.isArray(shown) && shown.at(-1) === CUT);
    const fields = Object.entries(shown).filter(([name, value]) => name !== CUT && value !== CUT);
    const kept = fields.map(([name]) => name);
    const all = Object.keys(got);
    if (isCut) assert.ok(kept.length < all.length, `nothing is left out of ${JSON.stringify(shown)}`);
    assert.deepEqual(kept, isCut ? all.filter((name) => kept.includes(name)) : all);
    for (const [name, value] of fields) assertValue(value, (got as Record<string, unknown>)[name]);
  }

  function assertText(shown: string, got: unknown): void {
    assert.ok(typeof got === 'string');
    const own = shown.match(OWN_NAME) ?? [];
    const [start = '', ...ends] = shown.split(OWN_NAME).map(patternOf);
    const rest = ends.map((end, index) => shapeOf(own[index] ?? '') + end);
    const match = new RegExp(`^${start}${rest.join('')}$`).exec(got);
    // The plain comparison shows the difference.
    if (match === null) assert.equal(got, shown);
    for (const [index, name] of own.entries()) names.note(name, match?.[index + 1] ?? '');
  }
});

describe('the table of parameters in docs/api.md', () => {
  it('docs/api.md lists every parameter, its valid values, and whether a range accepts it', () => {
    const documented = tableUnder(read('docs/api.md'), 'Parameter').map(([name = '', takes, , range]) => [
      bare(name),
      takes,
      range,
    ]);
    const known = Object.entries(FEED_PARAMETERS).map(([name, { expected }]) => [
      name,
      expected,
      name in RANGE_PARAMETERS ? 'yes' : '–',
    ]);
    assert.deepEqual(documented, known);
  });

  it('docs/api.md lists every parameter of an update check with its valid values', () => {
    const table = tableUnder(section(read('docs/api.md'), '## Is there an update?'), 'Parameter');
    assert.deepEqual(
      table.map(([name = '', takes]) => [bare(name), takes]),
      Object.entries(UPDATE_PARAMETERS).map(([name, { expected }]) => [name, expected]),
    );
  });
});

/** A code block with a curl command is an example, and the next block is its response. */
function examplesIn(file: string): Example[] {
  const blocks = codeBlocks(read(file));
  return blocks.flatMap(({ language, text }, index) =>
    language === 'sh' && /^curl /m.test(text)
      ? [{ file, command: text.trim(), response: blocks[index + 1] }]
      : [],
  );
}

function successes(): URL[] {
  return EXAMPLES.filter(({ response }) => !response?.text.includes('"error"')).map(
    ({ command }) => new URL(readCall(command, { KEY: 'key' }).url),
  );
}

/** Parses the curl options that the documents use. */
function readCall(command: string, variables: Readonly<Record<string, string>>): Call {
  const [program, ...words] = shellWords(command, variables);
  assert.equal(program, 'curl');
  const headers: Record<string, string> = {};
  const fields: string[] = [];
  let url = '';
  let withHead = false;
  const takeWord = () => words.shift() ?? '';
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-H') {
      const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(takeWord()) ?? [];
      headers[name.toLowerCase()] = value;
    } else if (word === '-u') headers.authorization = `Basic ${Buffer.from(takeWord()).toString('base64')}`;
    else if (word === '--data-urlencode') {
      const [name, value = ''] = takeWord().split(/=(.*)/s);
      fields.push(`${name}=${encodeURIComponent(value)}`);
    } else if (word === '-i') withHead = true;
    else if (word !== '-G') {
      assert.ok(url === '' && !word.startsWith('-'), `not understood: ${word}`);
      url = word;
    }
  }
  return { url: fields.length === 0 ? url : `${url}?${fields.join('&')}`, headers, withHead };
}

/** Characters with a meaning in the shell must be quoted, so that users can copy the command. */
function shellWords(line: string, variables: Readonly<Record<string, string>>): string[] {
  const withValues = (text: string) => text.replaceAll(/\$(\w+)/g, (_, name) => variables[name] ?? '');
  const words = line.replaceAll('\\\n', ' ').match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"|([^'"]+)/g, (_, single, double, plain) => {
      assert.doesNotMatch(plain ?? '', /[?&*;|<>()$]/, `must be quoted: ${line}`);
      return single ?? withValues(double ?? plain);
    }),
  );
}

/** Ids, cursors and ETags differ in each database: maps those shown to the actual ones, one to one. */
function createNameMap() {
  const ours = new Map<string, string>();
  const shown = new Map<string, string>();
  return {
    toOurs: (text: string) => text.replaceAll(OWN_NAME, (name) => ours.get(name) ?? name),
    note: (name: string, own: string) => {
      assert.equal(ours.get(name) ?? own, own, `${name} is shown for two values`);
      assert.equal(shown.get(own) ?? name, name, `${own} is shown in two ways`);
      ours.set(name, own);
      shown.set(own, name);
    },
  };
}

function shapeOf(name: string): string {
  const [, prefix] = /^([a-z]+_)[0-9a-f]{32}$/.exec(name) ?? [];
  if (prefix !== undefined) return `(${prefix}[0-9a-f]{32})`;
  return name.startsWith('"') ? '("[\\w-]{27}")' : '([\\w-]+)';
}

function patternOf(text: string): string {
  return text
    .split(CUT)
    .map((part) => RegExp.escape(part))
    .join('[\\s\\S]+?');
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
