// Hosts of files send no policy, so that each page has it itself: that of a server (R63), as far as an element may have it.
import { collectImageOrigins, policyFor } from '../present/pages/policy.ts';
import type { StaticFile } from './body.ts';

const BEFORE = '<meta charset="utf-8">\n';
const STYLE = /<style>(.*?)<\/style>/s;

export function withPolicy(file: StaticFile): StaticFile {
  if (!file.path.endsWith('.html')) return file;
  const [first = '', ...rest] = [file.body].flat();
  const start = first.toString();
  const origins = new Set<string>();
  // Most have no images, and need not be decoded.
  for (const part of [start, ...rest])
    if (part.includes('<img ')) collectImageOrigins(part.toString(), origins);
  const directives = policyFor(STYLE.exec(start)?.[1] ?? '', origins).split('; ');
  const policy = directives.filter((directive) => !directive.startsWith('frame-ancestors ')).join('; ');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">\n`;
  return { ...file, body: [start.replace(BEFORE, `${BEFORE}${meta}`), ...rest] };
}
