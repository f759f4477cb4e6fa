import { COMMAND } from '../../../command-name.ts';
import { PLANS, VISIBILITIES } from '../../../domain/model.ts';
import { countOfTeam, listTeams, requireKnownTeam } from '../../../store/catalogue/catalogue.ts';
import { listKeys } from '../../../store/write/keys.ts';
import { deleteTeam, setTeam } from '../../../store/write/writes.ts';
import { choice, NAME, TEAM } from '../../arguments.ts';
import { itemCommand } from './item.ts';

export const teamCommand = itemCommand({
  noun: 'team',
  examples: ['team list', 'team set acme --visibility public --plan paid'],
  within: [],
  list: (db) => listTeams(db),
  columns: (team) => team,
  fields: (team) => team,
  none: () => `There are no teams yet. \`${COMMAND} init\` creates one.`,
  key: TEAM,
  nameOf: (slug: string) => slug,
  find: requireKnownTeam,
  options: [
    NAME,
    choice('--visibility <visibility>', 'who may read its published versions', VISIBILITIES),
    choice('--plan <plan>', 'API keys need the paid plan', PLANS),
  ],
  set: setTeam,
  count: async (db, slug, now) => {
    const { products, versions } = await countOfTeam(db, slug);
    const { length: keys } = await listKeys(db, { team: slug }, now);
    return { product: products, version: versions, 'API key': keys };
  },
  remove: deleteTeam,
});
