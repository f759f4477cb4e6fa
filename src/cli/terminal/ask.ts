// Asks questions on standard error, so that they never mix with a result on standard output.
import { createInterface, type Key } from 'node:readline';
import { Writable } from 'node:stream';
import { Refusal } from '../../errors.ts';

type Streams = Readonly<{ input: NodeJS.ReadStream; output: NodeJS.WriteStream }>;

export async function askOn(
  { input, output }: Streams,
  question: string,
  { hidden = false } = {},
): Promise<string> {
  if (input.readableEnded || input.destroyed)
    throw new Refusal('standard input has ended, so the question cannot be answered; use --yes');
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
