// Sessions in the documents: commands after `$ `, each with its output.
import assert from 'node:assert/strict';

export type Step = Readonly<{ command: string; output: string }>;

export function stepsIn(transcript: string): Step[] {
  return transcript
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const end = text.indexOf('\n');
      return { command: text.slice(0, end), output: text.slice(end + 1) };
    });
}

/** `…` matches anything on its line, and any lines on a separate line. */
export function assertShown(actual: string, shown: string, command: string): void {
  const trim = (text: string) => text.replaceAll(/[ \t]+$/gm, '').trimEnd();
  const lines = trim(shown)
    .split('\n')
    .map((line) => (line.trim() === '…' ? '[^]*?' : line.split('…').map(RegExp.escape).join('.*?')));
  assert.match(trim(actual), new RegExp(`^${lines.join('\n')}$`), command);
}
