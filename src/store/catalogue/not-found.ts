// Errors about things that do not exist: what was probably meant, and which command lists them.
import { sql } from 'kysely';
import { COMMAND } from '../../command-name.ts';
import { visibleRows } from '../../domain/access/visibility.ts';
import { nearest } from '../../domain/nearest.ts';
import { LATEST } from '../../domain/version-names.ts';
import { Refusal } from '../../errors.ts';
import type { Sql } from '../engine/dialect.ts';
import { asReader, type Reader, type Writer } from '../engine/engine.ts';
import { CHANGELOGS, isAt, PRODUCTS, rowsOf, VERSIONS } from '../engine/rows.ts';
import { findVersion } from '../read/find-version.ts';
import type { ProductPath } from '../read/reads.ts';

/** The most names that are searched for a suggestion. */
const NAMES_MAX = 10_000;

type Wanted = Readonly<{ team: string; product?: string; version?: string }>;

/** Names the first that is missing: the team, the product, its changelog or else the version. */
export async function notFoundError(db: Reader | Writer, wanted: Wanted): Promise<Refusal> {
  const { team, product, version } = wanted;
  const list = async (rows: Sql, first: Sql) => {
    const found = await rowsOf<{ name: string }>(db)`select ${rows} order by ${first} limit ${NAMES_MAX}`;
    return found.map(({ name }) => name);
  };
  const teams = await list(sql`slug as name from teams`, sql`slug <> ${team}, slug`);
  if (product === undefined || teams[0] !== team)
    return missingError(`team ${team}`, nearest(team, teams), 'team list');
  const slugs = sql`p.slug as name from ${PRODUCTS} where t.slug = ${team}`;
  const products = await list(slugs, sql`p.slug <> ${product}, p.slug`);
  const path = { team, product };
  const name = formatPath(path);
  if (products[0] !== product) {
    const meant = nearest(product, products);
    return missingError(`product ${name}`, meant && `${team}/${meant}`, `product list ${team}`);
  }
  const [changelog] = await rowsOf(db)`select c.id from ${CHANGELOGS} where ${isAt(path)}`;
  if (version === undefined || changelog === undefined)
    return new Refusal(`the product ${name} has no changelog; create one with \`${COMMAND} apply\`.`);
  if (version === LATEST) return await latestError(asReader(db as Writer), path);
  const newest = await list(sql`v.label as name from ${VERSIONS} where ${isAt(path)}`, sql`v.sort_key desc`);
  return missingError(`version ${version} of ${name}`, nearest(version, newest), `version list ${name}`);
}

/** Commands that change something need a label, so that a new release never makes them change another version. */
async function latestError(db: Reader, path: ProductPath): Promise<Refusal> {
  const { found } = await findVersion(db, path, LATEST, visibleRows('team'));
  const name = formatPath(path);
  return new Refusal(
    found === undefined
      ? `${name} has no published version, so none is the latest; \`${COMMAND} version list ${name}\` lists its drafts.`
      : `only \`${COMMAND} version show\` accepts ${LATEST}; name the version: the latest of ${name} is ${found.version.label}.`,
  );
}

/** Says why a version that exists is not public. */
export async function notPublicError(db: Reader, path: ProductPath, versionId: string): Promise<Refusal> {
  const [row] = await rowsOf<Record<'visibility' | 'product' | 'changelog' | 'status' | 'label', string>>(db)`
    select t.visibility, p.status as product, c.status as changelog, v.status, v.label
    from ${VERSIONS} where ${isAt(path)} and v.id = ${versionId}`;
  const name = formatPath(path);
  const because = (reason: string, command: string) =>
    new Refusal(`${name} ${row?.label} is not public: ${reason}; \`${COMMAND} ${command}.`);
  if (row?.status === 'draft')
    return because('it is a draft', `version publish ${name} ${row.label}\` publishes it`);
  if (row?.visibility === 'private')
    return because('its team is private', `team set ${path.team} --visibility public\` changes that`);
  const item = row?.product === 'published' ? 'changelog' : 'product';
  const state = row?.[item] === 'draft' ? 'a draft' : 'locked';
  return because(`its ${item} is ${state}`, `${item} set ${name} --status published\` changes that`);
}

export function formatPath({ team, product }: ProductPath): string {
  return `${team}/${product}`;
}

function missingError(what: string, meant: string | undefined, command: string): Refusal {
  const question = meant === undefined ? '' : ` did you mean ${meant}?`;
  return new Refusal(`there is no ${what}:${question} \`${COMMAND} ${command}\` lists them.`);
}
