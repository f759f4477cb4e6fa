import type { Compilable } from 'kysely';
import type { ReadonlyCompiledQuery } from 'kysely/readonly';
import type { Reader } from './engine.ts';

/** Stands in a compiled query for a value that is known when it runs. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const PLACEHOLDERS = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });
const ONLY_SHAPE = Object.freeze({});

/**
 * A query that is built and compiled once for each database and each shape, which takes longer than to run it. `build`
 * is given placeholders for the values and may put them where a parameter can stand, nowhere else.
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
