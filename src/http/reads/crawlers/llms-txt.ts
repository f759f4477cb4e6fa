import { frameLlms, LLMS_TYPE, writeLlmsProduct } from '../../../present/crawlers/llms.ts';
import { ALL_TEAMS } from '../../../store/engine/touches.ts';
import { findAllList, type ListedProduct, type ProductList } from '../../../store/read/listing.ts';
import type { ReadMore, WriteBody } from '../../cache/body.ts';
import { readOf } from '../../read.ts';
import { allParts } from '../../writing/walk.ts';

const BATCH_PRODUCTS = 200;

/** Every public product, for language models (R40). */
export const llmsTxt = readOf({
  contentType: LLMS_TYPE,
  isLong: true,
  find: (db) => findAllList(db, { after: null, limit: BATCH_PRODUCTS }),
  present: (found, { site }) => {
    const text: WriteBody = async (out, read) => {
      const products = allProducts(found, read);
      await out.addFramed(frameLlms(site.baseUrl), products, (product) => writeLlmsProduct(site, product));
    };
    return { text, origin: ALL_TEAMS };
  },
});

async function* allProducts(first: ProductList, read: ReadMore): AsyncGenerator<ListedProduct> {
  const lists = allParts(first, read, (db, after) => findAllList(db, { after, limit: BATCH_PRODUCTS }));
  for await (const { products } of lists) yield* products;
}
