import type { Compilable } from 'kysely';
import type { ReadonlyCompiledQuery } from 'kysely/readonly';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { DirectReader, type RunStatement } from './direct.ts';
import type { Reader } from './engine.ts';

/** Takes the place of a value in a compiled query until it runs. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const PLACEHOLDERS = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });
const ONLY_SHAPE = Object.freeze({});

const shapes = new Map<string, object>();

/** The same object for equal shapes: compiled queries are cached by the identity of their shape. */
export function sharedShape<Shape extends object>(shape: Shape): Shape {
  const key = JSON.stringify(shape);
  const known = (shapes.get(key) as Shape | undefined) ?? shape;
  shapes.set(key, known);
  return known;
}

type PreparedQuery = Readonly<{ parameters: readonly unknown[]; run: RunStatement }>;

/**
 * A query that is built and compiled once per database and shape, because that takes longer than running it. `build`
 * receives placeholders for the values, and may use them only as parameters.
 */
export function prepare<Values extends object, Row, Shape extends object>(
  build: (db: Reader, values: Values, shape: Shape) => Compilable<Row>,
): (db: Reader, values: Values, shape?: Shape) => MaybePromise<Row[]> {
  const queriesOf = new WeakMap<Reader, WeakMap<Shape, PreparedQuery>>();

  function prepareFor(db: Reader, shape: Shape): PreparedQuery {
    let queries = queriesOf.get(db);
    if (queries === undefined) {
      queries = new WeakMap();
      queriesOf.set(db, queries);
    }
    let query = queries.get(shape);
    if (query === undefined) {
      query = prepareQuery(db, build(db, PLACEHOLDERS as Values, shape));
      queries.set(shape, query);
    }
    return query;
  }

  return (db, values, shape = ONLY_SHAPE as Shape) => {
    const { parameters, run } = prepareFor(db, shape);
    const filled = parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
    return run(filled) as MaybePromise<Row[]>;
  };
}

/** In a transaction, only the query builder knows the connection. */
function prepareQuery(db: Reader, built: Compilable): PreparedQuery {
  const query = built.compile() as ReadonlyCompiledQuery<unknown>;
  const { sql, parameters } = query;
  const run: RunStatement =
    (db as unknown) instanceof DirectReader
      ? (db as unknown as DirectReader).prepareStatement(sql)
      : async (filled) => (await db.executeQuery({ ...query, parameters: filled })).rows;
  return { parameters, run };
}
