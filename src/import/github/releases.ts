// GitHub releases as the REST API returns them: https://docs.github.com/rest/releases/releases.

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
import { type ImportRules, NO_RULES } from '../rules.ts';
import { SpooledImports } from '../spooled-imports.ts';
import { parseReleaseBody } from './release-body.ts';
import { type JsonItem, lineOfField, splitItems } from './split-items.ts';

export function readReleases(
  input: Input,
  {
    merging,
    rules = NO_RULES,
    quota,
    onRead,
  }: Readonly<{
    merging: boolean;
    rules?: ImportRules;
    quota: SpoolQuota;
    onRead: (bytes: number) => void;
  }>,
): ImportedChangelog {
  const versions = new SpooledImports({ name: input.name, quota, merging });
  try {
    for (const item of splitItems(input, 'release')) {
      versions.add(new ReleaseReader(input.name, item, rules).read());
      onRead(item.start + item.bytes.length);
    }
    if (versions.length === 0) throw new Refusal(`${input.name}:1: no releases found; ${ASK_FOR_IT}`);
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

/** The fields of a release, by those of a content document. */
const FIELDS: Readonly<Record<string, string>> = {
  version: 'tag_name',
  title: 'name',
  publishedAt: 'published_at',
};
const VERSION = new RegExp(VERSION_PATTERN);
const PRERELEASE_GROUP = 4;
const SHOWN_CHARACTERS_MAX = 200;
const ASK_FOR_IT = 'pass the output of `gh api repos/OWNER/REPO/releases`.';

class ReleaseReader {
  readonly #file: string;
  readonly #item: JsonItem;
  readonly #rules: ImportRules;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(file: string, item: JsonItem, rules: ImportRules) {
    this.#file = file;
    this.#item = item;
    this.#rules = rules;
    this.#fields = this.#parse();
  }

  read(): ImportedVersion {
    this.#requireNoError();
    const tag = this.#text('tag_name') ?? this.#fail('tag_name', `is missing; ${ASK_FOR_IT}`);
    const name = this.#text('name')?.trim() ?? '';
    const isDraft = this.#boolean('draft');
    const isPrerelease = this.#boolean('prerelease') && VERSION.exec(tag)?.[PRERELEASE_GROUP] === undefined;
    const publishedAt = this.#timestamp('published_at');
    const body = this.#text('body')?.replaceAll(/\r\n?/g, '\n') ?? '';
    if (isTooLong(countLines(body), body.length)) this.#fail('body', TOO_LONG);
    const { description, changes, title, yanked } = parseReleaseBody(body, {
      tag,
      file: this.#file,
      rules: this.#rules,
    });
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
    if (problem !== undefined) this.#fail(FIELDS[String(problem.path[0])] ?? 'body', problem.message);
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
        `${this.#file}:${line}: the release that starts on line ${this.#item.line} is not valid JSON: ${reason}. Fetch it again.`,
      );
    }
  }

  /** When a request fails, GitHub responds with an error object. */
  #requireNoError(): void {
    const { tag_name: tag, message } = this.#fields;
    if (tag !== undefined || typeof message !== 'string') return;
    throw new Refusal(
      `${this.#file}:${this.#item.line}: not releases but an error of GitHub: ${JSON.stringify(message.slice(0, SHOWN_CHARACTERS_MAX))}. Check the repository name and your access, and fetch it again.`,
    );
  }

  #text(field: string): string | null {
    const value = this.#fields[field] ?? null;
    return value === null || typeof value === 'string' ? value : this.#failType(field, 'a string');
  }

  #boolean(field: string): boolean {
    const value = this.#fields[field] ?? false;
    return typeof value === 'boolean' ? value : this.#failType(field, 'true or false');
  }

  #timestamp(field: string): string | null {
    const text = this.#text(field);
    if (text === null) return null;
    const shown = JSON.stringify(text.slice(0, SHOWN_CHARACTERS_MAX));
    return (
      normaliseTimestamp(text) ??
      this.#fail(field, `${shown} is not a valid timestamp; use one like 2026-05-04T09:00:00Z.`)
    );
  }

  #failType(field: string, wanted: string): never {
    this.#fail(field, `must be ${wanted}; ${ASK_FOR_IT}`);
  }

  #fail(field: string, message: string): never {
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

/** Escapes the characters that would end the link. */
function escapeUrl(url: string): string {
  return url.replaceAll(/[\s\p{Cc}<>()\\]/gu, (character) =>
    Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(
      '',
    ),
  );
}
