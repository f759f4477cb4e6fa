// The versions, or the changes since a version, as elements.
import { element, link } from './elements.js';
import { authored } from './html.js';
import { KINDS } from './texts.js';
import { orderOf } from './version-order.js';

/**
 * `texts`: those of the element; `page`: the URL of the product's page, with an anchor each if static, or of the team's;
 * `lang`: for dates.
 */
export function sectionsOf(data, context) {
  return [
    // Those of a range have no changes of their own.
    ...(data.groups ? [] : data.versions.map((version) => versionElement(version, context))),
    ...kindsOf(changesIn(data), context, 3).map((parts) => element('section', 'version', {}, ...parts)),
  ];
}

/** Ids of the versions in it. */
export const idsIn = (data) =>
  [...(data.versions ?? []), ...changesIn(data)].map(({ versionId, id }) => versionId ?? id);

const changesIn = ({ groups = [] }) => groups.flatMap(({ changes }) => changes);

function versionElement({ id, version, title, publishedAt, yanked, product, changes }, context) {
  const { texts, isStatic, isTeam, lang } = context;
  const page = context.page + (isTeam ? `/${product.slug}` : '');
  const isOnlyLabel = !title || title.replace(/^v/i, '') === version.replace(/^v/i, '');
  const meta = element(
    'p',
    'meta',
    {},
    isTeam ? link(page, element('bdi', '', {}, product.name)) : '',
    isOnlyLabel ? '' : label(version),
    publishedAt ? element('time', '', { dateTime: publishedAt }, dateOf(publishedAt, lang)) : '',
    yanked ? tag('yanked', texts) : '',
  );
  const name = isOnlyLabel ? element('bdi', '', { dir: 'ltr' }, title || version) : title;
  const url = `${page + (isStatic ? '/#' : '/versions/')}${id}`;
  const heading = element('h3', 'title', { dir: isOnlyLabel ? '' : 'auto' }, link(url, name));
  return element('section', 'version', {}, meta, heading, ...kindsOf(changes, context, 4).flat());
}

function dateOf(time, lang) {
  const options = { dateStyle: 'medium', timeZone: 'UTC' };
  try {
    return new Date(time).toLocaleDateString(lang || [], options);
  } catch {
    return time.slice(0, 10);
  }
}

/** The parts of each section: what must not be missed comes first. Changes since a version are below their own. */
function kindsOf(changes, { texts }, level) {
  const byKind = Map.groupBy(changes, ({ type, breaking }) => (breaking ? 'breaking' : type));
  return KINDS.filter((kind) => byKind.has(kind)).map((kind) => [
    element(`h${level}`, '', {}, tag(kind, texts)),
    ...[...Map.groupBy(byKind.get(kind), ({ version }) => version)]
      .sort(([one], [other]) => (orderOf(one) < orderOf(other) ? 1 : -1))
      .flatMap(([version, some]) => [
        version ? element('h4', '', {}, label(version)) : '',
        element(
          'ul',
          'changes',
          {},
          ...some.map(({ type, html }) =>
            // With a direction of its own, the tag does not decide that of the change.
            element(
              'li',
              'change',
              { dir: 'auto' },
              kind === 'breaking' ? tag(type, texts) : '',
              authored(html, level + 1),
            ),
          ),
        ),
      ]),
  ]);
}

const label = (version) => element('b', '', { dir: 'ltr' }, version);
const tag = (kind, texts) => element('span', `tag ${kind}`, { dir: 'auto' }, texts[kind]);
