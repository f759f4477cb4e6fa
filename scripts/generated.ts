// The files that are generated from the code, or by running it.
import { contentJsonSchema } from '../src/content/json-schema.ts';
import { clientTypes } from './client-types.ts';
import { terminalPicture } from './terminal.ts';

type GeneratedFile = Readonly<{ file: string; write: () => string | Promise<string> }>;

export const GENERATED = {
  'client-types': { file: 'client/records.d.ts', write: clientTypes },
  schema: { file: 'schema/content.schema.json', write: contentJsonSchema },
  terminal: { file: 'docs/terminal.svg', write: terminalPicture },
} satisfies Record<string, GeneratedFile>;
export type GeneratedName = keyof typeof GENERATED;
