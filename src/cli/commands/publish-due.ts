import type { Command } from 'commander';
import type { Hook } from '../../domain/hook.ts';
import { Refusal } from '../../errors.ts';
import { setUpHooks } from '../../hooks/store/hooks.ts';
import { asReader, type Writer } from '../../store/engine/engine.ts';
import { listDue } from '../../store/read/due.ts';
import { type PublishedVersion, publishDue } from '../../store/write/publish-due.ts';
import { withExamples, withJson } from '../arguments.ts';
import { type Cli, configOf, hooksOf, printResult, withWriter } from '../cli.ts';
import { dryRun } from '../dry-run.ts';
import { describeLocked, NAMED_MAX } from '../report/dates.ts';
import { escapeName } from '../terminal/plain.ts';

type Flags = Readonly<{ json?: boolean; dryRun?: boolean }>;

export function addPublishDue(program: Command, cli: Cli): void {
  withExamples(withJson(program.command('publish-due')), 'publish-due', 'publish-due --dry-run')
    .description(
      'publish all scheduled versions that are due and run the hooks once, as a server with SCHEDULER=on does; use it in cron where no server does',
    )
    .option('--dry-run', 'show what would be done without doing it')
    .action(async (flags: Flags) => {
      const hooks = await hooksOf(cli, configOf(cli));
      const { published, locked } = await (flags.dryRun ? dryRun : withWriter)(cli, async (trx) => {
        // Before anything is published: a new hook announces nothing old.
        if (!flags.dryRun) await setUpHooks(trx, hooks);
        return {
          published: await publishAllDue(trx),
          locked: await listDue(asReader(trx), { isLocked: true, limit: NAMED_MAX }),
        };
      });
      printResult(cli, flags, published, () => formatPublished(published, flags));
      for (const line of describeLocked(locked)) cli.say(line);
      if (!flags.dryRun) await runAll(cli, hooks, flags);
    });
}

/** Throws if a hook has failed: what is published stays published. */
async function runAll(cli: Cli, hooks: readonly Hook[], { json = false }: Flags): Promise<void> {
  if (hooks.length === 0) return;
  // Loaded only here, because loading it takes longer than everything else.
  const { runHooks } = await import('../hooks/run-hooks.ts');
  const [first, ...more] = await runHooks(cli, hooks, (line) => {
    if (!json) void cli.print(escapeName(line));
  });
  if (first !== undefined) throw new Refusal(first, { more });
}

async function publishAllDue(trx: Writer): Promise<PublishedVersion[]> {
  const published: PublishedVersion[] = [];
  for (;;) {
    const some = await publishDue(trx);
    if (some.length === 0) return published.sort(byTime);
    published.push(...some);
  }
}

function byTime(a: PublishedVersion, b: PublishedVersion): number {
  return a.publishedAt < b.publishedAt || (a.publishedAt === b.publishedAt && a.id < b.id) ? -1 : 1;
}

function formatPublished(published: readonly PublishedVersion[], { dryRun = false }: Flags): string {
  if (published.length === 0) return 'Nothing is due.';
  const verb = dryRun ? 'Would publish' : 'Published';
  return published
    .map(({ team, product, version, publishedAt }) => {
      const name = escapeName(`${team}/${product} ${version}`);
      return `${verb} ${name}, dated ${publishedAt}.`;
    })
    .join('\n');
}
