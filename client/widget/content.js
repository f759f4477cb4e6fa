// The versions, or the changes since a version, as elements.
import { element, link } from './elements.js';
import { authored, PICTURE } from './html.js';
import { KINDS } from './texts.js';

/**
 * `texts`: those of the element; `page`: the URL of the product's page, with an anchor each if static, or of the team's;
 * `lang`: for dates.
 */
export function sectionsOf({ versions, groups }, context) {
  if (!groups) return versions.map((version) => versionElement(version, context));
  const changes = groups.flatMap((group) => group.changes);
  // A version without changes would not be seen otherwise, nor would a description.
  const told = versions.filter(
    ({ id, descriptionHtml }) => descriptionHtml || !changes.some(({ versionId }) => versionId === id),
  );
  return [
    ...kindsOf(changes, context, 'version', versions),
    ...told.map((version) => versionElement(version, context)),
  ];
}

function versionElement(entry, context) {
  const { id, version, title, publishedAt, yanked, product, image, descriptionHtml, changes = [] } = entry;
  const { texts, isStatic, isTeam, lang } = context;
  const page = context.page + (isTeam ? `/${product.slug}` : '');
  const number = version.replace(/^v/i, '');
  const isOnlyLabel = !title || title.replace(/^v/i, '') === number;
  const day = publishedAt?.slice(0, 10);
  // A label may be the date.
  const isDated = number.replace(/[./]/g, '-') !== day && day;
  const meta = element(
    'p',
    'meta',
    {},
    isTeam ? link(page, element('bdi', '', {}, product.name)) : '',
    isOnlyLabel ? '' : label(version),
    isDated ? element('time', '', { dateTime: publishedAt }, dateOf(day, lang)) : '',
    yanked ? tag('yanked', texts) : '',
  );
  const name = isOnlyLabel ? element('bdi', '', { dir: 'ltr' }, title || version) : title;
  const url = `${page + (isStatic ? '/#' : '/versions/')}${id}`;
  const heading = element('h3', 'title', { dir: isOnlyLabel ? '' : 'auto' }, link(url, name));
  const parts = kindsOf(changes, context, '', [{}]);
  if (descriptionHtml) parts.unshift(...descriptionOf(descriptionHtml, texts));
  // An author may have put the same picture into the text.
  if (/^(https:|data:image\/)/.test(image) && !descriptionHtml?.includes(image.replaceAll('&', '&amp;')))
    parts.unshift(element('img', 'image', { ...PICTURE, src: image }));
  return element('section', 'version', {}, meta, heading, ...parts);
}

/** Its first lines, and a button for the rest. Whatever finds something in the rest, such as the focus, scrolls. */
function descriptionOf(html, texts) {
  const box = Object.assign(authored(html, 4), {
    part: 'description',
    dir: 'auto',
    tabIndex: -1,
    onscroll() {
      // The host may have a height of its own for the part.
      box.style = 'max-height:none!important';
    },
  });
  const onclick = () => {
    box.onscroll();
    box.focus({ preventScroll: true });
  };
  const button = element('button', 'unfold', { hidden: true, onclick }, texts.readMore);
  new ResizeObserver(() => {
    button.hidden = box.scrollHeight <= box.clientHeight;
  }).observe(box);
  return [box, button];
}

function dateOf(day, lang) {
  const options = { dateStyle: 'medium', timeZone: 'UTC' };
  try {
    return new Date(day).toLocaleDateString(lang || [], options);
  } catch {
    return day;
  }
}

/**
 * A section each: what must not be missed comes first, and in it the newest version. Sections with a part of their own are
 * those of a range, where changes are below their versions.
 */
function kindsOf(changes, { texts }, part, versions) {
  const level = part ? 3 : 4;
  return KINDS.flatMap((kind) => {
    const lists = versions.flatMap(({ id, version, yanked }) => {
      const items = changes
        .filter((each) => each.versionId === id && (each.breaking ? 'breaking' : each.type) === kind)
        .map(({ html }) => element('li', 'change', { dir: 'auto' }, authored(html, level + 1)));
      if (!items[0]) return [];
      const list = element('ul', 'changes', {}, ...items);
      return part ? [element('h4', '', {}, label(version), yanked ? tag('yanked', texts) : ''), list] : list;
    });
    const heading = element(`h${level}`, '', {}, tag(kind, texts));
    return lists[0] ? element('section', part, {}, heading, ...lists) : [];
  });
}

const label = (version) => element('span', 'label', { dir: 'ltr' }, version);
const tag = (kind, texts) => element('span', `tag ${kind}`, { dir: 'auto' }, texts[kind]);
