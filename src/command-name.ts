/** How this program was called, for the commands in messages. `bin/changelog` sets it: `bin/changelog` in a checkout. */
export const COMMAND = process.env.CHANGELOG_COMMAND ?? 'changelog';
