import assert from 'node:assert/strict';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import type { ReadStream } from 'node:tty';
import { pathToFileURL } from 'node:url';
import { askOn } from '../../../src/cli/terminal/ask.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { openTerminal } from '../../support/terminal.ts';

const ASK = pathToFileURL(path.resolve(import.meta.dirname, '../../../src/cli/terminal/ask.ts'));
/** Asks questions, every second one hidden, until the answer is `stop`. */
const PROGRAM = `
  import { askOn } from '${ASK}';
  const streams = { input: process.stdin, output: process.stderr };
  for (let turn = 1, answer = ''; answer !== 'stop'; turn++) {
    const hidden = turn % 2 === 0;
    try {
      answer = await askOn(streams, 'question ' + turn + ': ', { hidden });
      console.log('answer ' + turn + ' has ' + answer.length + ': ' + (hidden ? '' : answer));
    } catch (error) {
      console.log('none to ' + turn + ': ' + error.message);
    }
  }`;
const CTRL_C = '\x03';
const CTRL_D = '\x04';
const BACKSPACE = '\x7f';

describe('a question at a terminal', () => {
  it('a question returns what is typed, also hidden or typed ahead, and fails if it is cancelled', async (t) => {
    const command = [process.execPath, '--input-type=module', '-e', PROGRAM];
    const { shows, type, screen, ended } = openTerminal(t, command, { folder: temporaryFolder(t) });
    const talk = async (question: number, keys: string, then: string) => {
      await shows(`question ${question}: `);
      type(keys);
      await shows(then);
    };
    await talk(1, `Acne${BACKSPACE}${BACKSPACE}me\r`, 'answer 1 has 4: Acme');
    await talk(2, 'hunter2\r', 'answer 2 has 7: ');
    await talk(3, CTRL_D, 'none to 3: no answer was given; nothing was done');
    await talk(4, `hun${CTRL_C}`, 'none to 4: no answer was given; nothing was done');
    await talk(5, 'one\rhunter3\r\nthree\r', 'answer 5 has 3: one');
    await shows('answer 6 has 7: ');
    await shows('answer 7 has 5: three');
    await talk(8, `${CTRL_D}`, 'none to 8');
    await talk(9, 'stop\r', 'answer 9 has 4: stop');
    assert.equal(await ended, 0);
    assert.doesNotMatch(screen(), /hun/);
    assert.match(screen(), /^question 3: \nnone to 3/m, 'the message has a line of its own');
    assert.match(screen(), /^question 4: \nnone to 4/m);
  });

  it('a question fails if standard input has ended', async () => {
    const input = new PassThrough().end();
    for await (const _ of input) assert.fail('there is nothing in it');
    const streams = { input: input as unknown as ReadStream, output: process.stderr };
    await assert.rejects(askOn(streams, 'Delete it? '), /^Refusal: standard input has ended.*--yes/);
  });
});
