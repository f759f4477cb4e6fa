// Asks questions at a terminal, and never on standard output, so that they do not mix with a result.
import { openSync } from 'node:fs';
import { createInterface, type Key } from 'node:readline';
import { Writable } from 'node:stream';
import { WriteStream } from 'node:tty';
import { Refusal } from '../../errors.ts';

/** Thrown if nobody can see or answer the question. */
export class CannotAsk extends Refusal {}

/** The terminal of this process, wherever its streams go. */
const TERMINAL = '/dev/tty';

/** Shows the question on standard error, or, if that goes elsewhere, on the terminal itself. */
export async function ask(
  { input, errors }: Readonly<{ input: NodeJS.ReadStream; errors: NodeJS.WriteStream }>,
  question: string,
  options?: { hidden?: boolean },
): Promise<string> {
  if (errors.isTTY) return await askOn({ input, output: errors }, question, options);
  const output = openTerminal();
  try {
    return await askOn({ input, output }, question, options);
  } finally {
    output.destroy();
  }
}

function openTerminal(): WriteStream {
  try {
    return new WriteStream(openSync(TERMINAL, 'w'));
  } catch {
    throw new CannotAsk(
      `the question cannot be shown: standard error is not a terminal, and ${TERMINAL} cannot be opened; do not redirect standard error`,
    );
  }
}

type Streams = Readonly<{ input: NodeJS.ReadStream; output: NodeJS.WriteStream }>;

export async function askOn(
  { input, output }: Streams,
  question: string,
  { hidden = false } = {},
): Promise<string> {
  if (input.readableEnded || input.destroyed)
    throw new CannotAsk('standard input has ended, so the question cannot be answered; use --yes');
  // readline echoes what is typed to its output.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({
    input,
    output: hidden ? nowhere : output,
    terminal: true,
    historySize: 0,
    prompt: hidden ? '' : question,
  });
  const { promise: answered, resolve: answer, reject: giveUp } = Promise.withResolvers<string>();
  let isAnswered = false;
  const keys: Key[] = [];
  const onKey = (_text: string | undefined, key: Key) => {
    if (isAnswered) keys.push(key);
  };
  reader.once('line', (line) => {
    isAnswered = true;
    answer(line);
    reader.close();
  });
  reader.once('close', () => giveUp(new Refusal('no answer was given; nothing was done')));
  reader.once('SIGINT', () => reader.close());
  input.on('keypress', onKey);
  if (hidden) output.write(question);
  reader.prompt();
  try {
    return await answered;
  } finally {
    input.off('keypress', onKey);
    if (hidden || !isAnswered) output.write('\n');
    const ahead = typedAhead(keys);
    if (ahead !== '') input.unshift(Buffer.from(ahead));
  }
}

/** Lines pasted together with the answer are kept to answer the next questions. */
function typedAhead([end, ...rest]: readonly Key[]): string {
  const isPair = end?.sequence === '\r' && rest[0]?.sequence === '\n';
  return (isPair ? rest.slice(1) : rest).map(({ sequence }) => sequence ?? '').join('');
}
