// Queries that are compiled once, and readers that run them without the query builder: each of the two takes longer than
// many of the queries.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Dialect, Kysely } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import { dialectOf, type Sql } from './dialect.ts';
import type { PoolView, QueryEvent, Reader, Writer } from './engine.ts';
import { DatabaseTimeout } from './failures.ts';
import type { Tables } from './schema.ts';

/** A database within this process returns the rows at once. */
export type RunStatement = (parameters: readonly unknown[]) => MaybePromise<unknown[]>;

type DirectOptions = Readonly<{
  dialect: Dialect;
  prepareStatement: (text: string) => RunStatement;
  /** The query builder closes only what it has used. May be called twice. */
  close: () => MaybePromise<unknown>;
  viewPool?: () => PoolView;
  onQuery: ((event: QueryEvent) => void) | undefined;
}>;

/** Once the time of a read is over, nobody waits for it, and it runs no more queries. */
type Limited = { isOver: boolean } | undefined;

const limitedRead = new AsyncLocalStorage<Limited>();

export function runLimited<T>(read: Limited, work: () => T): T {
  return limitedRead.run(read, work);
}

export class DirectReader extends Kysely<Tables> {
  readonly options: DirectOptions;

  constructor(options: DirectOptions) {
    const { dialect, onQuery } = options;
    super({ dialect, ...(onQuery && { log: onQuery }) });
    this.options = options;
  }

  prepareStatement(sql: string): RunStatement {
    const { prepareStatement, onQuery } = this.options;
    const run = prepareStatement(sql);
    return (parameters) => {
      if (limitedRead.getStore()?.isOver) throw new DatabaseTimeout('the time for this read is over');
      onQuery?.({ query: { sql, parameters } });
      return run(parameters);
    };
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    await this.options.close();
  }
}

/** In a compiled query, a symbol takes the place of each value until it runs. */
const PLACEHOLDERS = new Proxy({}, { get: (_, name) => Symbol(String(name)) });

type PreparedQuery<Values, Row> = (values: Values) => MaybePromise<Row[]>;

/**
 * A query that is built once per database, surface and options. `build` receives placeholders for the values, and may use
 * them only as parameters.
 */
export function prepare<Values extends object, Row, Options = undefined>(
  build: (db: Reader, values: Values, visible: VisibleRows, options: Options) => Sql<Row>,
) {
  const queriesOf = new WeakMap<Reader, Map<string, PreparedQuery<Values, Row>>>();
  return (
    db: Reader,
    values: Values,
    visible: VisibleRows = {},
    ...[options]: Options extends undefined ? [] : [Options]
  ): MaybePromise<Row[]> => {
    const queries = queriesOf.get(db) ?? new Map<string, PreparedQuery<Values, Row>>();
    const surface = visible.version ?? '';
    const key = options === undefined ? surface : surface + JSON.stringify(options);
    const query =
      queries.get(key) ??
      prepareQuery<Values, Row>(db, build(db, PLACEHOLDERS as Values, visible, options as Options));
    queriesOf.set(db, queries.set(key, query));
    return query(values);
  };
}

/** In a transaction, only the query builder knows the connection. */
function prepareQuery<Values, Row>(db: Reader, built: Sql<Row>): PreparedQuery<Values, Row> {
  const query = built.compile(db as unknown as Writer);
  const run: RunStatement =
    db instanceof DirectReader
      ? db.prepareStatement(query.sql)
      : async (parameters) => (await (db as unknown as Writer).executeQuery({ ...query, parameters })).rows;
  const fill = (parameter: unknown, values: Values) =>
    typeof parameter === 'symbol' ? values[parameter.description as keyof Values] : parameter;
  const { unpack } = dialectOf(db);
  return (values) => {
    const rows = run(query.parameters.map((one) => fill(one, values))) as MaybePromise<
      Record<string, unknown>[]
    >;
    return (unpack === null ? rows : andThen(rows, (some) => some.map(unpack))) as MaybePromise<Row[]>;
  };
}
