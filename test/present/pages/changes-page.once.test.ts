import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FilterForm } from '../../../src/present/pages/filters.ts';
import { frameChanges } from '../../../src/present/pages/product-pages.ts';
import { changesPage, FORM, HEAD, rangeForm, SITE } from './sample.ts';

const BASE = 'https://changes.example.com/changelog/acme/rocket';
const VIEW = { head: HEAD, form: FORM, isFiltered: true, menu: [], versions: [] };

describe('the page of changes', () => {
  it('shows which versions it compares', () => {
    assert.match(changesPage(), /<h1[^>]*>All changes<\/h1>/);
    assert.match(changesPage(rangeForm('1.4.0', '2.1.0')), /<h1[^>]*>Changes from 1\.4\.0 to 2\.1\.0<\/h1>/);
    assert.match(changesPage(rangeForm('1.4.0', '')), /<h1[^>]*>Changes after 1\.4\.0<\/h1>/);
    assert.match(changesPage(rangeForm('', '2.1.0')), /<h1[^>]*>Changes up to 2\.1\.0<\/h1>/);
  });

  it('has a Markdown version with the same range', () => {
    const page = changesPage(rangeForm('1.4.0', '2.1.0'));
    assert.ok(page.includes(`href="${BASE}/changes.md?from=1.4.0&amp;to=2.1.0">`));
    assert.ok(page.includes('<a href="../rocket/changes.md?from=1.4.0&amp;to=2.1.0"'));
    assert.ok(page.includes(`<link rel="canonical" href="${BASE}/changes">`));
    assert.ok(page.includes('noindex, follow'));
    assert.equal(changesPage().includes('noindex'), false);
  });

  it('names the version of each change, with a permanent link', () => {
    const page = changesPage();
    assert.match(page, /<li class="change range" id="chg_a" dir="auto">/);
    assert.match(page, /<a class="in" href="\.\.\/rocket\/versions\/2\.1\.0" dir="auto">2\.1\.0<\/a>/);
    assert.match(page, /<a class="anchor" href="\.\.\/rocket\/versions\/2\.1\.0#chg_a"/);
  });

  it('shows that nothing matches', () => {
    const { end } = frameChanges(SITE, VIEW);
    assert.match(end, /<h2>No changes match<\/h2>/);
  });

  it('lists the versions to choose from; without a list, they are typed', () => {
    const menu = [{ id: 'ver_a', label: '2.1.0', major: '2' }];
    const { start } = frameChanges(SITE, { ...VIEW, form: rangeForm('2.1.0', ''), menu });
    assert.match(start, /<select class="field" id="from" name="from">/);
    assert.match(start, /<option selected>2\.1\.0<\/option>/);
    assert.match(frameChanges(SITE, VIEW).start, /<input class="field" type="text" id="from" name="from">/);
  });

  it('asks for no versions if no label is a version number', () => {
    const menu = [{ id: 'ver_a', label: '2026-05-04', major: null }];
    const { start } = frameChanges(SITE, { ...VIEW, menu });
    assert.doesNotMatch(start, /name="(?:from|to)"/);
    assert.match(start, /<details class="wide" open>/);
    assert.match(start, /<button type="submit">Apply filters<\/button>/);
    const ofRange = frameChanges(SITE, { ...VIEW, form: rangeForm('1.0.0', ''), menu }).start;
    assert.match(ofRange, /id="from" name="from" value="1\.0\.0"/);
  });

  it('asks for two versions, and hides filters that are not set', () => {
    const isOpen = (form: Partial<FilterForm>) =>
      changesPage({ ...FORM, ...form }).includes('<details class="wide" open>');
    assert.equal(isOpen({}), false);
    assert.ok(isOpen({ values: { type: ['added'] } }));
    assert.ok(isOpen({ values: { prerelease: ['false'] } }));
    assert.ok(isOpen({ problems: { type: () => 'Choose a type.' } }));
  });
});
