// Errors about things that do not exist: what was probably meant, and which command lists them.

import { COMMAND } from '../../command-name.ts';
import { visibleRows } from '../../domain/access/visibility.ts';
import { nearest } from '../../domain/nearest.ts';
import { LATEST } from '../../domain/version-names.ts';
import { Refusal } from '../../errors.ts';
import type { Reader } from '../engine/engine.ts';
import { findVersion } from '../read/find-version.ts';
import type { ProductPath } from '../read/reads.ts';
import { selectProduct, selectVersions } from './catalogue.ts';

/** The most names that are searched for a suggestion. */
const NAMES_MAX = 10_000;

export async function teamNotFoundError(db: Reader, slug: string): Promise<Refusal> {
  const rows = await db.selectFrom('teams').orderBy('slug').select('slug as name').limit(NAMES_MAX).execute();
  return notFoundError(`team ${slug}`, nearestOf(slug, rows), 'team list');
}

/** Names the team if that is what is missing. */
export async function productNotFoundError(db: Reader, { team, product }: ProductPath): Promise<Refusal> {
  const found = await db.selectFrom('teams').where('slug', '=', team).select('id').executeTakeFirst();
  if (found === undefined) return await teamNotFoundError(db, team);
  const rows = await db
    .selectFrom('products')
    .where('team_id', '=', found.id)
    .orderBy('slug')
    .select('slug as name')
    .limit(NAMES_MAX)
    .execute();
  const meant = nearestOf(product, rows);
  return notFoundError(`product ${team}/${product}`, meant && `${team}/${meant}`, `product list ${team}`);
}

export function changelogNotFoundError(path: ProductPath): Refusal {
  return new Refusal(
    `the product ${formatPath(path)} has no changelog; create one with \`${COMMAND} apply\`.`,
  );
}

export async function pathNotFoundError(db: Reader, path: ProductPath): Promise<Refusal> {
  const product = await selectProduct(db, path).select('products.id').executeTakeFirst();
  return product === undefined ? await productNotFoundError(db, path) : changelogNotFoundError(path);
}

export async function versionNotFoundError(
  db: Reader,
  path: ProductPath,
  idOrLabel: string,
): Promise<Refusal> {
  const changelog = await selectProduct(db, path)
    .innerJoin('changelogs', 'changelogs.product_id', 'products.id')
    .select('changelogs.id')
    .executeTakeFirst();
  if (changelog === undefined) return await pathNotFoundError(db, path);
  if (idOrLabel === LATEST) return await latestError(db, path);
  const newest = await selectVersions(db, path)
    .orderBy('versions.sort_key', 'desc')
    .select('versions.label as name')
    .limit(NAMES_MAX)
    .execute();
  const name = formatPath(path);
  return notFoundError(
    `version ${idOrLabel} of ${name}`,
    nearestOf(idOrLabel, newest),
    `version list ${name}`,
  );
}

/** Commands that change something need a label, so that a new release never makes them change another version. */
async function latestError(db: Reader, path: ProductPath): Promise<Refusal> {
  const { found } = await findVersion(db, path, LATEST, visibleRows('team'));
  if (found === undefined)
    return new Refusal(
      `${formatPath(path)} has no published version, so none is the latest; \`${COMMAND} version list ${formatPath(path)}\` lists its drafts.`,
    );
  return new Refusal(
    `only \`${COMMAND} version show\` accepts ${LATEST}; name the version: the latest of ${formatPath(path)} is ${found.version.label}.`,
  );
}

/** Says why a version that exists is not public. */
export async function notPublicError(db: Reader, path: ProductPath, versionId: string): Promise<Refusal> {
  const { label, status, visibility, ...row } = await selectVersions(db, path)
    .where('versions.id', '=', versionId)
    .select(['teams.visibility', 'products.status as product', 'changelogs.status as changelog'])
    .select(['versions.status', 'versions.label'])
    .executeTakeFirstOrThrow();
  const name = formatPath(path);
  const because = (reason: string, command: string) =>
    new Refusal(`${name} ${label} is not public: ${reason}; \`${COMMAND} ${command}.`);
  if (status === 'draft') return because('it is a draft', `version publish ${name} ${label}\` publishes it`);
  if (visibility === 'private')
    return because('its team is private', `team set ${path.team} --visibility public\` changes that`);
  const item = row.product === 'published' ? 'changelog' : 'product';
  if (row[item] === 'published') return new Refusal(`${name} ${label} was not public; try again.`);
  const state = row[item] === 'draft' ? 'a draft' : 'locked';
  return because(`its ${item} is ${state}`, `${item} set ${name} --status published\` changes that`);
}

export function formatPath({ team, product }: ProductPath): string {
  return `${team}/${product}`;
}

function notFoundError(what: string, meant: string | undefined, command: string): Refusal {
  const question = meant === undefined ? '' : ` did you mean ${meant}?`;
  return new Refusal(`there is no ${what}:${question} \`${COMMAND} ${command}\` lists them.`);
}

function nearestOf(wanted: string, rows: readonly { name: string }[]): string | undefined {
  return nearest(
    wanted,
    rows.map(({ name }) => name),
  );
}
