// Replays the session of docs/first-session.md.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { MAIN, startNode } from '../cluster/nodes.ts';
import { temporaryFolder } from '../support/processes/scope.ts';
import { runOk } from '../support/program/command.ts';
import { codeBlocks } from './support/markdown.ts';
import { openTerminal } from './support/terminal.ts';
import { assertShown, type Step, stepsIn } from './support/transcript.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const SHOWN_ADDRESS = 'http://127.0.0.1:3000';

/** Types the answers shown after the prompts, as they appear. */
async function playAtTerminal(t: TestContext, folder: string, { command, output }: Step): Promise<string> {
  const args = command.split(' ').slice(1);
  const terminal = openTerminal(t, [process.execPath, MAIN, ...args], { folder });
  for (const [, question, answer = ''] of output.matchAll(/^(.+ \[.+\]:)(?: (.*))?$/gm)) {
    await terminal.shows(`${question} `);
    terminal.type(`${answer}\r`);
  }
  assert.equal(await terminal.ended, 0);
  return terminal.screen();
}

describe('docs/first-session.md', () => {
  it('the session of docs/first-session.md prints what the document shows', async (t) => {
    const folder = path.join(temporaryFolder(t), 'rocket');
    mkdirSync(folder);
    // Commands run inside this process, whose current folder is another one, so the database path must be absolute.
    const environment = { CHANGELOG_DATABASE_URL: `sqlite:${path.join(folder, 'data/changelog.db')}` };
    let address = '';

    const play = async (step: Step): Promise<string> => {
      const [program = '', ...args] = step.command.split(' ');
      if (program === 'curl') {
        const response = await fetch((args[0] ?? '').replace(SHOWN_ADDRESS, address));
        return (await response.text()).replaceAll(address, SHOWN_ADDRESS);
      }
      assert.equal(program, 'changelog');
      if (args[0] === 'init') return await playAtTerminal(t, folder, step);
      if (args[0] !== 'serve') return await runOk({ folder, environment }, args);
      const node = await startNode(t, { folder, environment: {}, args: args.slice(1) });
      address = node.address;
      return node.output().stdout.replaceAll(address, SHOWN_ADDRESS);
    };

    const played: string[] = [];
    for (const { language, text } of codeBlocks(
      readFileSync(path.join(ROOT, 'docs/first-session.md'), 'utf8'),
    )) {
      if (language === 'markdown') writeFileSync(path.join(folder, 'CHANGELOG.md'), text);
      else assert.equal(language, 'console');
      for (const step of stepsIn(text)) {
        assertShown(await play(step), step.output, step.command);
        played.push(step.command.split(' ').slice(0, 2).join(' '));
      }
    }
    assert.deepEqual(
      [...new Set(played.filter((command) => command.startsWith('changelog')))],
      ['changelog init', 'changelog version', 'changelog import', 'changelog serve'],
    );
    assert.equal(played.filter((command) => command.startsWith('curl')).length, 2);
  });
});
