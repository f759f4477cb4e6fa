// Headings at the level of versions that are above all of them and are not versions: a slip of `Unreleased`, or a release
// that somebody began. What is below them is not public yet, so they are drafts.
import { LABEL_CHARACTERS_MAX } from '../../../domain/model.ts';
import { isEmpty } from '../../body/blocks.ts';
import { quote } from '../../warnings.ts';
import type { Candidate } from './candidate.ts';
import { dissectHeading, plainText, type VersionHeading } from './parse.ts';
import { isTitleOfAll, nearestUnreleased } from './words.ts';

/** Adds them to the versions, and finds the line of the first heading at their level: above it is the introduction. */
export function withStrays(
  all: readonly Candidate[],
  versions: readonly Candidate[],
  isAtLevel: (one: Candidate) => boolean,
  lines: readonly string[],
) {
  const [first] = versions;
  const above = first === undefined ? [] : all.slice(0, all.indexOf(first));
  const title = above.find(({ mark }) => mark === 'heading');
  const isSlip = ({ mark, text }: Candidate) =>
    mark !== 'item' && nearestUnreleased(draftOf(text).label) !== undefined;
  const found = above.filter((one) => isAtLevel(one) || isSlip(one));
  const drafts: Candidate[] = [];
  let firstLine = first?.line ?? lines.length + 1;
  for (const [at, one] of found.entries()) {
    const end = found[at + 1]?.line ?? first?.line;
    const isNothing = isEmpty({ lines: lines.slice(one.line, (end ?? 1) - 1) });
    if (one === title && (isTitleOfAll(plainText(one.text)) || (one.level === 1 && isNothing))) continue;
    firstLine = Math.min(firstLine, one.line);
    if (isNothing) continue;
    one.version = draftOf(one.text);
    one.kind = 'unreleased';
    one.isVersion = true;
    drafts.push(one);
  }
  return { versions: [...drafts, ...versions], firstLine };
}

function draftOf(text: string): VersionHeading {
  const { link = null, label: linked = '', tail = '' } = dissectHeading(text)?.start ?? {};
  // `[Unrelased]`, perhaps with a URL.
  const isLink = link !== null && tail.trim() === '';
  const written = isLink ? linked : plainText(text);
  const name = written.replaceAll(/\p{Cc}/gu, ' ').trim();
  const label = name.slice(0, LABEL_CHARACTERS_MAX).toWellFormed().trim() || 'Untitled';
  const title = name.startsWith(label) && name !== label ? name : '';
  const draft = { label, title, link: isLink ? link : null, date: null, isDateLabel: false, isYanked: false };
  return { ...draft, isUnreleased: true, isStray: true };
}

/** What is wrong with it and what to do, in one sentence. */
export function describeStray({ label }: Pick<VersionHeading, 'label'>): string {
  const meant = nearestUnreleased(label);
  const advice =
    meant === undefined
      ? 'name it Unreleased or by its version, or write it as a deeper heading if it is part of the introduction'
      : `${quote(meant)} was probably meant`;
  return `the heading ${quote(label)} is not a version, so the text below it is a draft and not public; ${advice}.`;
}
