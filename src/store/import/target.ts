// The target of an import: a team, a product and a changelog, existing or to be created.
import { COMMAND } from '../../command-name.ts';
import { DEFAULT_LANGUAGE, NO_APPEARANCE } from '../../domain/content/appearance.ts';
import {
  type ChangelogContent,
  type Content,
  isName,
  type ProductContent,
  type TeamContent,
} from '../../domain/content/content.ts';
import { isSlug, type PublicationState, type Visibility } from '../../domain/model.ts';
import { Refusal } from '../../errors.ts';
import { productContent } from '../catalogue/content.ts';
import { notFoundError } from '../catalogue/not-found.ts';
import type { Writer } from '../engine/engine.ts';
import type { ProductPath } from '../read/reads.ts';
import { findChangelog, findProduct, findTeam, requireUnlocked } from '../write/writes.ts';

export type ImportTarget = Readonly<{
  team: TeamContent;
  product: Omit<ProductContent, 'changelog'>;
  changelog: Omit<ChangelogContent, 'id' | 'versions'>;
  /** Null if the changelog does not exist yet. */
  changelogId: string | null;
  /** A fingerprint of the description that the last import wrote. */
  descriptionMark: string | null;
}>;

export type TargetOptions = Readonly<{
  /** True to create what is missing. */
  create: boolean;
  /** True to create a public team, and to publish the product and the changelog, new or drafts. */
  publish?: boolean;
  /** The name that the source gives the changelog, if any. */
  name: string | null;
  /** What is created; by default, drafts of a private team that are called like their slugs. */
  initial?: Partial<InitialState>;
}>;

type InitialState = Readonly<{
  teamName: string;
  productName: string;
  visibility: Visibility;
  status: PublicationState;
  repository: string | null;
}>;

export async function findTarget(
  trx: Writer,
  path: ProductPath,
  { create, publish = false, name, initial }: TargetOptions,
): Promise<ImportTarget> {
  const { teamName, productName, visibility, status, repository } = {
    teamName: path.team,
    productName: path.product,
    visibility: publish ? 'public' : 'private',
    status: publish ? 'published' : 'draft',
    repository: null,
    ...initial,
  } as const;
  const team = await findTeam(trx, path.team);
  const product = await findProduct(trx, path);
  if (product === undefined && !create) {
    const { message } = await notFoundError(trx, path);
    throw new Refusal(`${message} \`--create\` creates what is missing.`);
  }
  const changelog = product && (await findChangelog(trx, product.id));
  // Hidden content becomes public only if it was named: another product of the team may be published and waiting. A locked
  // product stays hidden until someone unlocks it.
  if (publish && team?.visibility === 'private')
    throw new Refusal(
      `the team ${path.team} is private, and --publish makes no existing team public, because everything published in it would be, too; run \`${COMMAND} team set ${path.team} --visibility public\` first, or leave out --publish`,
    );
  if (publish && product) requireUnlocked(path, product.status, changelog?.status);
  if (team === undefined) requireSlug(path.team);
  if (product === undefined) requireSlug(path.product);
  return {
    team: {
      slug: path.team,
      name: team?.name ?? teamName,
      visibility: team?.visibility ?? visibility,
      // Who imports a changelog hosts it; the plan is for those who sell the service.
      plan: team?.plan ?? 'paid',
    },
    product:
      product === undefined
        ? {
            ...NO_APPEARANCE,
            slug: path.product,
            name: productName,
            status,
            links: { ...NO_APPEARANCE.links, repository },
          }
        : { ...productContent(product), ...(publish && { status }) },
    changelog: {
      name: changelog?.name ?? (name !== null && isName(name) ? name : (product?.name ?? productName)),
      description: changelog?.description ?? null,
      language: changelog?.language ?? DEFAULT_LANGUAGE,
      status: publish ? status : (changelog?.status ?? status),
    },
    changelogId: changelog?.id ?? null,
    descriptionMark: changelog?.description_mark ?? null,
  };
}

function requireSlug(text: string): void {
  if (!isSlug(text))
    throw new Refusal(
      `"${text}" is not a valid slug: use 1 to 64 of a-z, 0-9 and -, without - at either end.`,
    );
}

/** A document that writes these versions and changes nothing else. */
export function documentFor(
  { team, product, changelog }: ImportTarget,
  versions: ChangelogContent['versions'],
): Content {
  return { team, products: [{ ...product, changelog: { ...changelog, versions } }] };
}
