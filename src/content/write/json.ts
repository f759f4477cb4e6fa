import { type DocumentStyle, escapeInvisible, withoutNulls } from './style.ts';

/** The same text as `JSON.stringify` of the whole document with two spaces. */
export const JSON_STYLE: DocumentStyle = {
  begin: (team, hasProducts) =>
    `{\n  "team": ${format(team, 2)},\n  "products": [${hasProducts ? '' : ']\n}'}`,
  product: (product, isLast) => `    ${format(product, 4)}${comma(isLast)}`,
  beginProduct: (product, changelog, hasVersions) => {
    const head = opened(format({ ...product, changelog: {} }, 4));
    const below = opened(format({ ...changelog, versions: [] }, 6));
    return `    ${head.replace(/\{\}$/, below.replace(/\[\]$/, hasVersions ? '[' : '[]'))}`;
  },
  versions: (versions, isLast) =>
    versions
      .map(
        (version, index) =>
          `          ${format(withoutNulls(version), 10)}${comma(isLast && index === versions.length - 1)}`,
      )
      .join('\n'),
  endProduct: (hasVersions, isLast) => `${hasVersions ? '        ]\n' : ''}      }\n    }${comma(isLast)}`,
  end: (hasProducts) => (hasProducts ? '  ]\n}' : null),
};

function format(value: unknown, indent: number): string {
  return escapeInvisible(JSON.stringify(value, null, 2)).replaceAll('\n', `\n${' '.repeat(indent)}`);
}

/** Without the closing bracket. */
function opened(text: string): string {
  return text.slice(0, text.lastIndexOf('\n'));
}

function comma(isLast: boolean): string {
  return isLast ? '' : ',';
}
