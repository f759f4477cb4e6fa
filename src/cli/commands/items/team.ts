import type { Command } from 'commander';
import { COMMAND } from '../../../command-name.ts';
import { PLANS, VISIBILITIES } from '../../../domain/model.ts';
import { countOfTeam, listTeams, requireKnownTeam } from '../../../store/catalogue/catalogue.ts';
import type { Reader } from '../../../store/engine/engine.ts';
import { listKeys } from '../../../store/write/keys.ts';
import { deleteTeam, setTeam, type TeamPatch } from '../../../store/write/writes.ts';
import { choice, parseName, requireSome, withExamples, withJson } from '../../arguments.ts';
import { type Cli, printResult, withReader, withWriter } from '../../cli.ts';
import { deleteConfirmed, withCounts, withYes } from '../../confirm.ts';
import { sayIfHidden } from '../../hidden.ts';
import { formatRecord, formatTable } from '../../terminal/table.ts';

export function addTeam(program: Command, cli: Cli): void {
  const team = program.command('team').description('show and change teams');
  withExamples(team, 'team list', 'team set acme --visibility public --plan paid');

  withJson(team.command('list'))
    .description('list all teams')
    .action(async (options) => {
      const teams = await withReader(cli, listTeams);
      printResult(cli, options, teams, () =>
        formatTable(cli, teams, `There are no teams yet. \`${COMMAND} init\` creates one.`),
      );
    });

  withJson(team.command('show'))
    .description('show one team')
    .argument('<team>', 'slug of the team')
    .action((slug: string, options) => show(cli, slug, options));

  withJson(team.command('set'))
    .description('change a team')
    .argument('<team>', 'slug of the team')
    .option('--name <text>', 'its name', parseName)
    .addOption(choice('--visibility <visibility>', 'who may read its published versions', VISIBILITIES))
    .addOption(choice('--plan <plan>', 'API keys need the paid plan', PLANS))
    .action(async (slug: string, { json, ...patch }: TeamPatch & { json?: boolean }, command: Command) => {
      requireSome(command, patch);
      await withWriter(cli, (trx) => setTeam(trx, slug, patch));
      await show(cli, slug, json ? { json } : {});
      sayIfHidden(cli, `the team ${slug}`, patch.visibility);
    });

  withYes(withJson(team.command('delete')))
    .description('delete a team with everything in it, API keys included')
    .argument('<team>', 'slug of the team')
    .action(async (slug: string, options) => {
      const describe = async (db: Reader) => {
        const { products, versions } = await countOfTeam(db, slug);
        const { length: keys } = await listKeys(db, { team: slug }, cli.now());
        return withCounts(`the team ${slug}`, { product: products, version: versions, 'API key': keys });
      };
      await deleteConfirmed(cli, options, describe, (trx) => deleteTeam(trx, slug));
      printResult(cli, options, { deleted: slug }, () => `Deleted the team ${slug}.`);
    });
}

async function show(cli: Cli, slug: string, options: { json?: boolean }): Promise<void> {
  const team = await withReader(cli, (db) => requireKnownTeam(db, slug));
  printResult(cli, options, team, () => formatRecord(team));
}
