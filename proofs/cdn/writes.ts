// Everything that can change what the public sees, in an order in which each write changes something.

import type { Session } from '../../support/databases/engines.ts';
import { apply, runOk, type Sandbox } from '../../support/program/command.ts';
import {
  documentOf,
  domainOf,
  feedOf,
  homeOf,
  RENAMED,
  type Target,
  teamOf,
  versionId,
  versionOf,
  WRITTEN,
} from './world.ts';

export type Writer = Readonly<{ session: Session; sandbox: Sandbox }>;

type Write = Readonly<{
  name: string;
  write: (writer: Writer, serial: number) => Promise<unknown>;
  /** What the write changes, among other URLs. */
  changes: Target;
}>;

const sql =
  (statement: (serial: number) => string): Write['write'] =>
  ({ session }, serial) =>
    session.execute(statement(serial));
const command =
  (...args: string[]): Write['write'] =>
  ({ sandbox }) =>
    runOk(sandbox, args);

function writesOf(team: string, product: string): Write[] {
  const [feed, version] = [feedOf(team, product), versionOf(team, product)];
  const ofTeam = `(select id from teams where slug in ('${team}', '${team + RENAMED}'))`;
  const thisProduct = `team_id = ${ofTeam} and slug in ('${product}', '${product + RENAMED}')`;
  const id = versionId(team, product, '2.0.0');
  const setTeam = (what: string) => sql(() => `update teams set ${what} where id = ${ofTeam}`);
  const setProduct = (what: string) => sql(() => `update products set ${what} where ${thisProduct}`);
  const setDomain = (domain: string) =>
    sql(() => `update products set domain = ${domain} where team_id = ${ofTeam} and slug = 'rocket'`);
  return [
    {
      name: 'edit a title',
      write: sql((serial) => `update versions set title = 'Title ${serial}' where id = '${id}'`),
      changes: feed,
    },
    {
      name: 'edit a change',
      write: sql((serial) => `update changes set text = 'Text ${serial}.' where version_id = '${id}'`),
      changes: version,
    },
    {
      name: 'withdraw',
      write: command('version', 'unpublish', `${team}/${product}`, '2.0.0'),
      changes: version,
    },
    {
      name: 'publish',
      write: command('version', 'publish', `${team}/${product}`, '2.0.0'),
      changes: version,
    },
    {
      name: 'add a version',
      write: sql(
        (
          serial,
        ) => `insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order)
          values ('ver_new', 'cl_${team}_${product}', '3.0.0', 'New ${serial}', 'published',
            '2026-09-01T00:00:00.000Z', 0, 900)`,
      ),
      changes: feed,
    },
    {
      name: 'delete a version',
      write: sql(() => `delete from versions where id = 'ver_new'`),
      changes: feed,
    },
    {
      name: 'rename a product',
      write: sql((serial) => `update products set name = 'Name ${serial}' where ${thisProduct}`),
      changes: teamOf(team),
    },
    { name: 'lock a product', write: setProduct(`status = 'locked'`), changes: feed },
    { name: 'unlock a product', write: setProduct(`status = 'published'`), changes: feed },
    { name: 'move a product', write: setProduct(`slug = '${product + RENAMED}'`), changes: feed },
    { name: 'move a product back', write: setProduct(`slug = '${product}'`), changes: feed },
    { name: 'remove a domain', write: setDomain('null'), changes: homeOf(team) },
    { name: 'set a domain', write: setDomain(`'${domainOf(team)}'`), changes: homeOf(team) },
    { name: 'hide a team', write: setTeam(`visibility = 'private'`), changes: feed },
    { name: 'show a team', write: setTeam(`visibility = 'public'`), changes: feed },
    { name: 'move a team', write: setTeam(`slug = '${team + RENAMED}'`), changes: feed },
    { name: 'move a team back', write: setTeam(`slug = '${team}'`), changes: feed },
    { name: 'delete a team', write: command('team', 'delete', 'gone', '--yes'), changes: teamOf('gone') },
    {
      name: 'add a team',
      write: ({ sandbox }) => apply(sandbox, documentOf('gone')),
      changes: teamOf('gone'),
    },
  ];
}

/** Repeated in this order; the last restores the initial state, apart from texts. */
export const WRITES: readonly Write[] = WRITTEN.teams.flatMap((team) =>
  WRITTEN.products.flatMap((product) => writesOf(team, product)),
);

/** All kinds, for one product. */
export const WRITES_OF_ONE = WRITES.length / WRITTEN.teams.length / WRITTEN.products.length;
