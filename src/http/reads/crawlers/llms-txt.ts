import { frameLlms, LLMS_TYPE, writeLlmsProduct } from '../../../present/crawlers/llms.ts';
import { ALL_TEAMS } from '../../../store/engine/touches.ts';
import { findAllList, type ListedProduct, type ProductList } from '../../../store/read/listing.ts';
import type { ReadMore, WriteBody } from '../../cache/body.ts';
import type { Read } from '../../read.ts';
import { allParts } from '../../writing/walk.ts';

const BATCH_PRODUCTS = 200;

/** Every public product, for language models (R40). */
export const llmsTxt: Read = {
  contentType: LLMS_TYPE,
  isLong: true,
  find: async (db, { site }) => {
    const { revision, found } = await findAllList(db, { after: null, limit: BATCH_PRODUCTS });
    if (found === undefined) return { revision, found };
    const text: WriteBody = async (out, read) => {
      const { start, between, end } = frameLlms(site.baseUrl);
      await out.add(start);
      await out.addList(allProducts(found, read), (product) => writeLlmsProduct(site, product), between);
      await out.add(end);
    };
    return { revision, found: { text, origin: ALL_TEAMS } };
  },
};

async function* allProducts(first: ProductList, read: ReadMore): AsyncGenerator<ListedProduct> {
  const lists = allParts(first, read, (db, after) => findAllList(db, { after, limit: BATCH_PRODUCTS }));
  for await (const { products } of lists) yield* products;
}
