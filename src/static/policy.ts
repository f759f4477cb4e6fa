// Hosts of files send no policy, so that each page has it itself: that of a server (R63), as far as an element may have it.
import { collectImageOrigins, policyFor } from '../present/pages/policy.ts';
import type { StaticFile } from './body.ts';

const BEFORE = '<meta charset="utf-8">\n';
const STYLE = /<style>(.*?)<\/style>/s;

export function withPolicy(file: StaticFile): StaticFile {
  if (!file.path.endsWith('.html')) return file;
  const [first = '', ...rest] = [file.body].flat();
  const start = typeof first === 'string' ? first : Buffer.from(first).toString();
  const origins = new Set<string>();
  for (const part of [start, ...rest])
    if (typeof part === 'string') collectImageOrigins(part, origins);
    else collectFromBytes(part, origins);
  const directives = policyFor(STYLE.exec(start)?.[1] ?? '', origins).split('; ');
  const policy = directives.filter((directive) => !directive.startsWith('frame-ancestors ')).join('; ');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">\n`;
  return { ...file, body: [start.replace(BEFORE, `${BEFORE}${meta}`), ...rest] };
}

/** Most have no images, and need not be decoded. */
function collectFromBytes({ buffer, byteOffset, length }: Uint8Array, origins: Set<string>): void {
  const bytes = Buffer.from(buffer, byteOffset, length);
  if (bytes.includes('<img ')) collectImageOrigins(bytes.toString(), origins);
}
