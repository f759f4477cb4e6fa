// What depends on the language, or on where the script is served. `/widget.js?lang=de` and static sites have all of it from
// `src/http/widget.ts` instead. Constants at the start: then the bundler leaves out what is for other values only.
/** `lang` and `dir` of the panel, and the language of dates. Null: those of the page. */
export const LANGUAGE = null;
/** Whether an element without a team reads a static site. */
export const IS_STATIC = false;
export const TYPES = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security', 'other'];
export const TEXTS = {
  heading: 'What’s new',
  close: 'Close',
  unread: '{} unread',
  since: 'Since {}',
  more: 'See all changes',
  loading: 'Loading…',
  empty: 'Nothing new.',
  failed: 'Could not be loaded.',
  breaking: 'Breaking',
  yanked: 'Yanked',
};
for (const type of TYPES) TEXTS[type] = type[0].toUpperCase() + type.slice(1);
