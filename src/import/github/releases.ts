// Releases as REST APIs return them: https://docs.github.com/rest/releases/releases (Gitea and Forgejo have the same
// fields) and https://docs.gitlab.com/api/releases.

import type { Input } from '../../content/input.ts';
import { findJsonProblem, lineAt, structureOf } from '../../content/read/json.ts';
import { findVersionProblems } from '../../content/read/problems.ts';
import { linksTo, type VersionContent } from '../../domain/content/content.ts';
import { normaliseTimestamp } from '../../domain/timestamp.ts';
import { VERSION_PATTERN } from '../../domain/version-order.ts';
import { Refusal } from '../../errors.ts';
import type { ImportedChangelog, ImportedVersion } from '../changelog.ts';
import { collectVersions, joinTexts } from '../collect-versions.ts';
import { isTooLong, tooLong } from '../markdown/split.ts';
import { type ImportRules, NO_RULES } from '../rules.ts';
import { type SectionUse, type VersionSections, warnOfSections } from '../section-warnings.ts';
import { parseReleaseBody } from './release-body.ts';
import { type SkippedDraft, warnOfSkipped } from './skipped-drafts.ts';
import { type JsonItem, splitItems } from './split-items.ts';

type ReleaseOptions = Readonly<{ merging: boolean; rules?: ImportRules }>;

export function readReleases(input: Input, { merging, rules = NO_RULES }: ReleaseOptions): ImportedChangelog {
  const { name } = input;
  const versions: ImportedVersion[] = [];
  const skipped: SkippedDraft[] = [];
  const sections: VersionSections[] = [];
  for (const item of splitItems(input, 'release')) {
    const release = new ReleaseReader(name, item, rules);
    if (release.isDraftWithoutTag()) skipped.push({ name: release.name, line: item.line });
    else {
      versions.push(release.read());
      sections.push({ line: item.line, sections: release.sections });
    }
  }
  if (versions.length === 0)
    throw new Refusal(
      skipped.length === 0
        ? `no releases found; ${ASK_FOR_IT}`
        : 'no releases found except drafts without a tag; give them tags and fetch them again.',
      { at: [name, 1] },
    );
  return {
    format: 'github-releases',
    name: null,
    description: null,
    versions: collectVersions(versions, { name, merging }),
    warnings: [...warnOfSkipped(name, skipped), ...warnOfSections(sections, { file: name, lines: [] })],
  };
}

/** The fields that have another name at GitLab. */
const GITHUB = { date: 'published_at', body: 'body' } as const;
const GITLAB = { date: 'released_at', body: 'description' } as const;

const VERSION = new RegExp(VERSION_PATTERN);
const PRERELEASE_GROUP = 4;
const SHOWN_CHARACTERS_MAX = 200;
const ASK_FOR_IT =
  'pass the output of `gh api repos/OWNER/REPO/releases` or `glab api projects/OWNER%2FREPO/releases`.';
/** GitHub gives this name to a draft until it has a tag. */
const NO_TAG = /^(?:untagged-[0-9a-f]+)?$/;

class ReleaseReader {
  sections: readonly SectionUse[] = [];
  readonly #file: string;
  readonly #item: JsonItem;
  readonly #rules: ImportRules;
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #names: typeof GITHUB | typeof GITLAB;

  constructor(file: string, item: JsonItem, rules: ImportRules) {
    this.#file = file;
    this.#item = item;
    this.#rules = rules;
    this.#fields = this.#parse();
    this.#names = isOfGitLab(this.#fields) ? GITLAB : GITHUB;
  }

  get name(): string {
    return this.#text('name')?.trim() ?? '';
  }

  isDraftWithoutTag(): boolean {
    return this.#boolean('draft') && NO_TAG.test(this.#text('tag_name') ?? '');
  }

  read(): ImportedVersion {
    this.#requireNoError();
    const tag = this.#text('tag_name') ?? this.#fail('tag_name', `is missing; ${ASK_FOR_IT}`);
    const { name } = this;
    const isDraft = this.#boolean('draft');
    const isPrerelease = this.#boolean('prerelease') && VERSION.exec(tag)?.[PRERELEASE_GROUP] === undefined;
    const publishedAt = this.#date();
    const body = this.#text(this.#names.body)?.replaceAll(/\r\n?/g, '\n') ?? '';
    if (isTooLong(lineAt(body, body.length), body.length)) this.#fail(this.#names.body, tooLong());
    const { description, changes, title, yanked, compare, sections } = parseReleaseBody(body, {
      tag,
      rules: this.#rules,
    });
    this.sections = sections;
    const ownName = name === tag || name === tag.replace(/^v/i, '') ? '' : name;
    const url = this.#page();
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
      ...linksTo(compare),
      yanked,
      changes,
    };
    const [problem] = findVersionProblems(content);
    if (problem !== undefined) this.#fail(this.#fieldOf(String(problem.path[0])), problem.message);
    return { content, isDated: isDraft || publishedAt !== null, line: this.#item.line };
  }

  #parse(): Record<string, unknown> {
    const { text, line } = this.#item;
    const problem = findJsonProblem(text);
    if (problem === null) return JSON.parse(text);
    throw new Refusal(`the release that starts on line ${line} is ${problem.message} Fetch it again.`, {
      at: [this.#file, line + problem.line - 1],
    });
  }

  /** When a request fails, the response is an error object. */
  #requireNoError(): void {
    const { tag_name: tag, message, error } = this.#fields;
    const reason = message ?? error;
    if (tag !== undefined || typeof reason !== 'string') return;
    const said = `not releases but an error: ${shown(reason)}. Check the repository name and your access, and fetch it again.`;
    throw new Refusal(said, { at: [this.#file, this.#item.line] });
  }

  /** GitLab before 12.1 has no other date than the first. */
  #date(): string | null {
    const isOld = this.#names === GITLAB && this.#fields[GITLAB.date] === undefined;
    return this.#timestamp(isOld ? 'created_at' : this.#names.date);
  }

  /** The web page of the release. */
  #page(): string | null {
    if (this.#names === GITHUB) return this.#text('html_url');
    const { self } = (this.#fields._links ?? {}) as { self?: unknown };
    return typeof self === 'string' ? self : this.#text('web_url');
  }

  #fieldOf(contentField: string): string {
    if (contentField === 'version') return 'tag_name';
    if (contentField === 'title') return 'name';
    return contentField === 'publishedAt' ? this.#names.date : this.#names.body;
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
    return (
      normaliseTimestamp(text) ??
      this.#fail(field, `${shown(text)} is not a valid timestamp; use one like 2026-05-04T09:00:00Z.`)
    );
  }

  #failType(field: string, wanted: string): never {
    this.#fail(field, `must be ${wanted}; ${ASK_FOR_IT}`);
  }

  #fail(field: string, message: string): never {
    throw new Refusal(`${field}: ${message}`, { at: [this.#file, this.#lineOf(field)] });
  }

  #lineOf(field: string): number {
    const { text, line } = this.#item;
    let depth = 0;
    for (const at of structureOf(text)) {
      if ('{['.includes(text.charAt(at))) depth++;
      else if ('}]'.includes(text.charAt(at))) depth--;
      else if (depth === 1 && text.startsWith(`"${field}"`, at)) return line + lineAt(text, at) - 1;
    }
    return line;
  }
}

function isOfGitLab({ body, description, released_at }: Readonly<Record<string, unknown>>): boolean {
  return body === undefined && (description !== undefined || released_at !== undefined);
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, SHOWN_CHARACTERS_MAX));
}

/** Escapes the characters that would end the link. */
function escapeUrl(url: string): string {
  return url.replaceAll(/[\s\p{Cc}<>()\\]/gu, (character) =>
    Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(
      '',
    ),
  );
}
