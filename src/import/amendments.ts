// What is added to versions after they were read: text that belongs to no version goes to the oldest, and a duplicate
// version to the first with its label.
import type { ChangeContent, VersionContent } from '../domain/content/content.ts';
import { Refusal } from '../errors.ts';
import type { ImportedVersion } from './changelog.ts';
import { requireValidVersion } from './checks.ts';

/** Each is compared with all changes of its version. */
const AMENDMENTS_MAX = 10_000;

export type Amendment = Pick<VersionContent, 'description' | 'changes'> &
  Partial<Pick<VersionContent, 'title' | 'yanked'>>;

export class Amendments {
  readonly #file: string;
  readonly #byLabel = new Map<string, Amendment[]>();
  #count = 0;

  constructor(file: string) {
    this.#file = file;
  }

  add(label: string, amendment: Amendment, line: number): void {
    if (++this.#count > AMENDMENTS_MAX)
      throw new Refusal(
        `${this.#file}:${line}: more than ${AMENDMENTS_MAX.toLocaleString('en')} duplicate versions; this does not look like a changelog.`,
      );
    const others = this.#byLabel.get(label);
    if (others) others.push(amendment);
    else this.#byLabel.set(label, [amendment]);
  }

  applyTo(version: ImportedVersion): ImportedVersion {
    const amendments = this.#byLabel.get(version.content.version);
    if (amendments === undefined) return version;
    const amended = { ...version, content: amendments.reduce(amendContent, version.content) };
    requireValidVersion(amended, this.#file);
    return amended;
  }
}

function amendContent(
  content: VersionContent,
  { title = '', description, yanked = false, changes }: Amendment,
): VersionContent {
  const isNew = (change: ChangeContent) => !content.changes.some((other) => isSame(other, change));
  return {
    ...content,
    title: content.title || title,
    yanked: content.yanked || yanked,
    description: joinTexts(
      content.description,
      content.title !== '' && title !== content.title ? title || null : null,
      description === content.description ? null : description,
    ),
    changes: [...content.changes, ...changes.filter(isNew)],
  };
}

function isSame(one: ChangeContent, other: ChangeContent): boolean {
  return one.type === other.type && one.text === other.text && one.breaking === other.breaking;
}

/** Joins texts with a blank line. A single text is unchanged, even if it is empty. */
export function joinTexts(...texts: readonly (string | null)[]): string | null {
  const some = texts.filter((text) => text !== null);
  return some.length === 0 ? null : some.join('\n\n');
}
