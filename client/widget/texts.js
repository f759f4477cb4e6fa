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
