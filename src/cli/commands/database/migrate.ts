import type { Command } from 'commander';
import { engineOf } from '../../../store/engine/open.ts';
import { migrate, prepareToMigrate } from '../../../store/migrate/migrate.ts';
import { withJson } from '../../arguments.ts';
import { type Cli, configOf, printResult } from '../../cli.ts';
import { escapeName } from '../../terminal/plain.ts';

export function addMigrate(program: Command, cli: Cli): void {
  withJson(program.command('migrate'))
    .description('create the database, or update its schema')
    .option('--into-existing', 'create the tables next to those of another program')
    .action(async (options: { intoExisting?: boolean; json?: boolean }) => {
      const [url] = configOf(cli).databaseUrls;
      const engine = await engineOf(url);
      const isNew = !engine.exists(url);
      await using db = engine.openWriter(url, { create: true });
      const database = engine.describe(url);
      const { intoExisting = false } = options;
      await prepareToMigrate(db, { database, intoExisting });
      const steps = await db.transaction().execute((trx) => migrate(trx, { database, intoExisting }));
      // If several processes start at the same time, only one creates the database.
      const created = isNew && steps.length > 0;
      const done = created ? `Created ${escapeName(database)} with the schema` : 'Updated the schema';
      printResult(cli, options, { database, created, steps }, () =>
        steps.length === 0 ? 'The schema is up to date.' : `${done}: ${steps.join(', ')}.`,
      );
    });
}
