// Versions that wait for their time (R50).
import { COMMAND } from '../../../command-name.ts';
import { listScheduled, type ScheduledVersion } from '../../../store/catalogue/catalogue.ts';
import { PUBLISHED_WITHIN_MS } from '../../../store/read/due.ts';
import type { ProductPath } from '../../../store/read/reads.ts';
import { PRODUCT } from '../../arguments.ts';
import { type Cli, configOf, withReader } from '../../cli.ts';
import { type Command, command } from '../../command.ts';
import { PUBLISH_DUE } from '../../report/dates.ts';
import { escapeName } from '../../terminal/plain.ts';
import { formatTable } from '../../terminal/table.ts';

export const scheduleCommand: Command = {
  name: 'schedule',
  about: 'show which versions are scheduled',
  examples: ['version schedule list acme/rocket'],
  commands: [
    command({
      name: 'list',
      about: 'list the scheduled drafts of a product, the next one first',
      arguments: [PRODUCT],
      run: async (cli, _, path: ProductPath) => {
        const scheduled = await withReader(cli, (db) => listScheduled(db, path));
        return scheduled.map(({ isOverdue, lockedBy, ...version }) => ({
          ...version,
          overdue: isOverdue,
          reason: isOverdue ? REASONS[lockedBy ?? 'none'] : null,
        }));
      },
      text: (scheduled, cli) => {
        const rows = scheduled.map(({ id, version, title, publishAt, reason }) => {
          const state = reason === null ? 'waiting' : `overdue: ${reason}`;
          return { version, title, scheduled: publishAt, state, id };
        });
        return formatTable(cli, rows, 'There are no scheduled versions.');
      },
      after: (scheduled, cli, _, [{ team, product }]) => {
        const reason = scheduled.find(({ overdue }) => overdue)?.reason;
        if (!reason) return;
        const noun = reason.slice('locked '.length);
        cli.say(
          reason === REASONS.none
            ? `No server has published what is due. ${PUBLISH_DUE}`
            : `What is due waits until the ${noun} is unlocked: ${COMMAND} ${noun} set ${escapeName(`${team}/${product}`)} --status published`,
        );
      },
    }),
  ],
};

const REASONS: Readonly<Record<NonNullable<ScheduledVersion['lockedBy']> | 'none', string>> = {
  product: 'locked product',
  changelog: 'locked changelog',
  none: 'no server',
};

/** Explains a time that has passed, and a scheduler that is off. */
export function explainSchedule(cli: Cli, what: string, publishAt: string): void {
  if (publishAt <= cli.now())
    cli.say(
      `${publishAt} has passed: a server publishes ${escapeName(what)} within ${PUBLISHED_WITHIN_MS / 1_000} seconds, with that date.`,
    );
  if (!configOf(cli).scheduler)
    cli.say(`SCHEDULER is off: run \`${COMMAND} publish-due\` when it is due, or every minute.`);
}
