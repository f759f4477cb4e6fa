import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FilterForm } from '../../../src/present/pages/filters.ts';
import { changesPage, FORM, HEAD, rangeForm, VERSION } from './sample.ts';

const BASE = 'https://changes.example.com/changelog/acme/rocket';

describe('the page of changes', () => {
  it('shows which versions it compares', async () => {
    assert.match(await changesPage(), /<h1[^>]*>All changes<\/h1>/);
    assert.match(
      await changesPage(rangeForm('1.4.0', '2.1.0')),
      /<h1[^>]*>Changes from 1\.4\.0 to 2\.1\.0<\/h1>/,
    );
    assert.match(await changesPage(rangeForm('1.4.0', '')), /<h1[^>]*>Changes after 1\.4\.0<\/h1>/);
    assert.match(await changesPage(rangeForm('', '2.1.0')), /<h1[^>]*>Changes up to 2\.1\.0<\/h1>/);
  });

  it('has a Markdown version with the same range', async () => {
    const page = await changesPage(rangeForm('1.4.0', '2.1.0'));
    assert.ok(page.includes(`href="${BASE}/changes.md?from=1.4.0&amp;to=2.1.0">`));
    assert.ok(page.includes('<a href="../rocket/changes.md?from=1.4.0&amp;to=2.1.0"'));
    assert.ok(page.includes(`<link rel="canonical" href="${BASE}/changes">`));
    assert.ok(page.includes('noindex, follow'));
    assert.equal((await changesPage()).includes('noindex'), false);
  });

  it('names the version of each change, with a permanent link', async () => {
    const page = await changesPage();
    assert.match(page, /<li class="change range" id="chg_a" dir="auto">/);
    assert.match(page, /<a class="in" href="\.\.\/rocket\/versions\/2\.1\.0" dir="auto">2\.1\.0<\/a>/);
    assert.match(page, /<a class="anchor" href="\.\.\/rocket\/versions\/2\.1\.0#chg_a"/);
  });

  it('shows that nothing matches', async () => {
    const page = await changesPage(FORM, HEAD, VERSION, { versions: [] });
    assert.match(page, /<h2>No changes match<\/h2>/);
  });

  it('lists the versions to choose from; without a list, they are typed', async () => {
    const menu = [{ id: 'ver_a', label: '2.1.0', major: '2' }];
    const start = await changesPage(rangeForm('2.1.0', ''), HEAD, VERSION, { menu });
    assert.match(start, /<select class="field" id="from" name="from">/);
    assert.match(start, /<option selected>2\.1\.0<\/option>/);
    assert.match(await changesPage(), /<input class="field" type="text" id="from" name="from">/);
  });

  it('asks for no versions if no label is a version number', async () => {
    const menu = [{ id: 'ver_a', label: '2026-05-04', major: null }];
    const start = await changesPage(FORM, HEAD, VERSION, { menu });
    assert.doesNotMatch(start, /name="(?:from|to)"/);
    assert.match(start, /<details class="wide" open>/);
    assert.match(start, /<button type="submit">Apply filters<\/button>/);
    const ofRange = await changesPage(rangeForm('1.0.0', ''), HEAD, VERSION, { menu });
    assert.match(ofRange, /id="from" name="from" value="1\.0\.0"/);
  });

  it('asks for two versions, and hides filters that are not set', async () => {
    const isOpen = async (form: Partial<FilterForm>) =>
      (await changesPage({ ...FORM, ...form })).includes('<details class="wide" open>');
    assert.equal(await isOpen({}), false);
    assert.ok(await isOpen({ values: { type: ['added'] } }));
    assert.ok(await isOpen({ values: { prerelease: ['false'] } }));
    assert.ok(await isOpen({ problems: { type: () => 'Choose a type.' } }));
  });
});
