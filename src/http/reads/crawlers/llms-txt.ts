import { frameLlms, LLMS_TYPE, writeLlmsProduct } from '../../../present/crawlers/llms.ts';
import { ALL_TEAMS } from '../../../store/engine/touches.ts';
import { findAllList } from '../../../store/read/lists/listing.ts';
import type { WriteBody } from '../../cache/body.ts';
import { readOf } from '../../read.ts';
import { allParts, itemsIn } from '../../writing/walk.ts';

const BATCH_PRODUCTS = 200;

/** Every public product, for language models (R40). */
export const llmsTxt = readOf({
  contentType: LLMS_TYPE,
  isLong: true,
  find: (db) => findAllList(db, { after: null, limit: BATCH_PRODUCTS }),
  present: (found, { site }) => {
    const text: WriteBody = async (out, read) => {
      const lists = allParts(found, read, (db, after) => findAllList(db, { after, limit: BATCH_PRODUCTS }));
      const products = itemsIn(lists, (list) => list.products);
      await out.addFramed(frameLlms(site), products, (product) => writeLlmsProduct(site, product));
    };
    return { text, origin: ALL_TEAMS };
  },
});
