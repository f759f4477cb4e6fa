// A key typed in the wrong place is already in the history of the shell. No command prints it again.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { formatApiKey } from '../../src/domain/access/api-key.ts';
import { dump } from '../../support/databases/engine.ts';
import { sharedScope } from '../../support/processes/scope.ts';
import { apply, createKey, run } from '../../support/program/command.ts';
import { commandLines, LEAVES } from './command-lines.ts';
import { documentOf, sandboxOf } from './helpers.ts';

const KEY = formatApiKey(randomInt);
const SECRET = KEY.slice('clk_'.length);
/** No output may contain this many characters of the key. */
const SHOWN_MAX = 8;

/** Complete, cut off at either end, with a typo, and inside a longer text. */
const TYPED = [
  KEY,
  KEY.slice(0, 30),
  SECRET,
  `${KEY.slice(0, -1)}${KEY.endsWith('a') ? 'b' : 'a'}`,
  `${KEY} `,
  `acme/${KEY}`,
  `${KEY}/rocket`,
  `https://example.com/?key=${KEY}`,
  `postgres://user:${KEY}@localhost/changelog`,
];

/** Every command gets a third of them. */
const SHARES = 3;

describe('a key typed in the wrong place', () => {
  const sandbox = sandboxOf(sharedScope());
  const terminal = { columns: () => 200, draw: (text: string) => void drawn.push(text) };
  const drawn: string[] = [];
  before(() => apply(sandbox, documentOf([{ version: '1.0.0', title: 'First', status: 'published' }])));

  const exitCodeOf = async (args: string[]) => {
    const { code, stdout, stderr } = await run(sandbox, args, KEY, { terminal });
    const told = [stdout, stderr, ...drawn.splice(0)].join('\n');
    for (let at = 0; at + SHOWN_MAX <= SECRET.length; at++)
      assert.ok(!told.includes(SECRET.slice(at, at + SHOWN_MAX)), `changelog ${args.join(' ')}: ${told}`);
    return code;
  };

  for (const [index, { path, command }] of LEAVES.entries()) {
    it(`\`${path.join(' ')}\` does not repeat a key typed in the wrong place, and does nothing`, async () => {
      const state = await dump(sandbox);
      // Each place gets some of the ways to type it; the next test tries all of them in one place.
      for (const typed of TYPED.filter((_, way) => way % SHARES === index % SHARES))
        for (const args of commandLines(path, command, typed)) assert.notEqual(await exitCodeOf(args), 0);
      assert.deepEqual(await dump(sandbox), state);
    });
  }

  it('a key typed as a command, an option or a setting is not repeated', async () => {
    for (const typed of TYPED) {
      assert.equal(await exitCodeOf([typed]), 2);
      assert.equal(await exitCodeOf([`--${typed}`]), 2);
      for (const group of ['team', 'product', 'changelog', 'version', 'key', 'help'])
        assert.notEqual(await exitCodeOf([group, typed]), 1);
      for (const setting of ['PORT', 'LOG_LEVEL', 'DATABASE_URL', 'REDIS_URL', 'TRUSTED_PROXIES', 'BASE_URL'])
        for (const args of [['team', 'list'], ['doctor'], ['doctor', '--json']]) {
          const place = { ...sandbox, environment: { [setting]: typed } };
          const { stdout, stderr } = await run(place, args);
          assert.ok(
            !`${stdout}${stderr}`.includes(SECRET.slice(0, SHOWN_MAX)),
            `${setting} ${stdout}${stderr}`,
          );
        }
    }
  });

  it('a key is rejected as a name, with the reason', async () => {
    for (const args of [
      ['team', 'set', 'acme', '--name', KEY],
      ['product', 'set', 'acme/rocket', '--name', `Rocket ${KEY}`],
      ['key', 'create', 'acme', '--kind', 'FULL', '--name', SECRET],
      ['key', 'create', 'acme', '--kind', 'FULL', '--out', KEY],
      ['init', '--yes', '--team', KEY, '--product', 'P'],
    ]) {
      const { code, stderr } = await run(sandbox, args);
      assert.equal(code, 2);
      assert.match(stderr, /It looks like an API key\./);
    }
  });

  it('`key create` prints its key, and content that mentions keys is printed as it is', async () => {
    const { key, id } = await createKey(sandbox, 'acme', '--kind', 'FULL', '--name', 'clk_ for the site');
    assert.match(key, /^clk_[0-9A-Za-z]{38}$/);
    assert.equal((await run(sandbox, ['key', 'delete', id, '--yes'])).code, 0);
    const text = `A key such as ${KEY}.`;
    await apply(sandbox, documentOf([{ version: '2.0.0', title: '', changes: [{ type: 'added', text }] }]));
    assert.ok((await run(sandbox, ['export', 'acme'])).stdout.includes(text));
  });
});
