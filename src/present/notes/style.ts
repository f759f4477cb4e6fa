// The style sheet of documents with release notes, and the policy that allows it and nothing else.
import { hashOf, NO_SCRIPT, readStyles, writeAccent } from '../pages/style.ts';

const STYLE = readStyles('shared', 'notes');

export function sheetFor(accent: string | null): { css: string; policy: string } {
  const css = STYLE + writeAccent(accent);
  const policy = `default-src 'none'; style-src ${hashOf(css)}; form-action 'none'; base-uri 'none'; frame-ancestors *; ${NO_SCRIPT}`;
  return { css, policy };
}
