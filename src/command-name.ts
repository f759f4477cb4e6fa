/** This program's name in messages. `bin/changelog` sets it to the path that was typed. */
export const COMMAND = process.env.CHANGELOG_COMMAND ?? 'changelog';
