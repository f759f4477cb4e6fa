// Writes client/records.d.ts from the schemas of the server's responses.
import { writeFileSync } from 'node:fs';
import { clientTypes } from './client-types.ts';

writeFileSync(new URL('../client/records.d.ts', import.meta.url), clientTypes());
