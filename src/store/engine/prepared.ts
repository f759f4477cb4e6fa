// Queries that are compiled once, and readers that run them without the query builder: each of the two takes longer than
// many of the queries.
import { type Compilable, type Dialect, Kysely } from 'kysely';
import type { ReadonlyCompiledQuery } from 'kysely/readonly';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { PoolView, QueryEvent, Reader } from './engine.ts';
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
    if (onQuery === undefined) return run;
    return (parameters) => {
      onQuery({ query: { sql, parameters } });
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
const ONLY_SHAPE = Object.freeze({});

const shapes = new Map<string, object>();

/** The same object for equal shapes: compiled queries are cached by the identity of their shape. */
export function sharedShape<Shape extends object>(shape: Shape): Shape {
  const key = JSON.stringify(shape);
  const known = (shapes.get(key) as Shape | undefined) ?? shape;
  shapes.set(key, known);
  return known;
}

type PreparedQuery<Values, Row> = (values: Values) => MaybePromise<Row[]>;

/**
 * A query that is built once per database and shape. `build` receives placeholders for the values, and may use them only
 * as parameters.
 */
export function prepare<Values extends object, Row, Shape extends object>(
  build: (db: Reader, values: Values, shape: Shape) => Compilable<Row>,
): (db: Reader, values: Values, shape?: Shape) => MaybePromise<Row[]> {
  const queriesOf = new WeakMap<Reader, WeakMap<Shape, PreparedQuery<Values, Row>>>();
  return (db, values, shape = ONLY_SHAPE as Shape) => {
    const known = queriesOf.get(db)?.get(shape);
    if (known !== undefined) return known(values);
    const query: PreparedQuery<Values, Row> = prepareQuery(db, build(db, PLACEHOLDERS as Values, shape));
    queriesOf.set(db, (queriesOf.get(db) ?? new WeakMap()).set(shape, query));
    return query(values);
  };
}

/** In a transaction, only the query builder knows the connection. */
function prepareQuery<Values, Row>(db: unknown, built: Compilable): PreparedQuery<Values, Row> {
  const query = built.compile() as ReadonlyCompiledQuery<unknown>;
  const run: RunStatement =
    db instanceof DirectReader
      ? db.prepareStatement(query.sql)
      : async (parameters) => (await (db as Reader).executeQuery({ ...query, parameters })).rows;
  const fill = (parameter: unknown, values: Values) =>
    typeof parameter === 'symbol' ? values[parameter.description as keyof Values] : parameter;
  return (values) => run(query.parameters.map((one) => fill(one, values))) as MaybePromise<Row[]>;
}
