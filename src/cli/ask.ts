// Questions to the person at the terminal. They go to standard error, so that what is asked never mixes with a result.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Refusal } from '../errors.ts';

type Streams = Readonly<{ input: NodeJS.ReadStream; output: NodeJS.WriteStream }>;

export async function askOn(
  { input, output }: Streams,
  question: string,
  { hidden = false } = {},
): Promise<string> {
  // What the person types is echoed by this; what is hidden is not to be.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: hidden ? nowhere : output, terminal: true });
  const { promise: given, reject: giveUp } = Promise.withResolvers<never>();
  const onEnd = () => giveUp(new Refusal('no answer was given; nothing was done.'));
  reader.once('close', onEnd);
  reader.once('SIGINT', onEnd);
  try {
    if (hidden) output.write(question);
    const answer = await Promise.race([reader.question(hidden ? '' : question), given]);
    if (hidden) output.write('\n');
    return answer;
  } finally {
    reader.off('close', onEnd);
    reader.close();
  }
}
