// Asks at a terminal, and never on standard output, so that a question does not mix with a result.
import { createInterface } from 'node:readline/promises';
import { Refusal } from '../../errors.ts';

type Streams = Readonly<{ input: NodeJS.ReadStream; errors: NodeJS.WriteStream }>;

export async function ask({ input, errors }: Streams, question: string): Promise<string> {
  if (input.readableEnded || input.destroyed)
    throw new Refusal('standard input has ended, so the question cannot be answered; use --yes');
  if (!errors.isTTY)
    throw new Refusal('standard error is not a terminal, so the question cannot be shown; use --yes');
  const reader = createInterface({ input, output: errors, terminal: true });
  const cancelled = new AbortController();
  reader.once('close', () => cancelled.abort());
  try {
    return await reader.question(question, { signal: cancelled.signal });
  } catch (error) {
    throw new Refusal('no answer was given; nothing was done', { cause: error });
  } finally {
    reader.close();
  }
}
