// The levels of headings in Markdown: versions are at the second, whatever marks them in the file.

type Style = { count: number; versions: number; dated: number };

/** Counts the headings of each style, in the order in which the styles appear. */
export class HeadingStyles {
  readonly #styles = new Map<string, Style>();

  add(style: string, { isVersion, isDated }: Readonly<{ isVersion: boolean; isDated: boolean }>): void {
    const found = this.#styles.get(style) ?? { count: 0, versions: 0, dated: 0 };
    this.#styles.set(style, found);
    found.count++;
    if (isVersion) found.versions++;
    if (isDated) found.dated++;
  }

  get versions(): number {
    return [...this.#styles.values()].reduce((sum, { versions }) => sum + versions, 0);
  }

  has(isOne: (style: string) => boolean): boolean {
    return [...this.#styles.keys()].some(isOne);
  }

  /** By order of appearance, or by length: the shorter is above. */
  levels(order: 'appearance' | 'length'): Levels {
    const styles = [...this.#styles];
    if (order === 'length') styles.sort(([a], [b]) => a.length - b.length);
    if (this.versions === 0) return levelsOfSections(styles);
    const at = indexOfVersions(styles.map(([, style]) => style));
    const count = styles[at]?.[1].count ?? 0;
    // A title or a chapter is above the versions, and there are fewer of them. Anything else is a section that looks like
    // the title.
    const isAbove = ([, style]: [string, Style], index: number) =>
      index < at && (style.count <= count || order === 'length');
    const below = styles
      .filter((style, index) => index !== at && !isAbove(style, index))
      .map(([name]) => name);
    return new Map(
      styles.map(([name], index) => [
        name,
        index === at ? VERSION_LEVEL : below.includes(name) ? levelBelow(below.indexOf(name)) : 1,
      ]),
    );
  }
}

export const VERSION_LEVEL = 2;
const LEVEL_MAX = 6;

export type Levels = ReadonlyMap<string, number>;

/** Sections may repeat the label of their version, but not the date. */
function indexOfVersions(styles: readonly Style[]): number {
  const mostOf = (key: 'versions' | 'dated') => Math.max(0, ...styles.map((style) => style[key]));
  const key = mostOf('dated') * SECTIONS_PER_VERSION >= mostOf('versions') ? 'dated' : 'versions';
  return styles.findIndex((style) => style[key] === mostOf(key));
}

const SECTIONS_PER_VERSION = 10;

/** For files whose versions have no headings. A style that appears only once, at the top, is that of the title. */
function levelsOfSections(styles: readonly (readonly [string, Style])[]): Levels {
  const hasTitle = styles[0]?.[1].count === 1;
  return new Map(styles.map(([name], index) => [name, hasTitle && index === 0 ? 1 : levelBelow(index)]));
}

function levelBelow(index: number): number {
  return Math.min(LEVEL_MAX, VERSION_LEVEL + 1 + index);
}

export function heading(level: number, text: string): string {
  return `${'#'.repeat(level)} ${text}`;
}
