// A team with one small changelog in each language that pages speak.
import { LANGUAGES, localeFor } from '../../src/present/words/locale.ts';

export const LANGUAGE_TAGS = LANGUAGES;

export const teamIn = (tag: string) => `in-${tag.toLowerCase()}`;

/** Authored texts are the language's own words. */
export const LANGUAGE_DOCUMENTS = LANGUAGE_TAGS.map((tag) => {
  const { about, empty, types, version } = localeFor(tag).words;
  const versionOf = (label: string, day: string, fields: object) => ({
    version: label,
    title: types.added,
    status: 'published',
    publishedAt: `${day}T09:00:00Z`,
    ...fields,
  });
  const newest = {
    links: { compare: 'https://example.com/compare' },
    description: `${empty.nothingYet}\n\n\`--code\` ${version.after}\n\n| a | b |\n|---|---|\n| 1 | 2 |`,
    changes: Object.entries(types).map(([type, text]) =>
      type === 'breaking' ? { type: 'removed', breaking: true, text } : { type, text: `\`${type}\` ${text}` },
    ),
  };
  const versions = [
    versionOf('1.1.0', '2026-05-04', newest),
    versionOf('1.0.1', '2026-04-04', { yanked: true }),
    versionOf('1.0.0', '2025-05-04', {}),
  ];
  const name = about.changelogs;
  const changelog = { name, status: 'published', language: tag, versions };
  return {
    team: { slug: teamIn(tag), name: types.other, visibility: 'public', plan: 'free' },
    products: [{ slug: 'product', name, status: 'published', changelog }],
  };
});
