// `product` and `changelog` have the same commands, because each product has one changelog.
import type { Command } from 'commander';
import { PUBLICATION_STATES } from '../../domain/model.ts';
import { findTeam, listChangelogs, listProducts } from '../../store/catalogue/catalogue.ts';
import { countVersionsAt } from '../../store/catalogue/dependents.ts';
import { pathNotFoundError, teamNotFoundError } from '../../store/catalogue/not-found.ts';
import type { Reader, Writer } from '../../store/engine/engine.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import {
  deleteChangelog,
  deleteProduct,
  type StatePatch,
  setChangelog,
  setProduct,
} from '../../store/write/writes.ts';
import { choice, parseName, parseProduct, requireSome, withExamples, withJson } from '../arguments.ts';
import { type Cli, printResult, withReader, withWriter } from '../cli.ts';
import { sayIfHidden } from '../hidden.ts';
import { deleteConfirmed, withCounts, withYes } from '../terminal/confirm.ts';
import { formatRecord, formatTable } from '../terminal/table.ts';

type EntityCommands<Row extends object> = Readonly<{
  noun: 'product' | 'changelog';
  list: (db: Reader, team: string) => Promise<Row[]>;
  isAt: (row: Row, path: ProductPath) => boolean;
  set: (trx: Writer, path: ProductPath, patch: StatePatch) => Promise<void>;
  remove: (trx: Writer, path: ProductPath) => Promise<void>;
}>;

export function addProduct(program: Command, cli: Cli): void {
  addEntity(program, cli, {
    noun: 'product',
    list: listProducts,
    isAt: (row, path) => row.slug === path.product,
    set: setProduct,
    remove: deleteProduct,
  });
}

export function addChangelog(program: Command, cli: Cli): void {
  addEntity(program, cli, {
    noun: 'changelog',
    list: listChangelogs,
    isAt: (row, path) => row.product === path.product,
    set: setChangelog,
    remove: deleteChangelog,
  });
}

function addEntity<Row extends object>(program: Command, cli: Cli, entity: EntityCommands<Row>): void {
  const { noun } = entity;
  const group = program.command(noun).description(`show and change ${noun}s`);
  withExamples(group, `${noun} list acme`, `${noun} set acme/rocket --status published`);
  const one = (verb: string) =>
    withJson(group.command(verb)).argument('<team/product>', 'such as acme/rocket', parseProduct);

  withJson(group.command('list'))
    .description(`list the ${noun}s of a team`)
    .argument('<team>', 'slug of the team')
    .action(async (team: string, options) => {
      const rows = await withReader(cli, async (db) => {
        await requireKnownTeam(db, team);
        return await entity.list(db, team);
      });
      printResult(cli, options, rows, () =>
        formatTable(cli, rows as Record<string, unknown>[], `The team ${team} has no ${noun}s yet.`),
      );
    });

  one('show')
    .description(`show one ${noun}`)
    .action((path: ProductPath, options) => show(cli, entity, path, options));

  one('set')
    .description(`change one ${noun}`)
    .option('--name <text>', 'its name', parseName)
    .addOption(
      choice(
        '--status <status>',
        'only published is public; locked is hidden too, and cannot be changed',
        PUBLICATION_STATES,
      ),
    )
    .action(
      async (path: ProductPath, { json, ...patch }: StatePatch & { json?: boolean }, command: Command) => {
        requireSome(command, patch);
        await withWriter(cli, (trx) => entity.set(trx, path, patch));
        await show(cli, entity, path, json ? { json } : {});
        sayIfHidden(cli, `the ${noun} ${path.team}/${path.product}`, patch.status);
      },
    );

  withYes(one('delete'))
    .description(`delete one ${noun} with everything in it`)
    .action(async (path: ProductPath, options) => {
      const name = `${path.team}/${path.product}`;
      const describe = async (db: Reader) => {
        const versions = await countVersionsAt(db, path, { needsChangelog: noun === 'changelog' });
        return withCounts(`the ${noun} ${name}`, { version: versions });
      };
      await deleteConfirmed(cli, options, describe, (trx) => entity.remove(trx, path));
      printResult(cli, options, { deleted: name }, () => `Deleted the ${noun} ${name}.`);
    });
}

async function show<Row extends object>(
  cli: Cli,
  entity: EntityCommands<Row>,
  path: ProductPath,
  options: { json?: boolean },
): Promise<void> {
  const row = await withReader(cli, async (db) => {
    const rows = await entity.list(db, path.team);
    const found = rows.find((candidate) => entity.isAt(candidate, path));
    if (found !== undefined) return found;
    throw await pathNotFoundError(db, path);
  });
  printResult(cli, options, row, () => formatRecord(row as Record<string, unknown>));
}

export async function requireKnownTeam(db: Reader, slug: string) {
  const team = await findTeam(db, slug);
  if (team === undefined) throw await teamNotFoundError(db, slug);
  return team;
}
