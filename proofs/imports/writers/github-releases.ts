// Releases as GitHub's REST API lists them, with bodies in any of the other styles or as GitHub generates them.

import type { ApiVersion } from '../sandbox.ts';
import { type Body, type BodyStyle, plainItem, type SectionStyle, writeBody } from './bodies.ts';
import type { Dice } from './dice.ts';
import { References } from './texts.ts';
import { type DatedLabel, inOrder, joinedTexts, labels, type Written } from './writers.ts';

const REPOSITORY = 'https://github.com/acme/rocket';
const implied = (heading: string, type: string, breaking = false): SectionStyle => ({
  heading,
  meaning: { type, breaking },
});
const named = (heading: string, type: string): SectionStyle => ({
  heading,
  meaning: { type, name: heading },
});

const SECTIONS: readonly SectionStyle[] = [
  implied('Added', 'added'),
  implied('Fixed', 'fixed'),
  implied('Removed', 'removed'),
  implied('Features', 'added'),
  implied('Bug Fixes', 'fixed'),
  implied('⚠ BREAKING CHANGES', 'changed', true),
  implied('Patch Changes', 'fixed'),
  implied("What's Changed", 'changed'),
  named('Performance Improvements', 'changed'),
  named('Documentation', 'other'),
  named('Housekeeping', 'other'),
];

export function writeGithubReleases(dice: Dice): Written {
  const releases: object[] = [];
  const versions: ApiVersion[] = [];
  for (const [index, label] of labels(dice, dice.int(1, 4)).entries()) {
    const { record, version } = writeRelease(dice, label, index);
    releases.push(record);
    versions.push(version);
  }
  const indent = dice.oneOf([undefined, 2, '\t']);
  const half = dice.int(0, releases.length);
  const text = dice.oneOf([
    JSON.stringify(releases, null, indent),
    // Pages as `gh api --paginate` prints them, with --slurp and without.
    JSON.stringify([releases.slice(0, half), releases.slice(half)], null, indent),
    `${JSON.stringify(releases.slice(0, half), null, indent)}${JSON.stringify(releases.slice(half), null, indent)}`,
  ]);
  return {
    text: `${text}${dice.oneOf(['\n', ''])}`,
    description: null,
    versions: inOrder(versions),
    flags: dice.chance(80) ? [] : ['--format', 'github-releases'],
  };
}

function writeRelease(
  dice: Dice,
  { label, timestamp }: DatedLabel,
  index: number,
): { record: object; version: ApiVersion } {
  const body = dice.chance(90) ? releaseBody(dice, label) : null;
  const isDraft = index === 0 && dice.chance(20);
  const isPrerelease = dice.chance(15);
  const publishedAt = isDraft ? null : (timestamp?.replace('T00:00', `T0${9 - index}:30`) ?? null);
  const name = dice.oneOf([null, '', label, label.replace(/^v/, ''), 'The big one', 'Größer 🎉']);
  const url = `${REPOSITORY}/releases/tag/${label}`;
  const breaks = dice.oneOf(['\n', '\r\n']);
  const record = {
    url: `https://api.github.com/repos/acme/rocket/releases/${index}`,
    html_url: url,
    id: index,
    author: { login: 'someone', html_url: 'https://github.com/someone', site_admin: false },
    tag_name: label,
    target_commitish: 'main',
    name,
    draft: isDraft,
    prerelease: isPrerelease,
    created_at: '2023-01-01T00:00:00Z',
    published_at: publishedAt?.replace('.000Z', 'Z') ?? null,
    assets: dice.chance(20)
      ? [{ name: 'rocket.zip', size: 12, browser_download_url: `${url}/rocket.zip` }]
      : [],
    tarball_url: `${REPOSITORY}/tarball/${label}`,
    body: body === null ? dice.oneOf([null, '']) : body.written.join('\n').replaceAll('\n', breaks),
  };
  // Labels with a hyphen already show that they are prereleases.
  const isSaid = isPrerelease && !/^v?\d+(?:\.\d+){1,2}-/.test(label);
  const version = {
    version: label,
    title: name === null || name === label || name === label.replace(/^v/, '') ? '' : name,
    status: isDraft ? 'draft' : 'published',
    publishedAt,
    description: joinedTexts([
      isSaid ? 'Pre-release.' : null,
      ...(body?.description ?? []),
      `[Release page](${url})`,
    ]),
    ...(body?.compare !== undefined && { links: { compare: body.compare } }),
    yanked: false,
    changes: body?.changes ?? [],
  };
  return { record, version };
}

function releaseBody(dice: Dice, label: string): Body & { compare?: string } {
  const references = new References(dice);
  const style: BodyStyle = {
    sections: SECTIONS,
    level: dice.oneOf([2, 3]),
    markers: [dice.oneOf(['* ', '- '])],
    isLoose: dice.chance(20),
    hasBlankAfterHeading: dice.chance(50),
    item: plainItem,
  };
  const body = writeBody(dice, references, style);
  const definitions = references.write();
  body.written.push('', ...definitions);
  const last = body.written.findLast((one) => one !== '') ?? '';
  if (/^[*-] /.test(last) && dice.chance(40)) {
    const link = `**Full Changelog**: ${REPOSITORY}/compare/v0...${label}`;
    body.written.push('', link);
    return { ...body, compare: `${REPOSITORY}/compare/v0...${label}` };
  }
  return body;
}
