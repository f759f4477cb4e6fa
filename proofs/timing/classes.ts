// Pairs that must be indistinguishable: hidden content of each kind, and a nonexistent twin.

import { hashApiKey } from '../../src/domain/access/api-key.ts';
import { visibleRows } from '../../src/domain/access/visibility.ts';
import { NO_FILTER, parseWords } from '../../src/domain/feed-query.ts';
import { releaseNumber } from '../../src/domain/release-number.ts';
import type { Reader } from '../../src/store/engine/engine.ts';
import { findFeed } from '../../src/store/read/find-feed.ts';
import { findReleaseByLabel, findReleaseByNumber, findReleases } from '../../src/store/read/find-releases.ts';
import { findUpdate } from '../../src/store/read/find-update.ts';
import { findLatest, findVersion, findVersionPage } from '../../src/store/read/find-version.ts';
import { findTeamList } from '../../src/store/read/lists/listing.ts';
import { findTimeline } from '../../src/store/read/lists/timeline.ts';
import { findPage } from '../../src/store/read/pages.ts';
import { findKey } from '../../src/store/read/reads.ts';
import { writeRequest } from './sample.ts';
import { type Names, NOT_PLANTED, PLANTED, type TimingWorld } from './world.ts';

export type TimingClass = Readonly<{
  name: string;
  names: Names;
  /** The attacker's request, and the status that both kinds get. */
  request: (name: string) => Buffer;
  status: number;
  /** The same read in the store only. */
  query: (db: Reader, name: string) => unknown;
}>;

const PUBLIC = visibleRows('public');
const ROCKET = { team: 'open', product: 'rocket' };
const changelogOf = ({ team, product }: typeof ROCKET) =>
  `/api/v1/public/teams/${team}/products/${product}/changelog`;

const pageOf = ({ team, product }: typeof ROCKET) => `/changelog/${team}/${product}`;

export function listClasses({ privateTeams, products, versionIds, versionLabels, words, keys }: TimingWorld) {
  const ofPath = (name: string, names: Names, pathOf: (slug: string) => typeof ROCKET): TimingClass => ({
    name,
    names,
    request: (slug) => writeRequest(changelogOf(pathOf(slug))),
    status: 404,
    query: (db, slug) => findFeed(db, pathOf(slug), PUBLIC),
  });
  const ofProduct = (name: string, names: Names) =>
    ofPath(name, names, (product) => ({ team: 'open', product }));
  const ofVersion = (name: string, names: Names): TimingClass => ({
    name,
    names,
    request: (version) => writeRequest(`${changelogOf(ROCKET)}/versions/${version}`),
    status: 404,
    query: (db, version) => findVersion(db, ROCKET, version, PUBLIC),
  });
  const ofWord = (name: string, names: Names): TimingClass => ({
    name,
    names,
    request: (word) => writeRequest(`${changelogOf(ROCKET)}?q=${word}`),
    status: 200,
    query: (db, word) => findPage(db, ROCKET, PUBLIC, { ...NO_FILTER, words: parseWords(word) }),
  });
  const ofUpdate = (name: string, names: Names, pathOf: (name: string) => typeof ROCKET): TimingClass => ({
    name,
    names,
    request: (slug) => writeRequest(`${changelogOf(pathOf(slug))}/update?from=0.1.0`),
    status: 404,
    query: (db, slug) => findUpdate(db, pathOf(slug), { from: '0.1.0', withPrereleases: false }, PUBLIC),
  });
  const page = { ...NO_FILTER, limit: 20, withChanges: true };
  const ofPage = (name: string, names: Names, pathOf: (slug: string) => typeof ROCKET): TimingClass => ({
    name,
    names,
    request: (slug) => writeRequest(pageOf(pathOf(slug))),
    status: 404,
    query: (db, slug) => findPage(db, pathOf(slug), PUBLIC, page),
  });
  const ofBadge = (name: string, names: Names, pathOf: (slug: string) => typeof ROCKET): TimingClass => ({
    name,
    names,
    request: (slug) => writeRequest(`${changelogOf(pathOf(slug))}/badge.json`),
    status: 404,
    query: (db, slug) => findLatest(db, pathOf(slug), PUBLIC),
  });
  return [
    ofPath('private-team', privateTeams, (team) => ({ team, product: 'rocket' })),
    ofProduct('draft-product', products.draft),
    ofProduct('locked-product', products.locked),
    ofProduct('draft-changelog', products.draftChangelog),
    ofProduct('locked-changelog', products.lockedChangelog),
    ofVersion('draft-id', versionIds),
    ofVersion('draft-label', versionLabels),
    ofUpdate('update-private-team', privateTeams, (team) => ({ team, product: 'rocket' })),
    ofUpdate('update-draft-product', products.draft, (product) => ({ team: 'open', product })),
    {
      name: 'update-from-draft',
      names: versionLabels,
      request: (from) => writeRequest(`${changelogOf(ROCKET)}/update?from=${from}`),
      status: 400,
      query: (db, from) => findUpdate(db, ROCKET, { from, withPrereleases: false }, PUBLIC),
    },
    ofWord('private-word-rare', words.privateRare),
    ofWord('private-word-common', words.privateCommon),
    ofWord('draft-word-rare', words.draftRare),
    ofWord('draft-word-common', words.draftCommon),
    {
      name: 'page-private-team',
      names: privateTeams,
      request: (team) => writeRequest(`/changelog/${team}`),
      status: 404,
      query: (db, team) => findTimeline(db, team, PUBLIC, page, null),
    },
    {
      name: 'products-private-team',
      names: privateTeams,
      request: (team) => writeRequest(`/changelog/${team}?products=all`),
      status: 404,
      query: (db, team) => findTeamList(db, { team, after: null, limit: 100 }),
    },
    ofPage('page-of-private-team', privateTeams, (team) => ({ team, product: 'rocket' })),
    ofPage('page-draft-product', products.draft, (product) => ({ team: 'open', product })),
    ofPage('page-locked-changelog', products.lockedChangelog, (product) => ({ team: 'open', product })),
    {
      ...ofVersion('page-draft-label', versionLabels),
      request: (version) => writeRequest(`${pageOf(ROCKET)}/versions/${version}`),
      query: (db, version) => findVersionPage(db, ROCKET, version, PUBLIC),
    },
    {
      ...ofVersion('markdown-draft-label', versionLabels),
      request: (version) => writeRequest(`${pageOf(ROCKET)}/versions/${version}.md`),
      query: (db, version) => findVersionPage(db, ROCKET, `${version}.md`, PUBLIC),
    },
    {
      ...ofWord('page-draft-word', words.draftCommon),
      request: (word) => writeRequest(`${pageOf(ROCKET)}?q=${word}`),
      query: (db, word) => findPage(db, ROCKET, PUBLIC, { ...page, words: parseWords(word) }),
    },
    {
      name: 'timeline-private-team',
      names: privateTeams,
      request: (team) => writeRequest(`/api/v1/public/teams/${team}/versions`),
      status: 404,
      query: (db, team) => findTimeline(db, team, PUBLIC, { ...NO_FILTER, limit: 100 }, null),
    },
    {
      ...ofWord('timeline-draft-word', words.draftCommon),
      request: (word) => writeRequest(`/api/v1/public/teams/open/versions?q=${word}`),
      query: (db, word) =>
        findTimeline(db, 'open', PUBLIC, { ...NO_FILTER, limit: 100, words: parseWords(word) }, null),
    },
    ofBadge('badge-private-team', privateTeams, (team) => ({ team, product: 'rocket' })),
    ofBadge('badge-draft-changelog', products.draftChangelog, (product) => ({ team: 'open', product })),
    {
      ...ofProduct('gitea-draft-product', products.draft),
      request: (product) => writeRequest(`/api/v1/repos/open/${product}/releases`),
      query: (db, product) =>
        findReleases(
          db,
          { team: 'open', product },
          { offset: 0, limit: 30, isPrerelease: null, withChanges: true },
          PUBLIC,
        ),
    },
    {
      ...ofVersion('gitea-draft-label', versionLabels),
      request: (label) => writeRequest(`/api/v1/repos/open/rocket/releases/tags/${label}`),
      query: (db, label) => findReleaseByLabel(db, ROCKET, label, PUBLIC),
    },
    {
      ...ofVersion('gitea-draft-number', versionIds),
      request: (id) => writeRequest(`/api/v1/repos/open/rocket/releases/${releaseNumber(id)}`),
      query: (db, id) => findReleaseByNumber(db, ROCKET, releaseNumber(id), PUBLIC),
    },
    {
      ...ofVersion('gitea-link-draft-label', versionLabels),
      request: (label) => writeRequest(`/open/rocket/releases/tag/${label}`),
      query: (db, label) => findReleaseByLabel(db, ROCKET, label, PUBLIC),
    },
    {
      name: 'disabled-key',
      names: keys,
      request: (key) =>
        writeRequest('/api/v1/teams/open/products/rocket/changelog', { authorization: `Bearer ${key}` }),
      status: 401,
      query: (db, key) => findKey(db, hashApiKey(key), new Date().toISOString()),
    },
  ] satisfies TimingClass[];
}

/** One exists and the other does not, so they must be distinguishable: shows that the proof can fail. */
export function plantedClass(): TimingClass {
  const pathOf = (product: string) => ({ team: 'open', product });
  return {
    name: 'planted',
    names: [[PLANTED], [NOT_PLANTED]],
    request: (product) => writeRequest(changelogOf(pathOf(product))),
    status: 0,
    query: (db, product) => findFeed(db, pathOf(product), PUBLIC),
  };
}
