import { type DocumentStyle, escapeInvisible, withoutNulls } from './style.ts';

/** The same text as `JSON.stringify` of the whole document with two spaces. */
export const JSON_STYLE: DocumentStyle = {
  begin: (team, hasProducts) =>
    `{\n  "team": ${format(team, 2)},\n  "products": [${hasProducts ? '' : ']\n}'}`,
  product: (product, changelog, isLast) => {
    const written = changelog && { ...changelog, versions: changelog.versions.map(withoutNulls) };
    return `    ${format(withoutNulls({ ...product, changelog: written }), 4)}${isLast ? '' : ','}`;
  },
  end: (hasProducts) => (hasProducts ? '  ]\n}' : null),
};

function format(value: unknown, indent: number): string {
  return escapeInvisible(JSON.stringify(value, null, 2)).replaceAll('\n', `\n${' '.repeat(indent)}`);
}
