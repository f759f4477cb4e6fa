// Public products for language models (R40).
import type { MaybePromise } from '../../../domain/maybe-promise.ts';
import { frameLlms, writeLlmsProduct } from '../../../present/crawlers/llms.ts';
import type { ListView } from '../../../present/pages/list-pages.ts';
import type { Reader } from '../../../store/engine/engine.ts';
import { ALL_TEAMS, type Origin } from '../../../store/engine/touches.ts';
import { findAllList, findTeamList, type ProductList } from '../../../store/read/lists/listing.ts';
import type { AtRevision, ProductPath } from '../../../store/read/reads.ts';
import type { WriteBody } from '../../cache/body.ts';
import { TEXT_TYPE } from '../../pipeline/send.ts';
import { type Read, type ReadRequest, readOf } from '../../read.ts';
import { allParts, itemsIn } from '../../writing/walk.ts';

/** All of them. */
export const llmsTxt = llmsOf({
  find: (db, _request, page) => findAllList(db, page),
  teamOf: () => null,
  originOf: () => ALL_TEAMS,
});

/** Those of a team. */
export const teamLlmsTxt = llmsOf({
  find: (db, { params: { team } }, page) => findTeamList(db, { ...page, team }),
  teamOf: ({ team }) => team,
  originOf: ({ teamId }) => ({ teamId, productId: null }),
});

const BATCH_PRODUCTS = 200;

type Listing<List> = Readonly<{
  find: (
    db: Reader,
    request: ReadRequest,
    page: Readonly<{ after: ProductPath | null; limit: number }>,
  ) => MaybePromise<AtRevision<List>>;
  teamOf: (list: List) => ListView['team'];
  originOf: (list: List) => Origin;
}>;

function llmsOf<List extends ProductList>({ find, teamOf, originOf }: Listing<List>): Read {
  const findAfter = (db: Reader, request: ReadRequest, after: ProductPath | null) =>
    find(db, request, { after, limit: BATCH_PRODUCTS });
  return readOf({
    // Browsers display plain text, but download Markdown.
    contentType: TEXT_TYPE,
    isLong: true,
    find: (db, request) => findAfter(db, request, null),
    present: (found, request) => {
      const { site } = request;
      const text: WriteBody = async (out, read) => {
        const lists = allParts(found, read, (db, after) => findAfter(db, request, after));
        const products = itemsIn(lists, (list) => list.products);
        await out.addFramed(frameLlms(site, teamOf(found)), products, (product) =>
          writeLlmsProduct(site, product),
        );
      };
      return { text, origin: originOf(found) };
    },
  });
}
