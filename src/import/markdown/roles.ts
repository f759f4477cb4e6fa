// Roles of MyST, as in {pr}`3509`: Markdown for Sphinx. They are read as in reStructuredText.
import { isKnownRole, roleOf } from '../markup/rst/inline.ts';

/** A role, or code, in which there are none. */
const ROLE_OR_CODE =
  /(?<![\w`\\{])\{([A-Za-z][\w:+.-]{0,60})\}`([^`\n]{1,500})`(?!`)|(?<![`\\])(`+)(?!`).{1,500}?(?<!`)\3(?!`)/g;
const FENCE = /^ {0,3}(?:```|~~~)/;

export function withoutRoles(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.includes('}`'))) return lines;
  let isCode = false;
  return lines.map((line) => {
    if (FENCE.test(line)) isCode = !isCode;
    return isCode
      ? line
      : line.replaceAll(ROLE_OR_CODE, (whole, role, inner) =>
          role !== undefined && isKnownRole(role) ? roleOf(role, inner) : whole,
        );
  });
}
