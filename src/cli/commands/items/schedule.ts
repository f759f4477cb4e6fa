// Versions that wait for their time (R50).
import { type Command, InvalidArgumentError } from 'commander';
import { COMMAND } from '../../../command-name.ts';
import { describeNoInstant, normaliseInstant } from '../../../domain/timestamp.ts';
import { listScheduled, type ScheduledVersion } from '../../../store/catalogue/catalogue.ts';
import { PUBLISHED_WITHIN_MS } from '../../../store/read/due.ts';
import type { ProductPath } from '../../../store/read/reads.ts';
import { parseProduct, withExamples, withJson } from '../../arguments.ts';
import { type Cli, configOf, printResult, withReader } from '../../cli.ts';
import { PUBLISH_DUE } from '../../report/dates.ts';
import { escapeName } from '../../terminal/plain.ts';
import { formatTable } from '../../terminal/table.ts';

export function addSchedule(version: Command, cli: Cli): void {
  const schedule = version.command('schedule').description('show which versions are scheduled');
  withExamples(schedule, 'version schedule list acme/rocket');
  withJson(schedule.command('list'))
    .description('list the scheduled drafts of a product, the next one first')
    .argument('<team/product>', 'such as acme/rocket', parseProduct)
    .action(async (path: ProductPath, options) => {
      const scheduled = await withReader(cli, (db) => listScheduled(db, path));
      printResult(cli, options, scheduled.map(asJson), () =>
        formatTable(cli, scheduled.map(asRow), 'There are no scheduled versions.'),
      );
      for (const line of adviceFor(path, scheduled)) cli.say(line);
    });
}

export function parseInstant(text: string): string {
  const time = normaliseInstant(text);
  if (time === null) throw new InvalidArgumentError(`It ${describeNoInstant(text)}`);
  return time;
}

/** Explains a time that has passed, and a scheduler that is off. */
export function explainSchedule(cli: Cli, what: string, publishAt: string): void {
  if (publishAt <= cli.now())
    cli.say(
      `${publishAt} has passed: a server publishes ${escapeName(what)} within ${PUBLISHED_WITHIN_MS / 1_000} seconds, with that date.`,
    );
  if (!configOf(cli).scheduler)
    cli.say(`SCHEDULER is off: run \`${COMMAND} publish-due\` when it is due, or every minute.`);
}

const LOCKED = { product: 'locked product', changelog: 'locked changelog' } as const;

function reasonOf({ isOverdue, lockedBy }: ScheduledVersion): string | null {
  if (!isOverdue) return null;
  return lockedBy === null ? 'no server' : LOCKED[lockedBy];
}

function asJson(scheduled: ScheduledVersion) {
  const { id, version, title, publishAt, isOverdue } = scheduled;
  return { id, version, title, publishAt, overdue: isOverdue, reason: reasonOf(scheduled) };
}

function asRow(scheduled: ScheduledVersion) {
  const { id, version, title, publishAt } = scheduled;
  const reason = reasonOf(scheduled);
  return {
    version,
    title,
    scheduled: publishAt,
    state: reason === null ? 'waiting' : `overdue: ${reason}`,
    id,
  };
}

/** What to do about overdue versions. */
function adviceFor({ team, product }: ProductPath, scheduled: readonly ScheduledVersion[]): string[] {
  const overdue = scheduled.find(({ isOverdue }) => isOverdue);
  if (overdue === undefined) return [];
  return [
    overdue.lockedBy === null
      ? `No server has published what is due. ${PUBLISH_DUE}`
      : `What is due waits until the ${overdue.lockedBy} is unlocked: ${COMMAND} ${overdue.lockedBy} set ${escapeName(`${team}/${product}`)} --status published`,
  ];
}
