// Prepared statements, with as little work for each run as the protocol allows.
import type { RunStatement } from '../engine/prepared.ts';

type Field = Readonly<{ name: string; dataTypeID: number }>;
type Parse = (text: string) => unknown;
type Column = Readonly<{ name: string; parse: Parse }>;

/** The part of pg's connection that its own queries use. */
type Connection = Readonly<{
  stream: Readonly<{ cork: () => void; uncork: () => void }>;
  parsedStatements: Record<string, string>;
  parse: (statement: { name: string; text: string }) => void;
  bind: (bound: { statement: string; values: readonly unknown[]; valueMapper: typeof asText }) => void;
  describe: (portal: { type: 'P'; name: '' }) => void;
  execute: (portal: { portal: '' }) => void;
  sync: () => void;
}>;

type Client = Readonly<{ query: (execution: Execution) => unknown; release: (isBroken: boolean) => void }>;

/** A statement and, from its first run on, its columns, as the connection that was the last to parse it knows them. */
type Statement = {
  /** Empty if the server has enough statements with a name: then it is parsed each time. */
  readonly name: string;
  readonly text: string;
  readonly parserOf: (type: number) => Parse;
  columns: readonly Column[] | null;
};

type Run = Readonly<{
  statement: Statement;
  values: readonly unknown[];
  onDone: OnDone;
  prelude: string | undefined;
}>;
type OnDone = (error: unknown, rows: unknown[]) => void;

const NO_ROWS: unknown[] = [];

/**
 * One run of a statement, in the form of pg's own queries. Columns are asked for when a connection parses the statement, and
 * not with each run: they may have changed since, and then the server refuses to run what was parsed before.
 */
class Execution {
  readonly name: string;
  readonly text: string;
  readonly #prelude: string | undefined;
  /** pg replaces it to measure the time. */
  callback: OnDone;
  readonly #statement: Statement;
  readonly #values: readonly unknown[];
  readonly #rows: unknown[] = [];
  #columns: readonly Column[] | null = null;
  #hasFailed = false;

  constructor({ statement, values, onDone, prelude }: Run) {
    this.name = prelude === undefined ? statement.name : '';
    this.text = statement.text;
    this.#prelude = prelude;
    this.callback = onDone;
    this.#statement = statement;
    this.#values = values;
  }

  submit(connection: Connection): null {
    const { name, text } = this;
    const isParsed = connection.parsedStatements[name] !== undefined;
    if (isParsed) this.#columns = this.#statement.columns;
    // All messages in one packet.
    connection.stream.cork();
    try {
      if (this.#prelude !== undefined) run(connection, this.#prelude);
      if (!isParsed) connection.parse({ name, text });
      connection.bind({ statement: name, values: this.#values, valueMapper: asText });
      if (this.#columns === null) connection.describe({ type: 'P', name: '' });
      connection.execute({ portal: '' });
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    const { parserOf } = this.#statement;
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
    this.#statement.columns = this.#columns;
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    const columns = this.#columns;
    // A row of the prelude.
    if (columns === null) return;
    for (let index = 0; index < fields.length; index++) {
      const { name, parse } = columns[index] as Column;
      const value = fields[index] as string | null;
      row[name] = value === null ? null : parse(value);
    }
    this.#rows.push(row);
  }

  handleCommandComplete(): void {}

  handleError(error: unknown): void {
    this.#hasFailed = true;
    this.callback(error, NO_ROWS);
  }

  handleReadyForQuery(): void {
    if (!this.#hasFailed) this.callback(null, this.#rows);
  }
}

/** Its rows have no description. Up to the next `sync`, everything is one transaction. */
function run(connection: Connection, text: string): void {
  connection.parse({ name: '', text });
  connection.bind({ statement: '', values: [], valueMapper: asText });
  connection.execute({ portal: '' });
}

function asText(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

type RunnerOptions = Readonly<{
  pool: Readonly<{ waitingCount: number }>;
  connectionsMax: number;
  take: () => Promise<Client>;
  nameOf: (text: string) => string | undefined;
  /** What a connection has to run before each statement, which then has no name. */
  preludeOf: (client: Client) => string | undefined;
  parserOf: (type: number) => Parse;
  /** True for an error after which the connection can be used further. */
  isHarmless: (error: unknown) => boolean;
  classify: (error: unknown) => unknown;
  /** How long a statement waits for a connection. */
  waitMsMax: number;
}>;

type Job = Readonly<{ statement: Statement; values: readonly unknown[]; onDone: OnDone; askedAt: number }>;

/**
 * Runs statements on the connections of a pool. While statements wait, a connection goes from one to the next: giving it
 * back to the pool and taking it again costs about as much as a query.
 */
export function createRunner(options: RunnerOptions) {
  const { pool, connectionsMax, take, nameOf, preludeOf, parserOf, isHarmless, classify, waitMsMax } =
    options;
  const waiting: Job[] = [];
  let used = 0;

  function enqueue(job: Job): void {
    if (used < connectionsMax) void serve(job);
    else waiting.push(job);
  }

  async function serve(first: Job): Promise<void> {
    used++;
    try {
      const client = await take();
      let isBroken = await runOn(client, first);
      // What waits for the pool itself comes first.
      while (!isBroken && pool.waitingCount === 0) {
        const next = nextWaiting();
        if (next === undefined) break;
        isBroken = await runOn(client, next);
      }
      client.release(isBroken);
    } catch (error) {
      first.onDone(error, NO_ROWS);
    }
    used--;
    const next = nextWaiting();
    if (next !== undefined) enqueue(next);
  }

  function nextWaiting(): Job | undefined {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      if (performance.now() - job.askedAt <= waitMsMax) return job;
      job.onDone(new Error('timeout exceeded when trying to connect'), NO_ROWS);
    }
    return undefined;
  }

  /** Returns true if the connection cannot be used any more. */
  function runOn(client: Client, { statement, values, onDone }: Job): Promise<boolean> {
    return new Promise((resolve) => {
      const finish: OnDone = (error, rows) => {
        onDone(error, rows);
        resolve(error !== null && !isHarmless(error));
      };
      client.query(new Execution({ statement, values, onDone: finish, prelude: preludeOf(client) }));
    });
  }

  function prepareStatement(text: string): RunStatement {
    const statement: Statement = { name: nameOf(text) ?? '', text, parserOf, columns: null };
    return (values) =>
      new Promise((resolve, reject) => {
        const onDone: OnDone = (error, rows) => (error === null ? resolve(rows) : reject(classify(error)));
        enqueue({ statement, values, onDone, askedAt: performance.now() });
      });
  }

  return { prepareStatement, waitingCount: () => waiting.length };
}
