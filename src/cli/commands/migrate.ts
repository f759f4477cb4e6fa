import type { Command } from 'commander';
import { engineOf } from '../../store/engine/open.ts';
import { migrate } from '../../store/migrate/migrate.ts';
import { withJson } from '../arguments.ts';
import { type Cli, configOf, printResult } from '../cli.ts';

export function addMigrate(program: Command, cli: Cli): void {
  withJson(program.command('migrate'))
    .description('update the schema of the database')
    .action(async (options) => {
      const [url] = configOf(cli).databaseUrls;
      const engine = await engineOf(url);
      const db = engine.openWriter(url, { create: true });
      try {
        const steps = await db.transaction().execute(migrate);
        printResult(cli, options, { database: engine.describe(url), steps }, () =>
          steps.length === 0 ? 'The schema is up to date.' : `Updated the schema: ${steps.join(', ')}.`,
        );
      } finally {
        await db.destroy();
      }
    });
}
