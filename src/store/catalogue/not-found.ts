// Errors about things that do not exist: what was probably meant, and which command lists them.

import { COMMAND } from '../../command-name.ts';
import { visibleRows } from '../../domain/access/visibility.ts';
import { nearest } from '../../domain/nearest.ts';
import { LATEST } from '../../domain/version-names.ts';
import { Refusal } from '../../errors.ts';
import type { Reader } from '../engine/engine.ts';
import { findVersion } from '../read/find-version.ts';
import type { ProductPath } from '../read/reads.ts';
import { listLabelsNear, selectProduct } from './catalogue.ts';

/** The most slugs that are searched for a suggestion. */
const SLUGS_MAX = 10_000;

export async function teamNotFoundError(db: Reader, slug: string): Promise<Refusal> {
  const rows = await db.selectFrom('teams').orderBy('slug').select('slug').limit(SLUGS_MAX).execute();
  return notFoundError(`team ${slug}`, nearest(slug, slugsOf(rows)), 'team list');
}

/** Names the team if that is what is missing. */
export async function productNotFoundError(db: Reader, { team, product }: ProductPath): Promise<Refusal> {
  const found = await db.selectFrom('teams').where('slug', '=', team).select('id').executeTakeFirst();
  if (found === undefined) return await teamNotFoundError(db, team);
  const rows = await db
    .selectFrom('products')
    .where('team_id', '=', found.id)
    .orderBy('slug')
    .select('slug')
    .limit(SLUGS_MAX)
    .execute();
  const meant = nearest(product, slugsOf(rows));
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
  const meant = nearest(idOrLabel, await listLabelsNear(db, path, idOrLabel));
  return notFoundError(
    `version ${idOrLabel} of ${formatPath(path)}`,
    meant,
    `version list ${formatPath(path)}`,
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
  const row = await selectProduct(db, path)
    .innerJoin('changelogs', 'changelogs.product_id', 'products.id')
    .innerJoin('versions', 'versions.changelog_id', 'changelogs.id')
    .where('versions.id', '=', versionId)
    .select([
      'teams.visibility',
      'products.status as product',
      'changelogs.status as changelog',
      'versions.status',
      'versions.label',
    ])
    .executeTakeFirstOrThrow();
  const name = formatPath(path);
  const reasons = [
    row.status === 'draft' &&
      `it is a draft; \`${COMMAND} version publish ${name} ${row.label}\` publishes it.`,
    row.visibility === 'private' &&
      `its team is private; \`${COMMAND} team set ${path.team} --visibility public\` changes that.`,
    ...(['product', 'changelog'] as const).map(
      (item) =>
        row[item] !== 'published' &&
        `its ${item} is ${row[item] === 'draft' ? 'a draft' : 'locked'}; \`${COMMAND} ${item} set ${name} --status published\` changes that.`,
    ),
  ].filter((reason) => reason !== false);
  return new Refusal(`${name} ${row.label} is not public: ${reasons[0] ?? 'try again.'}`);
}

export function formatPath({ team, product }: ProductPath): string {
  return `${team}/${product}`;
}

function notFoundError(what: string, meant: string | undefined, command: string): Refusal {
  const question = meant === undefined ? '' : ` did you mean ${meant}?`;
  return new Refusal(`there is no ${what}:${question} \`${COMMAND} ${command}\` lists them.`);
}

function slugsOf(rows: readonly { slug: string }[]): string[] {
  return rows.map(({ slug }) => slug);
}
