import { migrate, prepareToMigrate } from '../../../store/migrate/migrate.ts';
import { option } from '../../arguments.ts';
import { primaryOf } from '../../cli.ts';
import { command } from '../../command.ts';
import { escapeName } from '../../terminal/text.ts';

export const migrateCommand = command({
  name: 'migrate',
  about: 'create the database, or update its schema',
  options: [option('--into-existing', 'create the tables next to those of another program')],
  run: async (cli, { intoExisting = false }: { intoExisting?: boolean }) => {
    const { engine, url, name: database } = await primaryOf(cli);
    const isNew = !engine.exists(url);
    await using db = engine.openWriter(url, { create: true });
    await prepareToMigrate(db, { database, intoExisting });
    const steps = await db.transaction().execute((trx) => migrate(trx, { database, intoExisting }));
    // If several processes start at the same time, only one creates the database.
    return { database, created: isNew && steps.length > 0, steps };
  },
  text: ({ database, created, steps }) => {
    if (steps.length === 0) return 'The schema is up to date.';
    const done = created ? `Created ${escapeName(database)} with the schema` : 'Updated the schema';
    return `${done}: ${steps.join(', ')}.`;
  },
});
