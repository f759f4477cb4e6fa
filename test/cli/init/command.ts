// Runs `init` and other commands, with answers typed at a terminal or without one.
import assert from 'node:assert/strict';
import { runCommand } from '../../../src/cli/program.ts';
import type { CommandResult } from '../../../support/program/command.ts';

type Try = Readonly<{
  folder: string;
  environment?: Record<string, string>;
  /** The answers typed; without them there is no terminal. */
  answers?: readonly string[];
  input?: Buffer;
}>;
type Tried = CommandResult & { questions: string[] };

/** With an empty environment, as on first use. */
export async function command(
  { folder, environment = {}, answers, input }: Try,
  ...args: string[]
): Promise<Tried> {
  const out: string[] = [];
  const err: string[] = [];
  const questions: string[] = [];
  const code = await runCommand(
    {
      environment,
      folder,
      print: (text) => void out.push(`${text}\n`),
      say: (text) => void err.push(`${text}\n`),
      ...(answers && {
        ask: async (question: string) => {
          const answer = answers[questions.push(question) - 1];
          if (answer === undefined) throw new Error(`nothing to answer: ${question}`);
          return answer;
        },
      }),
      standardInput: () => (input ? [input] : []),
      now: () => new Date().toISOString(),
      exit: (status) => assert.fail(`exit ${status}`),
    },
    args,
  );
  return { code, stdout: out.join(''), stderr: err.join(''), questions };
}
