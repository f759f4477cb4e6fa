// The feeds of releases before there were pages, as they are today.

const API = /^(.*)\/api\/v1\/public\/teams\/([^/]+)\/products\/([^/]+)\/changelog$/;
const ATOM_ENTRY =
  /<title>(.*)<\/title>(\n.*\n.*\n)<link rel="alternate" type="application\/json" href="(.*)"\/>\n<category term="(.*)"\/>/g;
const RSS_ITEM = /<title>(.*)<\/title>\n<link>(.*)<\/link>(\n.*\n)<category>(.*)<\/category>/g;

/** Feeds lead to pages, their titles begin with the label, and they name their language. */
export function leadToPages(feed: string): string {
  if (feed.startsWith('{"error"')) return feed;
  return feed.startsWith('{') ? editJson(feed) : editXml(feed);
}

function editJson(text: string): string {
  const { items, ...head } = JSON.parse(text);
  const page = pageOf(head.home_page_url);
  return JSON.stringify({
    ...{ ...head, home_page_url: page, language: 'en' },
    items: items.map((item: { url: string; title: string; tags: string[] }) => {
      const [label = ''] = item.tags;
      return { ...item, url: versionOf(page, label, item.url), title: titleOf(label, item.title) };
    }),
  });
}

function editXml(text: string): string {
  const api = /(?:type="application\/json" href="|<link>)([^"<]*)/.exec(text)?.[1] as string;
  const page = pageOf(api);
  return text
    .replace(`type="application/json" href="${api}"`, `type="text/html" href="${page}"`)
    .replace('<feed xmlns="http://www.w3.org/2005/Atom">', (tag) =>
      tag.replace('>', ` xml:lang="en" xml:base="${page}">`),
    )
    .replace(/<rss .*>/, (tag) => tag.replace('>', ` xml:base="${page}">`))
    .replace(`<link>${api}</link>`, `<link>${page}</link>`)
    .replace(/(?<=<channel>\n.*\n.*\n<description>.*\n)/, '<language>en</language>\n')
    .replaceAll(ATOM_ENTRY, (_, title, dates, url, label) => {
      const link = `<link rel="alternate" type="text/html" href="${versionOf(page, plain(label), url)}"/>`;
      return `<title>${titleOf(label, title)}</title>${dates}${link}\n<category term="${label}"/>`;
    })
    .replaceAll(RSS_ITEM, (_, title, url, date, label) => {
      const link = `<link>${versionOf(page, plain(label), url)}</link>`;
      return `<title>${titleOf(label, title)}</title>\n${link}${date}<category>${label}</category>`;
    });
}

function pageOf(changelogUrl: string): string {
  return changelogUrl.replace(API, '$1/changelog/$2/$3');
}

/** A label that means something else in a path gives way to the id. */
function versionOf(page: string, label: string, url: string): string {
  const isAmbiguous = /\/|^latest$|^ver_/.test(label);
  return `${page}/versions/${isAmbiguous ? url.split('/').at(-1) : encodeURIComponent(label)}`;
}

function plain(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function titleOf(label: string, title: string): string {
  return title.includes(label) ? title : `${label}: ${title}`;
}
