// Every file of a static site that has a counterpart in the service has its body, but for links and for what needs a server.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { versionSegment } from '../../src/present/links.ts';
import { LANGUAGES, localeFor, type Words } from '../../src/present/words/locale.ts';
import { MANIFEST } from '../../src/site/folder.ts';
import { fileNames } from '../../src/site/layout.ts';
import { HIDDEN } from '../../support/content/world.ts';
import { ENGINE, provideFilled } from '../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { listenApp } from '../../support/program/app.ts';
import { run, runOk } from '../../support/program/command.ts';
import { fillContent, PUBLIC_PRODUCTS, RELATIVE_LINKS } from './content.ts';
import { filesIn } from './files.ts';

const SERVICE = 'https://service.test';
const SITE = 'https://site.test/some/path/';
/** Compression would take a quarter of the time. */
const PLAIN = { 'accept-encoding': 'identity' };

type Kind = Readonly<{
  args: readonly string[];
  listing: 'all' | 'team' | 'none';
  products: readonly string[];
  folderOf: (team: string, product: string) => string;
}>;

const KINDS: readonly Kind[] = [
  {
    args: ['--all'],
    listing: 'all',
    products: PUBLIC_PRODUCTS,
    folderOf: (team, product) => `${team}/${product}/`,
  },
  {
    args: ['--team', 'beta'],
    listing: 'team',
    products: PUBLIC_PRODUCTS.filter((name) => name.startsWith('beta/')),
    folderOf: (_team, product) => `${product}/`,
  },
  { args: ['--product', 'acme/rocket'], listing: 'none', products: ['acme/rocket'], folderOf: () => '' },
];

type Difference = Readonly<{ of: 'service' | 'site' | 'both'; text: RegExp; by?: string }>;

/** A link with this text, in any language. */
const linkTo = (textOf: (words: Words) => string, attributes = ''): RegExp => {
  const texts = LANGUAGES.map((tag) => RegExp.escape(textOf(localeFor(tag).words)));
  return new RegExp(`\\n?<a href="[^"]*"${attributes}>(?:${texts.join('|')})</a>`, 'g');
};

const POLICY: Difference = {
  of: 'site',
  text: /<meta http-equiv="Content-Security-Policy" content="([^"]*)">\n/g,
};
/** A site has it in a file. */
const STYLE: Difference = { of: 'both', text: /<style>.*?<\/style>|<link rel="stylesheet"[^>]*>/gs };
const SEARCH: Difference = { of: 'service', text: /<form[^>]*>.*?<\/form>/gs };
/** Searches, free filters and ranges need a server, and the reference describes one. */
const PAGE: readonly Difference[] = [
  SEARCH,
  {
    of: 'service',
    text: /<details>\n<summary>[^<]*<\/summary>\n(?:<div class="fields">.*?)?\s*<\/details>/gs,
  },
  { of: 'service', text: /<li><a class="dot breaking"[^>]*>.*?<\/li>/g },
  // The feeds of a site have no filters.
  { of: 'service', text: /<li><a href="[^"]*" rel="nofollow">[^<]*<\/a>\n<a [^>]* aria-label.*?<\/li>/gs },
  // The name of the host, and the path of the site on it.
  { of: 'both', text: /<(a|span) class="brand".*?<\/\1>/gs },
  // It must not be on a relative link.
  { of: 'service', text: / hreflang="[^"]*"/g },
  { of: 'service', text: linkTo(({ go }) => go.apiReference) },
  { of: 'service', text: /<li><\/li>/g },
  // A list page has nothing else in its footer.
  { of: 'service', text: /<footer>\s*<ul>\s*<\/ul>\s*<\/footer>/g },
  // The site has only comparisons that are not too long.
  { of: 'both', text: linkTo(({ version }) => version.after, ' rel="nofollow"') },
  { of: 'both', text: /\n<a href="[^"]*" rel="nofollow">[^<]*<bdi>[^<]*<\/bdi>[^<]*<\/a>/g },
  // A server names these in headers.
  POLICY,
  STYLE,
  {
    of: 'site',
    text: /\s*<link rel="alternate" type="text\/markdown"[^>]*(?:\/versions\/[^"]*|index)\.md">/g,
  },
];
/** A site has comparisons as pages only, and all older versions in one file. */
const MARKDOWN_PAGE: readonly Difference[] = [
  {
    of: 'both',
    text: /^- \[(?:Compare with .*|What changed after this version|Older versions)\]\(.*\)\n/gm,
  },
];
/** The page of a team on a site has no filters, and there are no feeds of a team. */
const TIMELINE: readonly Difference[] = [
  ...PAGE,
  { of: 'service', text: /<nav class="picks".*?<\/nav>\s*<div class="tools">\s*<\/div>/gs },
  { of: 'service', text: /\s*<link rel="alternate" type="application\/[^>]*>/g },
  {
    of: 'service',
    text: /<div class="aside">(.*?)<details class="menu">.*?<\/details>\s*<\/div>/gs,
    by: '$1',
  },
  { of: 'service', text: /<footer>\s*<ul>\s*<li><a href="[^"]*">JSON<\/a><\/li>\s*<\/ul>\s*<\/footer>/g },
];
/** The feeds of a team need a server. */
const TEAM_MARKDOWN: readonly Difference[] = [
  ...MARKDOWN_PAGE,
  { of: 'service', text: /^- \[feed\.\w+\]\(.*\): .*\n/gm },
  { of: 'both', text: /\n---\n\n$/g },
];
/** A site has the menu of versions on its first page only. */
const LATER_PAGE: readonly Difference[] = [
  ...PAGE,
  { of: 'service', text: /<details>\n<summary>[^<]*<\/summary>\n<nav class="fields majors".*?<\/details>/gs },
];
/** A site names its feeds on its lists. */
const NO_FEEDS: Difference = {
  of: 'both',
  text: /\s*<link rel="alternate" type="(?:application\/|text\/markdown"[^>]*CHANGELOG\.md)[^>]*>/g,
};
const OF_VERSION: readonly Difference[] = [...PAGE, NO_FEEDS];
/** A server counts the versions with both filters, and a site has no page for both. */
const FILTERED: readonly Difference[] = [
  ...LATER_PAGE,
  { of: 'service', text: /(?<=<footer>\n<ul>\n)<li>[^<]*<\/li>/g },
  { of: 'both', text: /<nav class="picks".*?<\/nav>/gs },
  { of: 'service', text: /(<li><a href="[^"]*\/api\/v1\/[^"]*") rel="nofollow"/g, by: '$1' },
  { of: 'both', text: /(<link rel="alternate" type="[^"]*") title="[^"]*"/g, by: '$1' },
];
/** The page of a type has only its changes on a site. */
const OF_TYPE: readonly Difference[] = [
  ...FILTERED,
  { of: 'both', text: /(?<=<h2><a class="u-url p-name"[^>]*>).*?(?=<\/article>)/gs },
  { of: 'both', text: /<div class="when">.*?<div>/gs },
];
/** A site has no page of all changes, which would be the canonical one, and no comparisons as Markdown or JSON. */
const COMPARISON: readonly Difference[] = [
  NO_FEEDS,
  ...FILTERED,
  { of: 'service', text: /<link rel="canonical".*?<meta name="twitter:card" content="summary">/gs },
  { of: 'service', text: /<link rel="alternate" type="text\/markdown"[^>]*\/changes\.md[^>]*>/g },
  { of: 'service', text: linkTo(({ go }) => go.asMarkdown, ' type="text/markdown"') },
  { of: 'service', text: /\n<a href="[^"]*" type="application\/json">JSON<\/a>/g },
  { of: 'service', text: /"(?:url|releaseNotes)":"https:\/\/service\.test[^"]*\/changes",?/g },
  { of: 'both', text: /,(?=\})/g },
  // No other versions can be chosen.
  { of: 'both', text: /(<div class="empty">\n<h2>).*?(<\/h2>\n<p>).*?(?=<\/p>)/g, by: '$1$2' },
];
/** Where the products have no common page, the site leads to its own first page. */
const WAY_BACK: Difference = { of: 'site', text: /<nav class="ways".*?<\/nav>/gs };
const READS_SITE: Difference = { of: 'both', text: /"IS_STATIC":(?:true|false)/g };
const SITEMAP_LINE: Difference = { of: 'site', text: /\nSitemap: .*\n/g };
/** A server explains filters, ranges and its API there, and a site its files. */
const LLMS: readonly Difference[] = [
  { of: 'both', text: /^.*?(?=\n## )/gs },
  { of: 'service', text: /\n## API\n.*$/gs },
];

/** Without a link base, relative links in texts lead nowhere on a site: only their words are left. */
const relativeLinks = (file: string): Difference => {
  const targets = RELATIVE_LINKS.map((target) => RegExp.escape(target)).join('|');
  if (file.endsWith('.txt')) return { of: 'service', text: new RegExp(` \\((?:${targets})\\)`, 'g') };
  const [quote, open, close] = file.endsWith('.json')
    ? ['\\\\"', '<', '>']
    : /\.(?:atom|rss|xml)$/.test(file)
      ? ['(?:"|&quot;)', '&lt;', '&gt;']
      : ['"', '<', '>'];
  const text = new RegExp(
    `${open}a href=${quote}(?:${targets})${quote}.*?${close}(.*?)${open}/a${close}`,
    'gs',
  );
  return { of: 'service', text, by: '$1' };
};

type Version = Readonly<{ id: string; label: string; publishedAt: string; changes: { type: string }[] }>;
type Counterpart = Readonly<{ url: string; differences: readonly Difference[] }>;

/** Other kinds read the same rows as all together: on PostgreSQL, they are compared with that. */
const KINDS_OF_ENGINE = KINDS.filter(({ listing }) => ENGINE === 'sqlite' || listing === 'all');

for (const kind of KINDS_OF_ENGINE)
  describe(`build ${kind.args.join(' ')} equals the service but for links`, () => {
    const scope = sharedScope();
    const sandbox = { folder: temporaryFolder(scope) };
    const site = path.join(sandbox.folder, 'site');
    const counterparts = new Map<string, Counterpart>();
    const fileByUrl = new Map<string, string>();
    let address: string;

    const get = async (url: string) => {
      const response = await fetch(address + url, { redirect: 'manual', headers: PLAIN });
      const policy = response.headers.get('content-security-policy') ?? '';
      return { status: response.status, body: await response.text(), policy };
    };

    const add = (file: string, url: string, differences: readonly Difference[] = []) => {
      counterparts.set(file, { url, differences });
      if (!fileByUrl.has(url)) fileByUrl.set(url, file);
    };

    /** The pages of a filter, from one to the next as a reader goes. */
    const addPages = async (filter: string, first: string, differences: readonly Difference[]) => {
      for (let [url, number] = [first, 1]; ; number += 1) {
        add(
          number === 1 ? `${filter}.html` : `${filter.replace(/index$/, 'page')}-${number}.html`,
          url,
          differences === PAGE && number > 1 ? LATER_PAGE : differences,
        );
        const [, next] = /<a rel="next" href="([^"]*)">/.exec((await get(url)).body) ?? [];
        if (next === undefined) return;
        url = first.split('?')[0] + next.replaceAll('&amp;', '&');
      }
    };

    const versionsOf = async (api: string): Promise<Version[]> => {
      const { data } = JSON.parse((await get(`${api}?include=changes&limit=100`)).body);
      return data.versions.map(({ version, ...more }: Version & { version: string }) => ({
        ...more,
        label: version,
      }));
    };

    const addProduct = async (team: string, product: string) => {
      const [folder, page] = [kind.folderOf(team, product), `/changelog/${team}/${product}`];
      const api = `/api/v1/public/teams/${team}/products/${product}/changelog`;
      const versions = await versionsOf(api);
      const types = new Set(versions.flatMap(({ changes }) => changes.map(({ type }) => type)));
      const years = new Set(versions.map(({ publishedAt }) => publishedAt.slice(0, 4)));

      await addPages(`${folder}index`, page, PAGE);
      add(`${folder}index.md`, `${page}.md`, MARKDOWN_PAGE);
      for (const type of types) await addPages(`${folder}type-${type}`, `${page}?type=${type}`, OF_TYPE);
      for (const year of years.size > 1 ? years : [])
        await addPages(`${folder}year-${year}`, `${page}?since=${year}-01-01&until=${year}-12-31`, FILTERED);

      add(`${folder}changelog.json`, api);
      add(`${folder}recent.json`, `${api}?include=changes&limit=20`);
      for (const file of [
        'feed.atom',
        'feed.rss',
        'feed.json',
        'CHANGELOG.md',
        'releases.xml',
        'latest.txt',
        'badge.json',
        'badge.svg',
      ])
        add(folder + file, `${api}/${file}`);

      const nameOf = fileNames(versions);
      const names = [
        ...versions.map((version) => [nameOf(version), versionSegment(version)]),
        ['latest', 'latest'],
      ];
      for (const [name, segment] of names) {
        add(`${folder}versions/${name}.json`, `${api}/versions/${segment}`);
        for (const form of ['md', 'txt', 'html'])
          add(
            `${folder}versions/${name}/notes.${form}`,
            `${api}/versions/${segment}/notes.${form}`,
            form === 'html' ? [POLICY, STYLE] : [],
          );
        if (name === 'latest') continue;
        add(`${folder}versions/${name}.html`, `${page}/versions/${segment}`, OF_VERSION);
        add(`${folder}versions/${name}.md`, `${page}/versions/${segment}.md`, MARKDOWN_PAGE);
      }
      // Which of them there are is a test of its own.
      for (const from of versions) {
        const changes = (query: Record<string, string>) => `${page}/changes?${new URLSearchParams(query)}`;
        add(`${folder}changes/after-${nameOf(from)}.html`, changes({ from: from.label }), COMPARISON);
        for (const to of versions)
          add(
            `${folder}changes/${nameOf(from)}...${nameOf(to)}.html`,
            changes({ from: from.label, to: to.label }),
            COMPARISON,
          );
      }
    };

    const addLists = async () => {
      const isAll = kind.listing === 'all';
      if (isAll) add('index.html', '/', PAGE);
      if (isAll) add('index.md', '/index.md');
      for (const team of new Set(kind.products.map((name) => name.split('/')[0])))
        if (kind.listing !== 'none') {
          const folder = isAll ? `${team}/` : '';
          await addPages(`${folder}index`, `/changelog/${team}`, TIMELINE);
          add(`${folder}index.md`, `/changelog/${team}.md`, TEAM_MARKDOWN);
        }
      // A site in one language has its errors in it, as the product does.
      const missing = kind.products.length === 1 ? `${kind.products[0]}/versions/none` : 'none/none';
      add('404.html', `/changelog/${missing}`, isAll ? PAGE : [...PAGE, WAY_BACK]);
      add('robots.txt', '/robots.txt', isAll ? [] : [SITEMAP_LINE]);
      // Products of several languages share an English one, which the service has without a place for `IS_STATIC`.
      if (kind.listing === 'none') add('widget.js', '/widget.js?lang=de', [READS_SITE]);
      if (!isAll) return;
      add('llms.txt', '/llms.txt', LLMS);
      add('sitemap.xml', '/sitemap.xml');
    };

    before(async () => {
      await provideFilled(sandbox, fillContent);
      await runOk(sandbox, ['build', ...kind.args, '--out', 'site', '--base', SITE]);
      ({ address } = await listenApp(scope, sandbox, { BASE_URL: SERVICE, LISTING: kind.listing }));
      await addLists();
      for (const name of kind.products) {
        const [team = '', product = ''] = name.split('/');
        await addProduct(team, product);
      }
    });

    /** Where the site has what the service has there. On a page with filters, its links add one. */
    const fileOf = (link: URL, from: URL): string => {
      const own = new URLSearchParams(from.search);
      own.delete('cursor');
      const added = [...link.searchParams].filter(([name, value]) => !own.has(name, value));
      const urls = [
        link.pathname + link.search,
        `${link.pathname}?${new URLSearchParams(added)}`,
        link.pathname,
      ];
      return urls.map((url) => fileByUrl.get(url)).find((file) => file !== undefined) ?? link.href;
    };
    const serviceFile = (link: URL, from: URL) =>
      link.origin === SERVICE ? fileOf(link, from) + link.hash : link.href;
    const siteFile = ({ href }: URL) =>
      href.startsWith(SITE)
        ? decodeURIComponent(href.slice(SITE.length)).replace(/^$|\/(?=$|#)/, '$&index.html')
        : href;

    type NameFile = (link: URL, from: URL) => string;

    /** With links by what they lead to. */
    const withFiles = (body: string, isMarkup: boolean, from: string, name: NameFile) => {
      const nameOf = (link: string) => {
        const url = URL.parse(link.replaceAll('&amp;', '&').replaceAll('&#39;', "'"), from);
        return url === null ? link : `[${name(url, new URL(from))}]`;
      };
      const linked = isMarkup
        ? body.replaceAll(/\b(href|src)="([^"]*)"/g, (_, attribute, link) => `${attribute}="${nameOf(link)}"`)
        : body;
      return linked.replaceAll(/https:\/\/(?:service|site)\.test[^\s"<>()\\]*/g, nameOf);
    };

    const without = (body: string, of: Difference['of'], differences: readonly Difference[]) => {
      const left = differences
        .filter((difference) => difference.of === of || difference.of === 'both')
        .reduce((text, { text: pattern, by = '' }) => text.replaceAll(pattern, by), body);
      // What is left of a page has other empty lines.
      return differences.includes(SEARCH) ? left.replaceAll(/\n\s*\n/g, '\n') : left;
    };

    it('in every file', async () => {
      const own = [
        '.nojekyll',
        'widget.js',
        MANIFEST,
        ...['style.css', 'style-ff8800.css', 'notes.css', 'notes-ff8800.css'],
        ...(kind.listing === 'all' ? [] : ['llms.txt', 'sitemap.xml']),
      ];
      const built = filesIn(site);
      assert.deepEqual(
        built.filter((file) => !counterparts.has(file) && !own.includes(file)),
        [],
      );
      const left = new Set(counterparts.keys()).difference(new Set(built));
      for (const file of left)
        if (!file.includes('changes/'))
          assert.equal((await get(counterparts.get(file)?.url as string)).status, 404, `${file} is missing`);
      const problems: string[] = [];
      for (const file of built) {
        const counterpart = counterparts.get(file);
        if (counterpart === undefined) continue;
        const { url } = counterpart;
        const { body, policy } = await get(url);
        const differences = [
          ...counterpart.differences,
          ...(file.includes('odd/') || counterpart.differences === TIMELINE ? [relativeLinks(file)] : []),
        ];
        const isMarkup = /\.(?:html|atom|rss|xml)$/.test(file);
        const expected = withFiles(
          without(body, 'service', differences),
          isMarkup,
          SERVICE + url,
          serviceFile,
        );
        const text = readFileSync(path.join(site, file), 'utf8');
        const found = withFiles(
          without(text, 'site', differences),
          isMarkup,
          SITE + encodeURI(file),
          siteFile,
        );
        if (found !== expected) problems.push(`${file} is not ${url}: ${firstDifference(found, expected)}`);
        // An element cannot have all of it. Notes need less than a page may have, and a product of a site has no domain.
        const inElement = policy
          .replace(" frame-ancestors 'none';", '')
          .replace(/('self') https:[^;]*/, '$1')
          .replace(/style-src '[^']*'/, (own) => (file === '404.html' ? own : "style-src 'self'"));
        const ownPolicy = new RegExp(POLICY.text.source).exec(text)?.[1];
        // A page of a type shows fewer images.
        if (/(?<!\/notes|type-\w+(?:-\d+)?)\.html$/.test(file) && ownPolicy !== inElement)
          problems.push(`${file} has the policy ${ownPolicy}, not ${inElement}`);
      }
      assert.deepEqual(problems, []);
    });

    if (ENGINE === 'postgres')
      it('and a team or a product alone has the same versions', async () => {
        for (const [option, name] of [['--team', 'beta'] as const, ['--product', 'acme/rocket'] as const]) {
          await runOk(sandbox, ['build', option, name, '--out', name, '--base', `${SITE}${name}/`]);
          const versions = (folder: string) =>
            filesIn(folder)
              .filter((file) => /(?:^|\/)versions\/.*\.(?:json|md|txt)$/.test(file))
              .map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]);
          const alone = versions(path.join(sandbox.folder, name));
          assert.ok(alone.length > 100, `${alone.length} files`);
          assert.deepEqual(alone, versions(path.join(site, name)));
        }
      });

    it('and shows nothing hidden', () => {
      for (const file of filesIn(site)) {
        assert.ok(!file.includes(HIDDEN), file);
        assert.ok(!readFileSync(path.join(site, file)).includes(HIDDEN), file);
      }
    });
  });

describe('build from the database', () => {
  const sandbox = { folder: temporaryFolder(sharedScope()) };
  before(() => provideFilled(sandbox, fillContent));

  for (const args of [
    ...[`${HIDDEN}-vault`, `${HIDDEN}-shy`, 'none'].map((team) => ['--team', team]),
    ...[
      `${HIDDEN}-vault/rocket`,
      'acme/hush-hush-locked',
      'acme/hush-hush-quiet',
      'acme/hush-hush-still',
      'none/rocket',
      'acme/rockt',
      'beta/bare',
    ].map((name) => ['--product', name]),
  ])
    it(`refuses ${args.join(' ')}, because nothing of it is there or public, and writes nothing`, async () => {
      const { code, stdout, stderr } = await run(sandbox, ['build', ...args, '--out', 'site']);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, new RegExp(`^changelog: ${args[1]} has nothing public; [^\\n]+\\n$`));
      assert.ok(!existsSync(path.join(sandbox.folder, 'site')));
    });

  it('has the style sheet of PAGE_STYLESHEET', async () => {
    writeFileSync(path.join(sandbox.folder, 'own.css'), 'h1 { color: teal }');
    const environment = { PAGE_STYLESHEET: 'own.css' };
    await runOk({ ...sandbox, environment }, ['build', '--product', 'beta/empty', '--out', 'site']);
    assert.match(readFileSync(path.join(sandbox.folder, 'site/style.css'), 'utf8'), /h1 \{ color: teal \}$/);
  });
});

function firstDifference(found: string, expected: string): string {
  let at = 0;
  while (found[at] === expected[at]) at += 1;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 120), at + 160));
  return `${around(found)} is not ${around(expected)}`;
}
