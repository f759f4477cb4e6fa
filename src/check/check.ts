// Finds what is wrong with a changelog, by the same reading as an import.
import type { Input } from '../content/input.ts';
import { Refusal } from '../errors.ts';
import { inspectChangelog, type ReadOptions, readChangelog } from '../import/read.ts';
import type { Context, Finding, Found, Rule } from './rule.ts';
import { RULES, unreadable } from './rules.ts';

export type Checked = Readonly<{
  /** In the order of lines. */
  findings: readonly Finding[];
  versions: number;
}>;

type CheckOptions = Context & Readonly<{ reading: ReadOptions; isStrict: boolean }>;

export function checkChangelog(input: Input, options: CheckOptions): Checked {
  const { findings, versions } = findAll(input, options);
  const sorted = findings.toSorted((a, b) => a.line - b.line || (a.column ?? 0) - (b.column ?? 0));
  return {
    versions,
    findings: options.isStrict ? sorted.map((finding) => ({ ...finding, level: 'error' })) : sorted,
  };
}

function findAll(input: Input, { reading, ...context }: CheckOptions): Checked {
  try {
    const text = inspectChangelog(input, reading);
    if (text === null) return checkReleases(input, reading, context);
    const findings = RULES.flatMap((rule) => [...rule.find(text, context)].map((found) => of(rule, found)));
    const refused = text.refusal === null ? null : refusalIn(text.refusal);
    // A rule may have said the same already.
    const isSaid = findings.some(({ line, level }) => line === refused?.line && level === 'error');
    const others = findings.filter(({ line, rule }) => line !== refused?.line || rule !== 'unread-heading');
    return {
      versions: text.versions.length,
      findings: refused === null || isSaid ? findings : [...others, refused],
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { versions: 0, findings: [refusalIn(error)] };
  }
}

/** Releases as JSON have no text to look at. */
function checkReleases(input: Input, reading: ReadOptions, { wanted, earlier }: Context): Checked {
  const { versions } = readChangelog(input, reading);
  const bare = (label: string) => label.replace(/^v/, '');
  const findings: Finding[] = [];
  const add = (rule: string, level: Finding['level'], message: string) =>
    findings.push({ rule, level, line: 1, message });
  if (wanted !== null) {
    const content = versions.find(({ content }) => bare(content.version) === bare(wanted))?.content;
    if (content === undefined)
      add('missing-version', 'error', `version ${wanted} is not in this file; add a release for it.`);
    else if (content.changes.length === 0 && !content.description)
      add('version-without-notes', 'error', `version ${wanted} has no notes; write what has changed.`);
  }
  if (earlier !== null)
    add('no-earlier-file', 'note', `releases as JSON are not compared with ${earlier.ref}; pass a text.`);
  return { versions: versions.length, findings };
}

function of({ id, level }: Rule, found: Found): Finding {
  return { rule: id, level, ...found };
}

function refusalIn({ at, said }: Refusal): Finding {
  return { rule: unreadable.id, level: unreadable.level, line: at?.[1] ?? 1, message: said };
}
