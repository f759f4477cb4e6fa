// The files that are generated from the code.
import { contentJsonSchema } from '../src/content/json-schema.ts';
import { clientTypes } from './client-types.ts';

export const GENERATED = {
  'client-types': { file: 'client/records.d.ts', write: clientTypes },
  schema: { file: 'schema/content.schema.json', write: contentJsonSchema },
};
export type GeneratedName = keyof typeof GENERATED;
