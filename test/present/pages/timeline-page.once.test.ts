import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Site } from '../../../src/present/pages/document.ts';
import { frameTimeline as frame, type TimelinePage } from '../../../src/present/pages/list-pages.ts';
import { ENGLISH } from '../../../src/present/words/locale.ts';
import { dataOf, HEAD, SITE, TIMELINE, timelinePage, VERSION } from './sample.ts';

const frameTimeline = (site: Site, page: TimelinePage) => frame(site, page, ENGLISH);

describe('the page of a team', () => {
  it('names the product of each version, for screen readers in its heading', async () => {
    const page = await timelinePage({}, { ...HEAD, accent: '#ffee00' });
    assert.match(
      page,
      /<a class="name of" href="acme\/rocket"><svg class="logo" [^>]* color="light-dark\([^>]*><rect [^>]*><text [^>]*>R<\/text><\/svg> <span dir="auto">Rocket<\/span><\/a>\n<time /,
    );
    assert.match(
      page,
      /<h2><a class="u-url p-name" href="acme\/rocket\/versions\/2\.1\.0"><span class="sr" dir="auto">Rocket<\/span> <span class="label"/,
    );
  });

  it('has what others share below a change, and what others show at the end', async () => {
    const page = await timelinePage();
    assert.match(
      page,
      /<li class="change" id="chg_a".*?<div class="also"><p>Also in <a href="acme\/lander\/versions\/2\.1\.0" dir="auto">Lander 2\.1\.0<\/a><\/p><\/div>\n<\/li>/s,
    );
    assert.match(page, /<\/section>\n<div class="also"><p>Shared changes are listed under <a /);
  });

  it('leads to all products where it shows some, and describes those', () => {
    const newest = { ...VERSION, status: 'published', changeCount: 1, yanked: 0 } as const;
    const { start } = frameTimeline(SITE, {
      ...TIMELINE,
      products: [{ ...HEAD, newest }],
      productsUrl: '?products=all',
    });
    assert.match(start, /<a class="button" href="\?products=all" rel="nofollow">More products<\/a>/);
    assert.equal(dataOf(start).mainEntity.itemListElement[0].name, 'Rocket changelog');
  });

  it('has neither search nor feeds on a static site', () => {
    const { start, end } = frameTimeline({ ...SITE, isStatic: true }, TIMELINE);
    assert.doesNotMatch(start + end, /type="search"|class="picks"/);
    const links = { ...SITE.links, teamFile: () => null };
    const site = frameTimeline({ ...SITE, isStatic: true, links }, TIMELINE);
    assert.doesNotMatch(site.start + site.end, /feed\.atom|JSON<|class="menu"/);
  });
});
