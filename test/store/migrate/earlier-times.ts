// Records and feeds of releases before versions had a modification time (R45), as they are today.

/** The upgrade gives this time to versions without a date, and to those with a date in the future. */
export const UPGRADED_AT = '2026-06-01T00:00:00.000Z';

const timeOf = (publishedAt: string | null | undefined) =>
  publishedAt && publishedAt < '2027' ? publishedAt : UPGRADED_AT;
const latestOf = (times: readonly string[]) => times.reduce((one, other) => (one > other ? one : other));

type Version = Readonly<{ publishedAt: string | null; yanked?: boolean; description: unknown }>;

/** The full records of a response. */
export function withUpdatedAt(body: string): string {
  if (!body.includes('"yanked":')) return body;
  const { data } = JSON.parse(body);
  const dated = ({ yanked, ...version }: Version) => {
    const {
      id,
      object,
      version: label,
      title,
      status,
      publishedAt,
      changeCount,
      description,
      ...rest
    } = version as Version & Record<string, unknown>;
    const summary = { id, object, version: label, title, status, publishedAt, changeCount };
    return { ...summary, description, yanked, updatedAt: timeOf(publishedAt), ...rest };
  };
  if (data.versions === undefined) return JSON.stringify({ data: dated(data) });
  return JSON.stringify({ data: { ...data, versions: data.versions.map(dated) } });
}

/** An export has the times that applying it would not give again. */
export function exportedWithTimes(text: string): string {
  return text.replaceAll(
    /( +)"status": "(?:draft|published)",\n(?: +"publishedAt": "(.*)",\n)?(?=(?: +"description".*\n)? +"yanked")/g,
    (found, indent, publishedAt) =>
      timeOf(publishedAt) === publishedAt ? found : `${found}${indent}"updatedAt": "${UPGRADED_AT}",\n`,
  );
}

export function feedWithTimes(feed: string): string {
  if (feed.startsWith('{"error"')) return feed;
  if (feed.startsWith('{')) return jsonWithTimes(feed);
  return feed.includes('<rss') ? rssWithTimes(feed) : atomWithTimes(feed);
}

function jsonWithTimes(text: string): string {
  const { items, ...head } = JSON.parse(text);
  const dated = ({ id, url, title, date_published, ...rest }: Record<string, string>) => ({
    ...{ id, url, title, date_published, date_modified: timeOf(date_published) },
    ...rest,
  });
  return JSON.stringify({ ...head, items: items.map(dated) });
}

function atomWithTimes(text: string): string {
  const times: string[] = [];
  const edited = text.replaceAll(/(<published>(.*)<\/published>\n<updated>).*(?=<)/g, (_, start, date) => {
    times.push(timeOf(date));
    return `${start}${timeOf(date)}`;
  });
  return times.length === 0 ? text : edited.replace(/(?<=<updated>).*(?=<)/, latestOf(times));
}

function rssWithTimes(text: string): string {
  const times = [...text.matchAll(/<pubDate>(.*)</g)].map(([, date = '']) =>
    timeOf(new Date(date).toISOString()),
  );
  if (times.length === 0) return text;
  return text.replace(/(?<=<lastBuildDate>).*(?=<)/, new Date(latestOf(times)).toUTCString());
}
