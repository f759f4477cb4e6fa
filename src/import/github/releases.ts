// The releases of a repository on GitHub, as its REST API gives them: https://docs.github.com/rest/releases/releases.

import type { Input } from '../../content/input/input.ts';
import type { SpoolQuota } from '../../content/input/spool.ts';
import { findVersionProblems } from '../../content/read/problems.ts';
import type { VersionContent } from '../../domain/content/content.ts';
import { normaliseTimestamp } from '../../domain/timestamp.ts';
import { VERSION_PATTERN } from '../../domain/version-order.ts';
import { Refusal } from '../../errors.ts';
import { joinTexts } from '../amendments.ts';
import type { ImportedChangelog, ImportedVersion } from '../changelog.ts';
import { isTooLong, TOO_LONG } from '../markdown/split-versions.ts';
import { SpooledImports } from '../spooled-imports.ts';
import { parseReleaseBody } from './release-body.ts';
import { type JsonItem, lineOfField, splitItems } from './split-items.ts';

/** The input stays open; it is not needed any more. */
export function readReleases(
  input: Input,
  {
    merging,
    quota,
    onRead,
  }: Readonly<{ merging: boolean; quota: SpoolQuota; onRead: (bytes: number) => void }>,
): ImportedChangelog {
  const versions = new SpooledImports({ name: input.name, quota, merging });
  try {
    for (const item of splitItems(input, 'release')) {
      versions.add(new ReleaseReader(input.name, item).read());
      onRead(item.start + item.bytes.length);
    }
    if (versions.length === 0)
      throw new Refusal(`${input.name}:1: there are no releases in it: ${ASK_FOR_IT}`);
  } catch (error) {
    versions.close();
    throw error;
  }
  return {
    format: 'github-releases',
    name: null,
    versions,
    warnings: [],
    close: () => versions.close(),
  };
}

/** Where to find in a release what a content document calls so. */
const FIELDS: Readonly<Record<string, string>> = {
  version: 'tag_name',
  title: 'name',
  publishedAt: 'published_at',
};
const VERSION = new RegExp(VERSION_PATTERN);
const PRERELEASE_GROUP = 4;
const SHOWN_CHARACTERS_MAX = 200;
const ASK_FOR_IT = 'take what `gh api repos/OWNER/REPO/releases` gives.';

class ReleaseReader {
  readonly #file: string;
  readonly #item: JsonItem;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(file: string, item: JsonItem) {
    this.#file = file;
    this.#item = item;
    this.#fields = this.#parse();
  }

  read(): ImportedVersion {
    this.#refuseErrors();
    const tag = this.#text('tag_name') ?? this.#refuse('tag_name', `is missing: ${ASK_FOR_IT}`);
    const name = this.#text('name')?.trim() ?? '';
    const isDraft = this.#boolean('draft');
    const isPrerelease = this.#boolean('prerelease') && VERSION.exec(tag)?.[PRERELEASE_GROUP] === undefined;
    const publishedAt = this.#timestamp('published_at');
    const body = this.#text('body')?.replaceAll(/\r\n?/g, '\n') ?? '';
    if (isTooLong(countLines(body), body.length)) this.#refuse('body', TOO_LONG);
    const { description, changes, title, yanked } = parseReleaseBody(body, tag, this.#file);
    const ownName = name === tag || name === tag.replace(/^v/i, '') ? '' : name;
    const url = this.#text('html_url');
    const content: VersionContent = {
      version: tag,
      title: ownName || title,
      status: isDraft || publishedAt === null ? 'draft' : 'published',
      publishedAt,
      description: joinTexts(
        isPrerelease ? 'Pre-release.' : null,
        ownName !== '' && title !== '' && title !== ownName ? title : null,
        description,
        url ? `[Release page](${escapeUrl(url)})` : null,
      ),
      yanked,
      changes,
    };
    const [problem] = findVersionProblems(content);
    if (problem !== undefined) this.#refuse(FIELDS[String(problem.path[0])] ?? 'body', problem.message);
    return { content, isDated: isDraft || publishedAt !== null, line: this.#item.line };
  }

  #parse(): Record<string, unknown> {
    try {
      return JSON.parse(this.#item.bytes.toString('utf8'));
    } catch (error) {
      const { message } = error as Error;
      const line = this.#item.line + Number(/\(line (\d+) /.exec(message)?.[1] ?? 1) - 1;
      const reason = message.replace(/ at position .*/s, '').replaceAll(/[\s\p{Cc}]+/gu, ' ');
      throw new Refusal(
        `${this.#file}:${line}: the release that begins on line ${this.#item.line} is no JSON: ${reason}. Fetch it again.`,
      );
    }
  }

  /** When something is wrong, GitHub answers with an object of another kind. */
  #refuseErrors(): void {
    const { tag_name: tag, message } = this.#fields;
    if (tag !== undefined || typeof message !== 'string') return;
    throw new Refusal(
      `${this.#file}:${this.#item.line}: these are no releases: GitHub answered ${JSON.stringify(message.slice(0, SHOWN_CHARACTERS_MAX))}. Check the name of the repository and who asks, and fetch it again.`,
    );
  }

  #text(field: string): string | null {
    const value = this.#fields[field] ?? null;
    return value === null || typeof value === 'string' ? value : this.#refuseType(field, 'a text');
  }

  #boolean(field: string): boolean {
    const value = this.#fields[field] ?? false;
    return typeof value === 'boolean' ? value : this.#refuseType(field, 'true or false');
  }

  #timestamp(field: string): string | null {
    const text = this.#text(field);
    if (text === null) return null;
    const shown = JSON.stringify(text.slice(0, SHOWN_CHARACTERS_MAX));
    return (
      normaliseTimestamp(text) ??
      this.#refuse(field, `${shown} is no moment that there is; it takes one like 2026-05-04T09:00:00Z.`)
    );
  }

  #refuseType(field: string, wanted: string): never {
    this.#refuse(field, `it takes ${wanted}: ${ASK_FOR_IT}`);
  }

  #refuse(field: string, message: string): never {
    throw new Refusal(`${this.#file}:${this.#lineOf(field)}: ${field}: ${message}`);
  }

  #lineOf(field: string): number {
    return this.#item.line + lineOfField(this.#item.bytes, field);
  }
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** So that nothing in it ends the link. */
function escapeUrl(url: string): string {
  return url.replaceAll(/[\s\p{Cc}<>()\\]/gu, (sign) =>
    Array.from(Buffer.from(sign), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}
