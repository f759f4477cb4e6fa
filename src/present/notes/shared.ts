// Changes that several products share: who else has them, and where those are that a version leaves out (R64).

import { ownWords } from '../pages/document.ts';
import type { VersionLink } from '../team.ts';
import { html } from '../template.ts';
import { fillHtml, type Locale } from '../words/locale.ts';

/** HTML; empty if no other version has the change. */
export const writeAlsoIn = (locale: Locale, versions: readonly VersionLink[]): string =>
  writeVersions(locale, locale.words.version.alsoIn, versions);

/** HTML; empty if the version shows all its changes. */
export const writeListedUnder = (locale: Locale, versions: readonly VersionLink[]): string =>
  writeVersions(locale, locale.words.version.listedUnder, versions);

/** A monorepo may release hundreds of packages at once. */
export const NAMED_MAX = 20;

function writeVersions(locale: Locale, text: string, versions: readonly VersionLink[]): string {
  if (versions.length === 0) return '';
  const named = versions
    .slice(0, NAMED_MAX)
    .map(({ name, url }) => html`<a href="${url}" dir="auto">${name}</a>`);
  const more = versions.length - named.length;
  const items = more === 0 ? named : [...named, html`+${locale.number(more)}`];
  return html`<p${ownWords(locale)}>${fillHtml(text, { versions: locale.allOf(items) })}</p>`.html;
}
