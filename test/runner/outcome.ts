// A reporter of Node.js that writes one JSON document for a run: how many tests there were, and which failed.
import type { EventData } from 'node:test';

/** In the words of the reporters of Node.js. */
export const COUNTED = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'] as const;

export type Counts = Record<(typeof COUNTED)[number], number>;
/** `name` begins with the suites around the test. */
export type Failure = Readonly<{ name: string; place: string }>;
export type Outcome = Readonly<{ counts: Counts; failures: readonly Failure[] }>;

type TestEvent =
  | Readonly<{ type: 'test:start'; data: EventData.TestStart }>
  | Readonly<{ type: 'test:fail'; data: EventData.TestFail }>
  | Readonly<{ type: 'test:diagnostic'; data: EventData.TestDiagnostic }>;

export default async function* writeOutcome(events: AsyncIterable<TestEvent>) {
  const names: string[] = [];
  const failures: Failure[] = [];
  const counts: Record<string, number> = {};
  for await (const { type, data } of events) {
    if (type === 'test:start') names[data.nesting] = data.name;
    // A suite around a failed test is not a failure of its own; one whose hook failed is.
    if (type === 'test:fail' && failureType(data) !== 'subtestsFailed') {
      const name = [...names.slice(0, data.nesting), data.name].join(' › ');
      failures.push({ name, place: `${data.file}:${data.line}` });
    }
    // The totals, such as `tests 12`, belong to no file.
    if (type === 'test:diagnostic' && data.file === undefined) {
      const [what = '', count] = data.message.split(' ');
      counts[what] = Number(count);
    }
  }
  yield JSON.stringify({ counts, failures });
}

function failureType({ details }: EventData.TestFail): unknown {
  return (details.error as { failureType?: unknown }).failureType;
}
