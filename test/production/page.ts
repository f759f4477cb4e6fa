// The commands of a page of docs/production, to be pasted into a shell.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { codeBlocks } from '../support/markdown.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');

export const readPage = (name: string) => readFileSync(path.join(ROOT, 'docs/production', name), 'utf8');

/** The shell commands of the numbered steps, in order: a block each. */
export function commandsOf(page: string): string[] {
  const steps = page.split(/^## /m).filter((part) => /^\d+\. /.test(part));
  assert.ok(steps.length > 1);
  return steps
    .flatMap((step) => codeBlocks(step))
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text);
}

type Replacement = readonly [shown: string, used: string];

/** Each text must be in the commands: otherwise the page has changed, and the test must follow. */
export function replaceShown(text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((before, [shown, used]) => {
    assert.ok(before.includes(shown), `the page no longer has: ${shown}`);
    return before.replaceAll(shown, used);
  }, text);
}

/** Runs commands in bash as if they were pasted, and returns what they print. Fails with the first that fails. */
export async function paste(
  commands: string,
  { folder, environment = {} }: { folder: string; environment?: Record<string, string> },
): Promise<string> {
  const PATH = `${path.dirname(process.execPath)}:${process.env.PATH}`;
  return await new Promise((resolve, reject) => {
    execFile(
      'bash',
      ['-e', '-c', commands],
      { cwd: folder, env: { PATH, HOME: folder, ...environment } },
      (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(new Error(`${error.message}\n${stdout}\n${stderr}`)),
    );
  });
}
