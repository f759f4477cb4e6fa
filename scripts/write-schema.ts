// Writes schema/content.schema.json from the schema that `apply` validates with.
import { writeFileSync } from 'node:fs';
import { contentJsonSchema } from '../src/content/json-schema.ts';

writeFileSync(new URL('../schema/content.schema.json', import.meta.url), contentJsonSchema());
