import { isEmpty } from '../../import/body/blocks.ts';
import type { WrittenVersion as Version } from '../../import/markdown/markdown.ts';
import { isSeries } from '../../import/markdown/versions/parse.ts';
import type { InspectedText } from '../../import/read.ts';
import { meantBy } from '../../import/section-warnings.ts';
import { quote } from '../../import/warnings.ts';
import type { Rule } from '../rule.ts';

export const emptyVersion: Rule = {
  id: 'empty-version',
  level: 'note',
  summary: 'A released version has no notes.',
  help: 'There is nothing below the heading of the version. Write what has changed, even if it is one line such as "No user-facing changes".',
  *find({ versions }) {
    for (const version of versions) {
      const { label, title, isUnreleased, isYanked } = version.heading;
      if (isUnreleased || isYanked || title !== '' || !isEmpty(version)) continue;
      yield {
        line: version.line,
        message: `version ${label} has no notes; write what has changed.`,
      };
    }
  },
};

export const emptySection: Rule = {
  id: 'empty-section',
  level: 'note',
  summary: 'A section of a released version is empty.',
  help: 'There is nothing below the heading of the section. Delete the heading, or write what has changed.',
  *find(text) {
    for (const { version, headings } of headingsByVersion(text)) {
      if (version.heading.isUnreleased || isEmpty(version)) continue;
      for (const [at, { line, level, text: name }] of headings.entries()) {
        const next = headings[at + 1];
        if (name === '' || (next !== undefined && next.level > level)) continue;
        const end = (next?.line ?? version.line + 1 + version.lines.length) - version.line - 1;
        if (!isEmpty({ lines: version.lines.slice(line - version.line, end) })) continue;
        yield {
          line,
          message: `section ${quote(name)} of version ${version.heading.label} is empty; delete its heading, or write what has changed.`,
        };
      }
    }
  },
};

export const unknownSection: Rule = {
  id: 'unknown-section',
  level: 'note',
  summary: 'The name of a section is not known.',
  help: 'Its changes get the type "other". Use a name such as Added, Changed, Deprecated, Removed, Fixed or Security, or say what it means with --section NAME=TYPE.',
  *find({ versions }) {
    const uses = versions.flatMap((version) =>
      version.sections
        .filter(({ changes, name }) => changes > 0 && name !== '')
        .map((use) => ({ version, ...use })),
    );
    const unknown = uses.filter(({ isTold, changes, others }) => !isTold && others * 2 > changes);
    const names = [...Map.groupBy(unknown, ({ name }) => name)];
    const [first] = unknown;
    // A file with names of its own throughout needs no list of them.
    const isUsual = names.length > NAMES_MAX || (names.length > 1 && unknown.length * 2 > uses.length);
    if (first !== undefined && isUsual)
      yield {
        line: lineOf(first),
        message: `${unknown.length} of ${uses.length} sections have a name that is not known, such as ${quote(first.name)}; use names such as Added, Changed and Fixed, or say what they are with --section NAME=TYPE.`,
      };
    else
      for (const [name, [use, ...others]] of names)
        if (use !== undefined) yield { line: lineOf(use), message: describeUnknown(name, others.length) };
  },
};

function describeUnknown(name: string, others: number): string {
  const also = others === 0 ? '' : ` (also in ${others} other ${others === 1 ? 'place' : 'places'})`;
  const meant = meantBy(name);
  const advice =
    meant === undefined
      ? 'use a name such as Added, Changed or Fixed, or say what it is with --section NAME=TYPE'
      : `perhaps it should be ${quote(meant)}`;
  return `section ${quote(name)} is not known${also}; ${advice}.`;
}

const NAMES_MAX = 10;

/** A name in bold is not a heading, so it is found in the text. */
function lineOf({ version, name }: Readonly<{ version: Version; name: string }>): number {
  const at = version.lines.findIndex((line) => line.includes(name));
  return version.line + 1 + at;
}

/** The headings of sections, below the version that they are in. */
function* headingsByVersion({ versions, choice }: InspectedText) {
  const { headings } = choice;
  let at = 0;
  for (const version of versions) {
    const end = version.line + version.lines.length;
    while ((headings[at]?.line ?? Number.POSITIVE_INFINITY) <= version.line) at++;
    const own: (typeof headings)[number][] = [];
    for (; (headings[at]?.line ?? Number.POSITIVE_INFINITY) <= end; at++) {
      const one = headings[at];
      if (one?.mark === 'heading' && one.whole === null && !isSeries(one.text)) own.push(one);
    }
    yield { version, headings: own };
  }
}
