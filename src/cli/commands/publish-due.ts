import { Refusal } from '../../errors.ts';
import { setUpHooks } from '../../hooks/store/deliveries.ts';
import { asReader, type Writer } from '../../store/engine/engine.ts';
import { listDue } from '../../store/read/due.ts';
import { type PublishedVersion, publishDue } from '../../store/write/publish-due.ts';
import { DRY_RUN } from '../arguments.ts';
import { configOf, dryRun, hooksOf, withWriter } from '../cli.ts';
import { command } from '../command.ts';
import { describeDates, NAMED_MAX } from '../report/dates.ts';
import { escapeName } from '../terminal/text.ts';

type Flags = { dryRun?: boolean };

export const publishDueCommand = command({
  name: 'publish-due',
  about: 'publish what is due, and run the hooks, where no server does',
  options: [DRY_RUN],
  examples: ['publish-due', 'publish-due --dry-run'],
  run: async (cli, flags: Flags) => {
    const hooks = await hooksOf(cli, configOf(cli));
    const due = await (flags.dryRun ? dryRun : withWriter)(cli, async (trx) => {
      // Before anything is published: a new hook announces nothing old.
      if (!flags.dryRun) await setUpHooks(trx, hooks);
      const published = await publishAllDue(trx);
      return { published, locked: await listDue(asReader(trx), { isLocked: true, limit: NAMED_MAX }) };
    });
    return { ...due, hooks };
  },
  text: ({ published }, _, { dryRun = false }) => {
    if (published.length === 0) return 'Nothing is due.';
    const verb = dryRun ? 'Would publish' : 'Published';
    const lines = published.map(({ team, product, version, publishedAt }) => {
      const name = escapeName(`${team}/${product} ${version}`);
      return `${verb} ${name}, dated ${publishedAt}.`;
    });
    return lines.join('\n');
  },
  json: ({ published }) => published,
  after: async ({ locked, hooks }, cli, { dryRun, json }) => {
    for (const line of describeDates('locked', locked)) cli.say(line);
    if (dryRun || hooks.length === 0) return;
    // Loaded only here, because loading it takes longer than everything else.
    const { describeTried, runHooks } = await import('../hooks/run.ts');
    const { sent, failed } = describeTried(await runHooks(cli, hooks));
    if (!json && sent.length > 0) await cli.print(sent.map(escapeName).join('\n'));
    const [first, ...more] = failed;
    // What is published stays published.
    if (first !== undefined) throw new Refusal(first, { more });
  },
});

async function publishAllDue(trx: Writer): Promise<PublishedVersion[]> {
  const published: PublishedVersion[] = [];
  for (let some = await publishDue(trx); some.length > 0; some = await publishDue(trx))
    published.push(...some);
  const timeOf = ({ publishedAt, id }: PublishedVersion) => `${publishedAt} ${id}`;
  return published.sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
}
