import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dataOf, VERSION, versionPage } from './sample.ts';

const BASE = 'https://changes.example.com/changelog/acme/rocket';

const page = await versionPage();

describe('a version’s page', () => {
  it('has its own title, description and canonical URL', async () => {
    assert.match(page, /<title>2\.1\.0: Faster launches · Rocket changelog<\/title>/);
    assert.match(page, /<meta name="description" content="Launches take half the time &amp; less\.">/);
    assert.ok(page.includes(`<link rel="canonical" href="${BASE}/versions/2.1.0">`));
    assert.equal(page.includes('noindex'), false);
    assert.match(await versionPage({ title: 'Rocket 2.1.0' }), /<title>Rocket 2\.1\.0 · Changelog<\/title>/);
  });

  it('uses the id in its canonical URL if the label would mean something else', async () => {
    assert.ok(
      (await versionPage({ label: 'a/b' })).includes(`<link rel="canonical" href="${BASE}/versions/ver_a">`),
    );
  });

  it('describes the application and its version for machines', async () => {
    const { datePublished, about } = dataOf(page);
    assert.equal(datePublished, VERSION.publishedAt);
    assert.equal(about.softwareVersion, '2.1.0');
    assert.equal(about.releaseNotes, `${BASE}/versions/2.1.0`);
    assert.equal(dataOf(await versionPage({ label: '</script>' })).about.softwareVersion, '</script>');
  });

  it('shows its cover, and uses it for the card and for machines; without one, the product’s is for both', async () => {
    const [image, cover] = ['https://acme.example/a.png', 'https://acme.example/2.1.0.png'];
    const own = await versionPage({ image: cover }, { image });
    assert.match(
      own,
      /<img class="cover u-photo" src="https:\/\/acme\.example\/2\.1\.0\.png" alt="" decoding="async"/,
    );
    assert.ok(own.includes(`<meta property="og:image" content="${cover}">`));
    assert.equal(dataOf(own).image, cover);
    assert.equal(own.includes(image), false);
    const products = await versionPage({}, { image });
    assert.equal(products.includes('class="cover'), false);
    assert.ok(products.includes(`<meta property="og:image" content="${image}">`));
    assert.equal(dataOf(products).image, image);
  });

  it('links back to all versions, and to itself at each change', () => {
    assert.match(page, /<a href="\.\.\/\.\.\/rocket"><span aria-hidden="true">←<\/span> All versions/);
    assert.match(page, /<a class="anchor" href="#chg_a"/);
    assert.match(page, /<main id="main" class="h-entry">/);
  });

  it('links to all changes in code beside the date, but to nothing else than the web', async () => {
    assert.ok(
      (await versionPage({ compareUrl: 'https://a.example/?a&b' })).includes(
        '</time></a>\n<a href="https://a.example/?a&amp;b" aria-label="Code changes in 2.1.0">Code changes <span aria-hidden="true">↗</span></a>\n',
      ),
    );
    for (const compareUrl of [null, 'javascript:alert(1)', 'nowhere'])
      assert.equal(await versionPage({ compareUrl }), page);
  });

  it('links to later changes if there are versions that can be compared with it', async () => {
    assert.match(page, /href="\.\.\/\.\.\/rocket\/changes\?from=2\.1\.0"/);
    assert.equal((await versionPage({ label: 'nightly' })).includes('changes?from'), false);
    assert.equal((await versionPage({ label: 'v2.1.0' }, {}, '2.1.0')).includes('changes?from'), false);
  });
});
