// The versions, or the changes since a version, as elements.
import { element, link } from './elements.js';
import { authored } from './html.js';
import { TYPES } from './texts.js';

/**
 * `texts`: those of the element; `page`: the URL of the product's page, with an anchor each if static, or of the team's;
 * `lang`: for dates.
 */
export function sectionsOf({ versions = [], groups = [] }, context) {
  return [
    ...versions.map((version) => versionElement(version, context)),
    ...groups.map(({ type, changes }) =>
      element('section', 'version', {}, ...group(type, changes, context, 'h3')),
    ),
  ];
}

/** Ids of the versions in it. */
export function idsIn({ versions = [], groups = [] }) {
  const changes = groups.flatMap((group) => group.changes);
  return [...versions, ...changes].map(({ versionId, id }) => versionId ?? id);
}

function versionElement({ id, version, title, publishedAt, yanked, product, changes }, context) {
  const { texts, isStatic, isTeam, lang } = context;
  const page = context.page + (isTeam ? `/${product.slug}` : '');
  const isOnlyLabel = !title || title.replace(/^v/i, '') === version.replace(/^v/i, '');
  const meta = element(
    'p',
    'meta',
    {},
    isTeam ? link(page, element('bdi', '', {}, product.name)) : '',
    isOnlyLabel ? '' : element('b', '', { dir: 'ltr' }, version),
    publishedAt ? element('time', '', { dateTime: publishedAt }, dateOf(publishedAt, lang)) : '',
    yanked ? element('span', 'tag yanked', {}, texts.yanked) : '',
  );
  const name = isOnlyLabel ? element('bdi', '', { dir: 'ltr' }, title || version) : title;
  const url = `${page + (isStatic ? '/#' : '/versions/')}${id}`;
  const heading = element('h3', 'title', { dir: isOnlyLabel ? '' : 'auto' }, link(url, name));
  const groups = TYPES.flatMap((type) => {
    const some = changes.filter((change) => change.type === type);
    return some[0] ? group(type, some, context) : [];
  });
  return element('section', 'version', {}, meta, heading, ...groups);
}

function dateOf(time, lang) {
  const options = { dateStyle: 'medium', timeZone: 'UTC' };
  try {
    return new Date(time).toLocaleDateString(lang || [], options);
  } catch {
    return time.slice(0, 10);
  }
}

function group(type, changes, { texts }, heading = 'h4') {
  const items = changes.map(({ html, breaking, version }) =>
    element(
      'li',
      'change',
      { dir: 'auto' },
      // With a direction of its own it does not decide that of the change.
      breaking ? element('span', 'tag breaking', { dir: 'auto' }, texts.breaking) : '',
      authored(html, +heading[1] + 1),
      version ? element('span', 'meta', { dir: 'ltr' }, version) : '',
    ),
  );
  const name = element('span', `tag ${type}`, {}, texts[type] ?? type);
  return [element(heading, '', {}, name), element('ul', 'changes', {}, ...items)];
}
