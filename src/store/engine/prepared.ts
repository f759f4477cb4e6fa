import type { Compilable } from 'kysely';
import type { ReadonlyCompiledQuery } from 'kysely/readonly';
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

/**
 * A query that is built and compiled once per database and shape, because that takes longer than running it. `build`
 * receives placeholders for the values, and may use them only as parameters.
 */
export function prepare<Values extends object, Row, Shape extends object>(
  build: (db: Reader, values: Values, shape: Shape) => Compilable<Row>,
): (db: Reader, values: Values, shape?: Shape) => Promise<Row[]> {
  type Query = ReadonlyCompiledQuery<Row>;
  const queriesOf = new WeakMap<Reader, WeakMap<Shape, Query>>();

  function compile(db: Reader, shape: Shape): Query {
    const queries = queriesOf.get(db) ?? new WeakMap<Shape, Query>();
    queriesOf.set(db, queries);
    const query = queries.get(shape) ?? (build(db, PLACEHOLDERS as Values, shape).compile() as Query);
    queries.set(shape, query);
    return query;
  }

  return async (db, values, shape = ONLY_SHAPE as Shape) => {
    const query = compile(db, shape);
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
    const { rows } = await db.executeQuery<Row>({ ...query, parameters });
    return rows;
  };
}
