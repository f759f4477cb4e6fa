import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseWords } from '../../../src/domain/feed-query.ts';
import type { FilterForm } from '../../../src/present/pages/filters.ts';
import { type ChangelogView, frameChangelog } from '../../../src/present/pages/product-pages.ts';
import { beforeOf } from '../../../src/present/pages/version-parts.ts';
import { renderForPage } from '../../../support/content/texts.ts';
import { articleIn, CHANGELOG, changelogPage, dataOf, FORM, HEAD, SITE, VERSION } from './sample.ts';

const hrefs = (page: string): string[] =>
  [...page.matchAll(/<a[^>]* href="([^"]*)"/g)].map((match) => (match[1] as string).replaceAll('&amp;', '&'));

const API = 'https://changes.example.com/api/v1/public/teams/acme/products/rocket/changelog';

describe('a changelog page’s head', () => {
  const page = changelogPage();

  it('has title, canonical URL, card and alternates', () => {
    assert.match(page, /<title>Rocket changelog · Acme<\/title>/);
    assert.match(
      page,
      /<link rel="canonical" href="https:\/\/changes\.example\.com\/changelog\/acme\/rocket">/,
    );
    assert.match(page, /<meta property="og:title" content="Rocket changelog · Acme">/);
    assert.match(page, /<meta name="twitter:card" content="summary">/);
    const alternates = [...page.matchAll(/<link rel="alternate" type="([^"]*)"[^>]* href="([^"]*)">/g)];
    assert.deepEqual(
      alternates.map(([, type, url]) => [type, url]),
      [
        ['application/atom+xml', `${API}/feed.atom`],
        ['application/rss+xml', `${API}/feed.rss`],
        ['application/feed+json', `${API}/feed.json`],
        ['text/markdown', `${API}/CHANGELOG.md`],
      ],
    );
  });

  it('names the team only if it has a page or another name than the product, and no word twice', () => {
    const framed = (hasTeamPages: boolean, teamName: string, productName = 'Rocket') => {
      const head = { ...HEAD, teamName, productName, changelogName: `${productName} changelog` };
      return frameChangelog({ ...SITE, hasTeamPages }, { ...CHANGELOG, head }, null).start;
    };
    const crumbs = (html: string) =>
      [...(html.split('<ul class="crumbs">')[1]?.split('</ul>')[0] ?? '').matchAll(/>([^<\n]+)</g)].map(
        ([, name]) => name,
      );
    for (const [html, title, names] of [
      [framed(true, 'Rocket'), 'Rocket changelog', ['All products', 'Rocket']],
      [framed(false, 'Acme'), 'Rocket changelog · Acme', ['Acme', 'Rocket']],
      [framed(false, 'Rocket'), 'Rocket changelog', ['Rocket']],
      [framed(false, 'Rocket Inc'), 'Rocket changelog · Inc', ['Rocket']],
      [framed(true, 'Acme', 'Acme Rocket'), 'Acme Rocket changelog', ['Acme', 'Rocket']],
    ] as const) {
      assert.ok(html.includes(`<title>${title}</title>`), title);
      assert.deepEqual(crumbs(html), names, title);
    }
    assert.match(framed(false, 'Rocket'), /content="What's new in Rocket: all versions, newest first\."/);
  });

  it('a filtered page offers the feeds with the same filter (R53)', () => {
    const form = { ...FORM, values: { type: ['security'], breaking: ['true'], q: ['a & b'] } };
    const filtered = changelogPage({ form, isFiltered: true });
    const query = '?q=a+%26+b&type=security&breaking=true';
    const files = ['feed.atom', 'feed.rss', 'feed.json', 'CHANGELOG.md'];
    for (const file of files) {
      assert.ok(filtered.includes(`href="${API}/${file}${query.replaceAll('&', '&amp;')}">`), file);
      assert.ok(hrefs(filtered).includes(`${API}/${file}${query}`), file);
    }
    assert.match(filtered, /title="Rocket changelog \(Search: a &amp; b, Security, Breaking\) \(Atom\)"/);
    assert.match(filtered, /<li>With these filters<\/li>/);
    assert.ok(!page.includes('With these filters'));
  });

  it('describes an article about an application', () => {
    const { '@type': type, about } = dataOf(page);
    assert.deepEqual([type, about['@type'], about.name], ['TechArticle', 'SoftwareApplication', 'Rocket']);
  });

  it('lets search engines index only the first page', () => {
    const robots = '<meta name="robots" content="noindex, follow">';
    assert.equal(page.includes(robots), false);
    assert.equal(changelogPage({ isFiltered: true }).includes(robots), true);
    assert.equal(changelogPage({ isContinued: true }).includes(robots), true);
  });

  it('shows a logo, and uses it for the card if others can load it', () => {
    const logo = 'https://acme.example.com/logo.svg';
    const withLogo = changelogPage({ head: { ...HEAD, logo } });
    assert.match(withLogo, /<img class="logo" src="https:\/\/acme\.example\.com\/logo\.svg" alt=""/);
    assert.match(withLogo, /og:image" content="https:\/\/acme/);
    const withData = changelogPage({ head: { ...HEAD, logo: 'data:image/png;base64,AA==' } });
    assert.match(withData, /<img class="logo" src="data:image\/png;base64,AA=="/);
    assert.match(withData, /<link rel="icon" href="data:image\/png;base64,AA==">/);
    assert.equal(withData.includes('og:image'), false);
  });

  it('shows the product’s cover on the first page of all versions only, and prefers it to the logo for the card', () => {
    const cover =
      '<img class="cover u-photo" src="https://acme.example/a.png?b&amp;c" alt="" decoding="async"';
    const head = { ...HEAD, logo: 'https://acme.example/logo.svg', image: 'https://acme.example/a.png?b&c' };
    const page = changelogPage({ head });
    assert.equal(page.split('<img class="cover').length, 2);
    assert.ok(
      page.indexOf(cover) > page.indexOf('<h1') && page.includes(`${cover} referrerpolicy="no-referrer">`),
    );
    assert.match(page, /<meta property="og:image" content="https:\/\/acme\.example\/a\.png\?b&amp;c">/);
    assert.match(page, /<meta name="twitter:card" content="summary_large_image">/);
    assert.equal(dataOf(page).image, head.image);
    for (const changes of [{ isFiltered: true }, { isContinued: true }])
      assert.doesNotMatch(changelogPage({ head, ...changes }), /class="cover/);
    const embedded = changelogPage({ head: { ...HEAD, image: 'data:image/png;base64,AA==' } });
    assert.match(embedded, /<img class="cover u-photo" src="data:image\/png;base64,AA=="/);
    assert.doesNotMatch(embedded, /og:image|summary_large_image|"image":/);
    for (const image of ['javascript:alert(1)', 'http://a.example/b', 'data:text/html,a', '/a.png', ''])
      assert.equal(changelogPage({ head: { ...HEAD, image } }), changelogPage());
  });

  it('shows the covers of versions, each loaded when it is near', () => {
    const page = changelogPage({}, { ...VERSION, image: 'https://acme.example/2.1.0.png' });
    assert.match(
      page,
      /<div class="e-content">\n<img class="cover u-photo" src="https:\/\/acme\.example\/2\.1\.0\.png" alt="" loading="lazy"/,
    );
    assert.doesNotMatch(page, /og:image/);
  });
});

describe('a changelog page’s links', () => {
  it('are relative, except to data and other sites', () => {
    const absolute = hrefs(changelogPage()).filter((href) => /^(?:\w+:|\/)/.test(href));
    assert.deepEqual(absolute, [
      'https://rocket.example.com/',
      ...['', '?type=security', '?breaking=true'].flatMap((query) =>
        ['feed.atom', 'feed.rss', 'feed.json'].map((name) => `${API}/${name}${query}`),
      ),
      `${API}/CHANGELOG.md`,
      API,
    ]);
  });

  it('can lead to each version in the list, by its id', () => {
    assert.match(articleIn(HEAD, VERSION), new RegExp(`^<article class="[^"]+" id="${VERSION.id}">`));
  });

  it('lead to the team’s page and the home page only if they exist', () => {
    const site = { ...SITE, hasTeamPages: false, hasHomePage: false };
    const { start, end } = frameChangelog(site, CHANGELOG, null);
    assert.ok(hrefs(changelogPage()).includes('../acme'));
    assert.ok(hrefs(changelogPage()).includes('../../'));
    assert.equal(hrefs(start + end).includes('../acme'), false);
    assert.equal(hrefs(start + end).includes('../../'), false);
  });

  it('lead to older versions, and to the newest', () => {
    assert.ok(hrefs(changelogPage({ olderUrl: '?cursor=abc' })).includes('?cursor=abc'));
    assert.ok(!changelogPage().includes('class="more"'));
    assert.match(changelogPage({ isContinued: true }), /<a href="rocket">Newest versions<\/a>/);
  });

  it('have one URL for the same filters, and lead no crawler into combinations', () => {
    const [one, other] = (['added', 'fixed'] as const).map((first) => {
      const type = [first, 'security', ...['added', 'fixed'].filter((other) => other !== first)];
      return changelogPage({ form: { ...FORM, values: { type } }, isFiltered: true });
    });
    const nav = (page = '') => /<nav class="picks".*?<\/nav>/s.exec(page)?.[0];
    assert.equal(nav(one), nav(other));
    for (const page of [changelogPage(), String(one)])
      for (const [link] of page.matchAll(/<a [^>]*href="\?[^>]*>/g))
        assert.match(link, / rel="(?:nofollow|next)"/);
  });
});

it('the filters of a page ask for versions only if a label is a version number', () => {
  const ofLabel = (label: string, major: string | null) =>
    changelogPage({ menu: [{ id: 'ver_a', label, major }] });
  assert.match(ofLabel('2.1.0', '2'), /<input [^>]*name="from"/);
  assert.doesNotMatch(ofLabel('2026-05-04', null), /name="(?:from|to)"/);
});

describe('a filtered page', () => {
  const filtered = (values: FilterForm['values'], changes: Partial<ChangelogView> = {}) =>
    changelogPage({ form: { ...FORM, values }, isFiltered: true, ...changes });

  it('says how many versions match, or that there are more than were counted', () => {
    const textOf = (page: string) => /<div class="found">\n(.*)/.exec(page)?.[1];
    const matches = { count: 3, isMore: false };
    assert.equal(textOf(filtered({ q: ['a'] }, { matches })), '<p>3 versions match</p>');
    assert.equal(
      textOf(filtered({ q: ['a'] }, { matches: { count: 1000, isMore: true } })),
      '<p>More than 1,000 versions match</p>',
    );
    const one = { count: 1, isMore: false };
    assert.equal(textOf(filtered({ type: ['added'] }, { matches: one })), '<p>1 version matches</p>');
    assert.equal(textOf(filtered({ q: ['a'] }, { matches: null })), '');
  });

  it('shows each filter once, with a link that removes it, and one that removes all', () => {
    const page = filtered({
      q: ['launch'],
      since: ['2025-01-01'],
      until: ['2025-12-31'],
      from: ['1.0.0'],
      type: ['added'],
      breaking: ['true'],
      prerelease: ['false'],
    });
    const removals = [...page.matchAll(/href="([^"]*)"[^>]* aria-label="Remove filter ([^"]*)"/g)];
    const query =
      'q=launch&since=2025-01-01&until=2025-12-31&from=1.0.0&type=added&breaking=true&prerelease=false';
    assert.deepEqual(
      removals.map(([, href, name]) => [name, href?.replaceAll('&amp;', '&')]),
      [
        ['Search: launch', `?${query.replace('q=launch&', '')}`],
        ['Breaking', `?${query.replace('breaking=true&', '')}`],
        ['Added', `?${query.replace('type=added&', '')}`],
        ['2025', `?${query.replace('since=2025-01-01&until=2025-12-31&', '')}`],
        ['After version: 1.0.0', `?${query.replace('from=1.0.0&', '')}`],
        ['No prereleases', `?${query.replace('&prerelease=false', '')}`],
      ],
    );
    assert.match(page, /<a href="rocket">Clear filters<\/a>/);
  });
});

describe('the form', () => {
  it('sends its values and the chosen types to its own page', () => {
    const values = {
      q: ['launch'],
      since: ['2026-01-01'],
      until: ['2026-05-04T09:00:00Z'],
      from: ['1.0.0'],
      to: ['2.1.0'],
      type: ['added', 'fixed'],
      breaking: ['true'],
      prerelease: ['false'],
    };
    const page = changelogPage({ form: { ...FORM, values }, isFiltered: true });
    assert.match(page, /<form id="find" role="search">/);
    assert.match(page, /type="search" id="q" name="q" value="launch"/);
    assert.match(page, /<input type="hidden" name="type" value="added,fixed">/);
    assert.match(page, /<input type="hidden" name="breaking" value="true">/);
    assert.match(page, /type="date" id="since" name="since" value="2026-01-01" form="find"/);
    assert.match(page, /type="text" id="until" name="until" value="2026-05-04T09:00:00Z" form="find"/);
    assert.match(page, /id="from" name="from" value="1\.0\.0" form="find" list="labels">/);
    assert.match(page, /name="prerelease" value="false" checked form="find">/);
    assert.match(page, /<button type="submit" form="find">/);
  });

  it('suggests versions that can be compared', () => {
    const menu = [...CHANGELOG.menu, { id: 'ver_c', label: 'nightly', major: null }];
    assert.match(
      changelogPage({ menu }),
      /<datalist id="labels"><option value="2\.1\.0"><\/option>\n<option value="1\.0\.0\+a"><\/option><\/datalist>/,
    );
  });
});

describe('a version in the list', () => {
  const article = articleIn(HEAD, VERSION);

  it('has a heading that links to its page', () => {
    assert.match(article, /<h2><a class="u-url p-name" href="rocket\/versions\/2\.1\.0">/);
    assert.match(
      article,
      /<time class="dt-published" datetime="2026-05-04T09:00:00\.000Z" dir="auto">May 4, 2026</,
    );
  });

  it('has one group of breaking changes at the top, then the others by type', () => {
    assert.deepEqual(article.match(/p-category \w+|id="chg_\w"/g), [
      'p-category breaking',
      'id="chg_b"',
      'p-category added',
      'id="chg_c"',
      'p-category changed',
      'id="chg_a"',
    ]);
    assert.match(article, /<a class="tag alarm" href="#chg_b">1 breaking change<\/a>/);
  });

  it('has a permanent link to each change, named by the start of its text', () => {
    const nameOf = (text: string) => {
      const changes = [{ id: 'chg_a', type: 'added' as const, text: renderForPage(text), breaking: false }];
      return /class="anchor" href="rocket\/versions\/2\.1\.0#chg_a" aria-label="([^"]*)"/.exec(
        articleIn(HEAD, { ...VERSION, changes }),
      )?.[1];
    };
    assert.equal(nameOf('A `<b>` "*c*".'), 'Link to this change: A &lt;b&gt; &quot;c&quot;.');
    assert.equal(
      nameOf('word '.repeat(1000)),
      'Link to this change: word word word word word word word word…',
    );
    assert.equal(nameOf('![](a.png)'), 'Link to this change');
  });

  it('sets the direction on the whole change, whatever the page’s own words', () => {
    assert.match(
      article,
      /<li class="change breaking" id="chg_b" dir="auto">\n<div class="text"><p>Needs <code>/,
    );
  });

  it('folds what comes after the first 10 changes, if there are more than 15', () => {
    const withChanges = (count: number, q = '') => {
      const searched = parseWords(q);
      const changes = [...Array(count).keys()].map((index) => ({
        id: `chg_${index}`,
        type: index < 8 ? ('added' as const) : ('fixed' as const),
        text: renderForPage(`change ${String.fromCharCode(97 + index).repeat(3)}`, {}, { searched }),
        breaking: false,
      }));
      return articleIn(HEAD, { ...VERSION, changes });
    };
    assert.equal(withChanges(15).includes('<details'), false);
    const long = withChanges(16);
    const [shown = '', folded = ''] = long.split('<details class="rest">\n<summary>6 more changes</summary>');
    assert.deepEqual(shown.match(/id="chg_\d+"|p-category \w+/g)?.length, 12);
    assert.deepEqual(folded.match(/id="chg_\d+"|p-category \w+/g), [
      'p-category fixed',
      ...[10, 11, 12, 13, 14, 15].map((index) => `id="chg_${index}"`),
    ]);
    assert.match(folded, /<\/section>\n<\/details>\n<\/div>/);
    const openFor = (q: string) => withChanges(16, q).includes('<details class="rest" open>');
    assert.equal(openFor('jjj'), false);
    assert.equal(openFor('kkk'), true);
  });

  it('marks what a search found in its name', () => {
    const marksFor = (text: string) => {
      const article = articleIn(HEAD, VERSION, { searched: parseWords(text) });
      return article.match(/<mark>[^<]*<\/mark>/g);
    };
    assert.deepEqual(marksFor('laun'), ['<mark>launches</mark>']);
    assert.deepEqual(marksFor('2.1.0'), ['<mark>2.1.0</mark>']);
    assert.equal(marksFor('nothing'), null);
  });

  it('leads to the comparison with the version before', () => {
    const links = SITE.links.fromProduct('changelog', HEAD);
    const before = beforeOf(links.changes, '2.1.0', '2.0.0');
    const text = articleIn(HEAD, VERSION, { before });
    assert.match(
      text,
      /<a href="rocket\/changes\?from=2\.0\.0&amp;to=2\.1\.0" rel="nofollow">Compare with <bdi>2\.0\.0<\/bdi><\/a>/,
    );
    assert.equal(beforeOf(links.changes, '1.0.0', undefined), null);
  });

  it('is named by its id if its label would mean something else in a URL', () => {
    const odd = { ...VERSION, label: 'latest' };
    assert.match(articleIn(HEAD, odd), /href="rocket\/versions\/ver_a"/);
    const encoded = { ...VERSION, label: '1.0 "beta"' };
    assert.match(articleIn(HEAD, encoded), /href="rocket\/versions\/1\.0%20%22beta%22"/);
  });

  it('shows its label once if the title is the same, with or without a v', () => {
    for (const title of ['', '2.1.0', 'v2.1.0'])
      assert.match(
        articleIn(HEAD, { ...VERSION, title }),
        /<a [^>]*><span class="title"[^>]*>2\.1\.0<\/span><\/a>/,
      );
    assert.match(
      articleIn(HEAD, { ...VERSION, title: 'Rocket 2.1.0' }),
      /2\.1\.0<\/span> <span[^>]*>Rocket 2\.1\.0</,
    );
  });

  it('shows that it was yanked, and needs neither title nor changes nor date', () => {
    assert.match(articleIn(HEAD, { ...VERSION, yanked: true }), /<p class="note">This version was withdrawn/);
    const bare = { ...VERSION, title: '', description: null, changes: [], publishedAt: null };
    assert.match(articleIn(HEAD, bare), /<span class="title" dir="auto">2\.1\.0<\/span><\/a><\/h2>/);
  });
});

describe('a list without versions', () => {
  it('shows that nothing is published, and has no filters', () => {
    const page = changelogPage({ versions: [], versionCount: 0 });
    assert.match(page, /<h2>Nothing is published yet<\/h2>/);
    assert.equal(page.includes('<form'), false);
  });

  it('shows that nothing matches, and links back', () => {
    const page = changelogPage({ versions: [], isFiltered: true });
    assert.match(page, /<h2>No versions match<\/h2>/);
    assert.match(page, /<a href="rocket">clear all filters<\/a>/);
    assert.match(page, /<form/);
  });

  it('shows that there are no older versions', () => {
    assert.match(changelogPage({ versions: [], isContinued: true }), /<h2>No older versions<\/h2>/);
  });
});
