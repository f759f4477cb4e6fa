// What several rules ask about a version.
import type { InspectedText } from '../../import/read.ts';

export type Version = InspectedText['versions'][number];

const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const NOTHING = /^\s*(?:[-*_]\s*){3,}$|^\s*<a\s[^<>]*>\s*(?:<\/a>)?\s*$/i;

/** Whether there is no text below its heading and those of its sections. */
export function isEmpty({ lines }: Pick<Version, 'lines'>): boolean {
  let isComment = false;
  for (const line of lines) {
    let text = line;
    while (isComment || text.trimStart().startsWith('<!--')) {
      const end = text.indexOf('-->');
      isComment = end === -1;
      text = isComment ? '' : text.slice(end + 3);
      if (isComment) break;
    }
    if (text.trim() !== '' && !HEADING.test(text) && !NOTHING.test(text)) return false;
  }
  return true;
}

/** `1.2.0` of `1.2.0`, `v1.2.0` and `rocket@1.2.0`, in lower case. */
export function numberOf(label: string): string {
  const [, number = label] = /(?:^|[\s@/_-])v?\.? ?(\d.*)$/i.exec(label) ?? [];
  return number.toLowerCase();
}

export function quote(text: string): string {
  const shown = text.length > CHARACTERS_SHOWN ? `${text.slice(0, CHARACTERS_SHOWN)}…` : text;
  return JSON.stringify(shown.toWellFormed());
}

const CHARACTERS_SHOWN = 80;
