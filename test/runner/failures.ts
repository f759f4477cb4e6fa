// A reporter of Node.js that prints only what failed, each with its whole error, as the reporter `spec` prints it.
import { Readable } from 'node:stream';
import { spec } from 'node:test/reporters';

type TestEvent = Readonly<{ type: string }>;

async function* failuresOf(events: AsyncIterable<TestEvent>) {
  for await (const event of events) if (event.type === 'test:fail') yield event;
}

export default async function* printFailures(events: AsyncIterable<TestEvent>) {
  yield* Readable.from(failuresOf(events)).compose(new spec());
}
