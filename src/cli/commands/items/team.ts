import { COMMAND } from '../../../command-name.ts';
import { PLANS, VISIBILITIES } from '../../../domain/model.ts';
import { countOfTeam, listTeams, requireKnownTeam } from '../../../store/catalogue/catalogue.ts';
import { listKeys } from '../../../store/write/keys.ts';
import { deleteTeam, setTeam } from '../../../store/write/writes.ts';
import { choice, option, parseName, TEAM } from '../../arguments.ts';
import { withReader } from '../../cli.ts';
import { type Command, command } from '../../command.ts';
import { formatTable } from '../../terminal/table.ts';
import { itemCommands } from './item.ts';

export const teamCommand: Command = {
  name: 'team',
  about: 'show and change teams',
  examples: ['team list', 'team set acme --visibility public --plan paid'],
  commands: [
    command({
      name: 'list',
      about: 'list all teams',
      run: (cli) => withReader(cli, listTeams),
      text: (teams, cli) =>
        formatTable(cli, teams, `There are no teams yet. \`${COMMAND} init\` creates one.`),
    }),
    ...itemCommands({
      noun: 'team',
      key: TEAM,
      nameOf: (slug: string) => slug,
      find: requireKnownTeam,
      fields: (team) => team,
      options: [
        option('--name <text>', 'its name', parseName),
        choice('--visibility <visibility>', 'who may read its published versions', VISIBILITIES),
        choice('--plan <plan>', 'API keys need the paid plan', PLANS),
      ],
      set: setTeam,
      count: async (db, slug, now) => {
        const { products, versions } = await countOfTeam(db, slug);
        const { length: keys } = await listKeys(db, { team: slug }, now);
        return { product: products, version: versions, 'API key': keys };
      },
      contents: 'everything in it, API keys included',
      remove: deleteTeam,
    }),
  ],
};
