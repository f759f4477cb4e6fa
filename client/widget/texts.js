// What depends on the language, or on where the script is served. `/widget.js?lang=de` and static sites have all of it from
// `src/http/widget.ts` instead. Constants at the start: then the bundler leaves out what is for other values only.
/** `lang` and `dir` of the panel, and the language of dates. Null: those of the page. */
export const LANGUAGE = null;
/** Whether an element without a team reads a static site. */
export const IS_STATIC = false;
/** The types of changes, and what must not be missed first. */
export const KINDS = ['breaking', 'security', 'added', 'changed', 'deprecated', 'removed', 'fixed', 'other'];
export const TEXTS = {
  heading: 'What’s new',
  close: 'Close',
  unread: '{} unread',
  since: 'Since {}',
  more: 'See all changes',
  readMore: 'Read more',
  loading: 'Loading…',
  empty: 'Nothing new.',
  failed: 'Could not be loaded.',
  yanked: 'Yanked',
};
for (const kind of KINDS) TEXTS[kind] = kind[0].toUpperCase() + kind.slice(1);
