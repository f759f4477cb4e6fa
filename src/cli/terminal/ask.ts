// Asks at a terminal, and never on standard output, so that a question does not mix with a result.
import { openSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { WriteStream } from 'node:tty';
import { Refusal } from '../../errors.ts';

/** Thrown if nobody can see or answer the question. */
export class CannotAsk extends Refusal {}

/** The terminal of this process, wherever its streams go. */
const TERMINAL = '/dev/tty';

type Streams = Readonly<{ input: NodeJS.ReadStream; errors: NodeJS.WriteStream }>;

/** Shows the question on standard error, or, if that goes elsewhere, on the terminal itself. */
export async function ask({ input, errors }: Streams, question: string): Promise<string> {
  if (input.readableEnded || input.destroyed)
    throw new CannotAsk('standard input has ended, so the question cannot be answered; use --yes');
  const output = errors.isTTY ? errors : openTerminal();
  const reader = createInterface({ input, output, terminal: true });
  const cancelled = new AbortController();
  reader.once('close', () => cancelled.abort());
  try {
    return await reader.question(question, { signal: cancelled.signal });
  } catch (error) {
    throw new Refusal('no answer was given; nothing was done', { cause: error });
  } finally {
    reader.close();
    if (output !== errors) output.destroy();
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
