import type { Command } from 'commander';
import { migrate } from '../store/migrate.ts';
import { databaseFile, openWriter } from '../store/open.ts';
import { withJson } from './arguments.ts';
import { type Cli, configOf, printResult } from './cli.ts';

export function addMigrate(program: Command, cli: Cli): void {
  withJson(program.command('migrate'))
    .description('bring the schema of the database up to date')
    .action(async (options) => {
      const { databaseUrl } = configOf(cli);
      const db = openWriter(databaseUrl, { create: true });
      try {
        const steps = await db.transaction().execute(migrate);
        printResult(cli, options, { database: databaseFile(databaseUrl), steps }, () =>
          steps.length === 0
            ? 'The schema is up to date.'
            : `Brought the schema up to date: ${steps.join(', ')}.`,
        );
      } finally {
        await db.destroy();
      }
    });
}
