// Runs the example of docs/moving.md.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { PUBLIC_FEED } from '../support/content/world.ts';
import { temporaryFolder } from '../support/processes/scope.ts';
import { startApp } from '../support/program/app.ts';
import { runOk } from '../support/program/command.ts';
import { codeBlock, codeBlocks } from './support/markdown.ts';
import { assertShown, stepsIn } from './support/transcript.ts';

const MOVING = readFileSync(path.resolve(import.meta.dirname, '../docs/moving.md'), 'utf8');

describe('docs/moving.md', () => {
  it('the example of docs/moving.md prints what the document shows, and changes nothing the second time', async (t) => {
    const sandbox = { folder: temporaryFolder(t) };
    const fileAt = (name: string) => path.join(sandbox.folder, name);
    const run = async (command: string): Promise<string> => {
      const [words = '', target] = command.split(' > ');
      const [program, ...args] = words.split(' ');
      const named = args.map((arg) => (arg.endsWith('.json') ? fileAt(arg) : arg));
      if (program === 'changelog') return await runOk(sandbox, named);
      assert.equal(program, 'node');
      const output = execFileSync(process.execPath, args, { cwd: sandbox.folder, encoding: 'utf8' });
      if (target === undefined) return output;
      writeFileSync(fileAt(target), output);
      return '';
    };

    writeFileSync(fileAt('posts.json'), codeBlock(MOVING, 'json'));
    for (const { language, text } of codeBlocks(MOVING)) {
      const [, script] = /^\/\/ (\S+\.mjs)$/m.exec(text) ?? [];
      if (language === 'js') writeFileSync(fileAt(script ?? ''), text);
      if (language !== 'console') continue;
      for (const { command, output } of stepsIn(text)) assertShown(await run(command), output, command);
    }
    assert.match(await run('changelog apply acme.json'), /^Nothing to do: .* 6 unchanged\.$/m);

    const { app } = await startApp(t, sandbox);
    const read = async (rest: string) => (await app.inject(PUBLIC_FEED + rest)).json().data;
    assert.equal(
      (await read('/versions/ver_7f3c01')).changes[0].html,
      '<p>Choose <em>Appearance</em> in the settings.</p>',
    );
    assert.equal((await read('/versions/2026.5.4+2')).title, 'Exports no longer time out');
    assert.equal((await read('/changes?from=2026.4.30')).changeCount, 2);
    assert.equal((await app.inject(`${PUBLIC_FEED}/versions/ver_7f3c03`)).statusCode, 404);
  });
});
