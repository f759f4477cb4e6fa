// A reader that runs prepared statements without the query builder, which takes longer than many of them.
import { type Dialect, Kysely } from 'kysely';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { QueryEvent } from './engine.ts';
import type { Tables } from './schema.ts';

/** A database within this process returns the rows at once. */
export type RunStatement = (parameters: readonly unknown[]) => MaybePromise<unknown[]>;

type DirectOptions = Readonly<{
  dialect: Dialect;
  prepareStatement: (text: string) => RunStatement;
  /** The query builder closes only what it has used. May be called twice. */
  close: () => MaybePromise<unknown>;
  onQuery: ((event: QueryEvent) => void) | undefined;
}>;

export class DirectReader extends Kysely<Tables> {
  readonly #options: DirectOptions;

  constructor(options: DirectOptions) {
    const { dialect, onQuery } = options;
    super({ dialect, ...(onQuery && { log: onQuery }) });
    this.#options = options;
  }

  prepareStatement(sql: string): RunStatement {
    const { prepareStatement, onQuery } = this.#options;
    const run = prepareStatement(sql);
    if (onQuery === undefined) return run;
    return (parameters) => {
      onQuery({ query: { sql, parameters } });
      return run(parameters);
    };
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    await this.#options.close();
  }
}
