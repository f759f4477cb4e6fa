import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeVersionSelect } from '../../../src/present/pages/filters.ts';
import { writeCompare, writeVersionMenu } from '../../../src/present/pages/version-list.ts';
import { ENGLISH } from '../../../src/present/words/locale.ts';
import { HEAD, SITE } from './sample.ts';

const named = (label: string, major: string | null) => ({ id: `ver_${label}`, label, major });
/** By date: the last one is the newest of an older major version. */
const MENU = [
  named('1.4.2', '1'),
  named('10.0.0', '10'),
  named('nightly', null),
  named('9.9.0', '9'),
  named('10.0.0-rc.1', '10'),
  named('0.9.0', '0'),
];
const LINKS = SITE.links.fromProduct('changelog', HEAD);

describe('the menu of versions', () => {
  const page = {
    menu: MENU,
    versionCount: MENU.length,
    versions: [{ id: 'ver_1.4.2' }],
    links: LINKS,
    locale: ENGLISH,
    isStatic: false,
  };

  it('is by major version, the highest first, other labels last', () => {
    const { html } = writeVersionMenu(page);
    const names = [...html.matchAll(/<(?:span|a href="[^"]*")>(.*?)</g)].map(([, name]) => name);
    assert.deepEqual(names.join(' '), '10.x 10.0.0 10.0.0-rc.1 9.x 9.9.0 1.x 1.4.2 0.x 0.9.0 Other nightly');
    assert.match(html, new RegExp(`<summary>${MENU.length} versions</summary>`));
  });

  it('leads to all versions of a major version if it does not have them', () => {
    const { html } = writeVersionMenu({ ...page, versionCount: 1200 });
    assert.match(html, /<summary>1,200 versions<\/summary>/);
    assert.match(html, /<a href="\?to=10\.0\.0" rel="nofollow">10\.x …<\/a>/);
    assert.match(html, /<a href="\?to=0\.9\.0" rel="nofollow">0\.x …<\/a>/);
    assert.match(html, /<span>Other<\/span>/);
    assert.doesNotMatch(writeVersionMenu({ ...page, versionCount: 1200, isStatic: true }).html, /\?to=/);
  });

  it('leads to a version on this page, or else to its own page', () => {
    const { html } = writeVersionMenu(page);
    assert.match(html, /<a href="#ver_1\.4\.2">1\.4\.2<\/a>/);
    assert.match(html, /<a href="rocket\/versions\/9\.9\.0">9\.9\.0<\/a>/);
  });

  it('does not exist for a few versions, and has no headings for one major version', () => {
    assert.equal(writeVersionMenu({ ...page, menu: MENU.slice(0, 3) }).html, '');
    const ofOne = ['1.3.0', '1.2.0', '1.1.0', '1.0.0'].map((label) => named(label, '1'));
    assert.doesNotMatch(writeVersionMenu({ ...page, menu: ofOne }).html, /1\.x/);
  });
});

describe('versions to compare', () => {
  it('are the two newest by version, not by date, unless others are chosen', () => {
    const { html } = writeCompare('rocket/changes', MENU, ENGLISH);
    const chosenOf = (menu: typeof MENU) =>
      [...writeCompare('rocket/changes', menu, ENGLISH).html.matchAll(/<option selected>(.*?)</g)].map(
        ([, label]) => label,
      );
    assert.match(html, /<form class="fields pair row" action="rocket\/changes">/);
    assert.deepEqual(chosenOf(MENU), ['9.9.0', '10.0.0']);
    assert.deepEqual(chosenOf(MENU.slice(2)), ['9.9.0', '10.0.0-rc.1']);
    assert.deepEqual(chosenOf([named('2.0.0', '2'), named('2.0.0-rc.1', '2')]), ['2.0.0-rc.1', '2.0.0']);
    assert.match(
      html,
      /<label for="compare-from">After version<\/label>\n<select class="field" id="compare-from" name="from">/,
    );
    assert.doesNotMatch(html, /nightly/);
  });

  it('are not asked for without a page for them, or with less than two', () => {
    assert.equal(writeCompare(null, MENU, ENGLISH).html, '');
    assert.equal(writeCompare('changes', [named('1.0.0', '1'), named('1.0.0+b', '1')], ENGLISH).html, '');
  });

  it('are in the list whatever is chosen, and may be all', () => {
    const write = (name: 'from' | 'to', chosen: string) =>
      writeVersionSelect({ name, id: name, chosen }, MENU, ENGLISH).html;
    assert.match(
      write('from', '"3.0'),
      /<option value="">the beginning<\/option>\n<option selected>&quot;3\.0<\/option>/,
    );
    assert.match(write('to', ''), /<option value="">the newest version<\/option>/);
    assert.doesNotMatch(write('to', ''), /selected/);
  });
});
