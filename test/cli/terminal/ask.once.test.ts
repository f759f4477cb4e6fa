import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import type { ReadStream } from 'node:tty';
import { pathToFileURL } from 'node:url';
import { MAIN } from '../../../cluster/nodes.ts';
import { ask } from '../../../src/cli/terminal/ask.ts';
import { environmentOf } from '../../../support/databases/engine.ts';
import { type Scope, sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { apply, type Sandbox } from '../../../support/program/command.ts';
import { openTerminal } from '../../support/terminal.ts';
import { documentOf, sandboxOf, versionsByLabel } from '../helpers.ts';

const ASK = pathToFileURL(path.resolve(import.meta.dirname, '../../../src/cli/terminal/ask.ts'));
/** Asks questions until the answer is `stop`. */
const PROGRAM = `
  import { ask } from '${ASK}';
  const streams = { input: process.stdin, errors: process.stderr };
  for (let turn = 1, answer = ''; answer !== 'stop'; turn++) {
    try {
      answer = await ask(streams, 'question ' + turn + ': ');
      console.log('answer ' + turn + ': ' + answer);
    } catch (error) {
      console.log('none to ' + turn + ': ' + error.message);
    }
  }`;
const CTRL_C = '\x03';
const CTRL_D = '\x04';
const BACKSPACE = '\x7f';

describe('a question at a terminal', () => {
  it('a question returns what is typed, and fails if it is cancelled', async (t) => {
    const command = [process.execPath, '--input-type=module', '-e', PROGRAM];
    const { shows, type, ended } = openTerminal(t, command, { folder: temporaryFolder(t) });
    const talk = async (question: number, keys: string, then: string) => {
      await shows(`question ${question}: `);
      type(keys);
      await shows(then);
    };
    await talk(1, `Acne${BACKSPACE}${BACKSPACE}me\r`, 'answer 1: Acme');
    await talk(2, CTRL_D, 'none to 2: no answer was given; nothing was done');
    await talk(3, `some${CTRL_C}`, 'none to 3: no answer was given; nothing was done');
    await talk(4, 'stop\r', 'answer 4: stop');
    assert.equal(await ended, 0);
  });

  it('a question fails if standard input has ended', async () => {
    const input = new PassThrough().end();
    for await (const _ of input) assert.fail('there is nothing in it');
    const streams = { input: input as unknown as ReadStream, errors: process.stderr };
    await assert.rejects(ask(streams, 'Delete it? '), /^Refusal: standard input has ended.*--yes/);
  });
});

const ON_OR_OFF = [true, false];
/** Every combination of streams that are a terminal. With an option, only standard input varies. */
const COMBINATIONS = ON_OR_OFF.flatMap((yes) =>
  ON_OR_OFF.flatMap((json) =>
    ON_OR_OFF.flatMap((stdin) =>
      ON_OR_OFF.flatMap((stdout) => ON_OR_OFF.map((stderr) => ({ yes, json, stdin, stdout, stderr }))),
    ),
  ),
).filter(({ yes, json, stdout, stderr }) => [yes, json, stdout || stderr].filter(Boolean).length < 2);
type Combination = (typeof COMBINATIONS)[number];

/** Runs a line of the shell at a terminal; `changelog` is the program. */
async function openShell(scope: Scope, sandbox: Sandbox, line: string) {
  const environment = await environmentOf(sandbox);
  const program = `changelog() { '${process.execPath}' '${MAIN}' "$@"; }; `;
  return openTerminal(scope, ['sh', '-c', program + line], { folder: sandbox.folder, environment });
}

describe('what counts as a terminal', () => {
  const scope = sharedScope();
  const sandbox = sandboxOf(scope);
  const labelOf = (combination: Combination) => `1.${COMBINATIONS.indexOf(combination)}.0`;
  const nameOf = (combination: Combination) =>
    Object.entries(combination)
      .map(([name, isOn]) => `${isOn ? '' : 'no '}${name}`)
      .join(', ');

  /** Standard input says yes even where nobody is asked. */
  const deleteVersion = async (combination: Combination): Promise<void> => {
    const { yes, json, stdin, stdout, stderr } = combination;
    const label = labelOf(combination);
    const output = path.join(sandbox.folder, `${label}.out`);
    const errors = path.join(sandbox.folder, `${label}.err`);
    const line = [
      `changelog version delete acme/rocket ${label}`,
      ...(yes ? ['--yes'] : []),
      ...(json ? ['--json'] : []),
      ...(stdin ? [] : ['< answer']),
      ...(stdout ? [] : [`> ${output}`]),
      ...(stderr ? [] : [`2> ${errors}`]),
    ];
    const terminal = await openShell(scope, sandbox, line.join(' '));
    const question = `Delete the version ${label} of acme/rocket? [y/N] `;
    const isAsked = !yes && stdin && stderr;
    if (isAsked) {
      await terminal.shows(question);
      terminal.type('y\r');
    }
    const isDeleted = yes || isAsked;
    assert.equal(await terminal.ended, isDeleted ? 0 : 1, `${nameOf(combination)}: ${terminal.screen()}`);
    assert.equal(terminal.screen().includes(question), isAsked, nameOf(combination));
    const said = stderr ? terminal.screen() : readFileSync(errors, 'utf8');
    const refusal = stdin
      ? 'changelog: standard error is not a terminal, so the question cannot be shown; use --yes\n'
      : `changelog: there is no terminal to ask at, and this would delete the version ${label} of acme/rocket; use --yes\n`;
    if (!isDeleted) assert.equal(said, refusal, nameOf(combination));
    else if (!stderr) assert.equal(said, '', nameOf(combination));
    if (!stdout && json && isDeleted)
      assert.deepEqual(JSON.parse(readFileSync(output, 'utf8')), { deleted: label });
  };

  it('delete asks if standard input and standard error are a terminal, wherever the output goes, and otherwise needs --yes', async () => {
    writeFileSync(path.join(sandbox.folder, 'answer'), 'y\n');
    const versions = COMBINATIONS.map((combination) => ({ version: labelOf(combination), title: '' }));
    await apply(sandbox, documentOf(versions));
    for (let at = 0; at < COMBINATIONS.length; at += 8)
      await Promise.all(COMBINATIONS.slice(at, at + 8).map(deleteVersion));
    assert.deepEqual(
      new Set((await versionsByLabel(sandbox)).keys()),
      new Set(COMBINATIONS.filter(({ yes, stdin, stderr }) => !yes && !(stdin && stderr)).map(labelOf)),
    );
  });

  it('init asks at the terminal, wherever the output goes, and says there why it asks again', async (t) => {
    const own = sandboxOf(t, { withoutDatabase: true });
    const line = 'changelog init --no-import > out';
    const { shows, type, ended } = await openShell(t, own, line);
    await shows('What is your product called? [');
    type('???\r');
    await shows('URLs are made of a-z and 0-9');
    await shows('What is your product called? [');
    type('Rocket\r');
    assert.equal(await ended, 0);
    assert.doesNotMatch(readFileSync(path.join(own.folder, 'out'), 'utf8'), /What is your product/);
  });
});
