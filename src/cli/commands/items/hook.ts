// The hooks of the hooks file (R65, R66).
import type { Command } from 'commander';
import { Refusal } from '../../../errors.ts';
import { DeliveryError } from '../../../hooks/outgoing.ts';
import { setUpHooks } from '../../../hooks/store/hooks.ts';
import { asReader, type Reader } from '../../../store/engine/engine.ts';
import type { ProductPath } from '../../../store/read/reads.ts';
import { parseProduct, withExamples, withJson } from '../../arguments.ts';
import { type Cli, configOf, hooksOf, printResult, withReader, withWriter } from '../../cli.ts';
import type { Preview } from '../../hooks/announce.ts';
import { adviseToAnnounce, formatVersion, HOOKS_UNSET, requireHook } from '../../hooks/find.ts';
import { adviceFor, asRow, listHooks } from '../../hooks/list.ts';
import { escapeControls, escapeName, formatJson } from '../../terminal/plain.ts';
import { formatTable } from '../../terminal/table.ts';

type AnnounceFlags = Readonly<{ json?: boolean; dryRun?: boolean; hook?: string }>;

export function addHook(program: Command, cli: Cli): void {
  const hook = program.command('hook').description('show and try the hooks of the file in HOOKS');
  withExamples(hook, 'hook list', 'hook test chat', 'hook announce acme/rocket 2.1.0 --dry-run');

  withJson(hook.command('list'))
    .description('list the hooks and what each of them has done')
    .action(async (options) => {
      const hooks = await hooksOf(cli, configOf(cli));
      const listed =
        hooks.length === 0 ? { hooks: [], givenUp: [] } : await withReader(cli, (db) => listHooks(db, hooks));
      printResult(cli, options, listed.hooks, () => formatTable(cli, listed.hooks.map(asRow), HOOKS_UNSET));
      for (const line of adviceFor(listed)) cli.say(escapeName(line));
    });

  withJson(hook.command('test'))
    .description('send a message that says it is a test; a purge hook purges nothing that exists')
    .argument('<name>', 'name of the hook, from `hook list`')
    .action(async (name: string, options) => {
      const config = configOf(cli);
      const found = requireHook(await hooksOf(cli, config), name);
      // Loaded only here, because loading it takes longer than everything else.
      const { tryHook } = await import('../../hooks/try-hook.ts');
      try {
        await tryHook(found, cli, config);
      } catch (error) {
        if (!(error instanceof DeliveryError)) throw error;
        throw new Refusal(
          `the hook ${name} failed: ${error.message}. See ${config.hooksFile}, and the log of the receiver.`,
          { cause: error },
        );
      }
      printResult(cli, options, { hook: name, sent: true }, () => 'Sent.');
    });

  withExamples(
    withJson(hook.command('announce')),
    'hook announce acme/rocket 2.1.0',
    'hook announce acme/rocket 2.1.0 --hook chat',
  )
    .description('announce a public version now, also if it was announced before')
    .argument('<team/product>', 'such as acme/rocket', parseProduct)
    .argument('<version>', 'label or id of the version')
    .option('--dry-run', 'show what would be sent without sending it')
    .option('--hook <name>', 'only to this hook; otherwise to all whose `only` matches')
    .action(async (path: ProductPath, idOrLabel: string, flags: AnnounceFlags) => {
      const hooks = await hooksOf(cli, configOf(cli));
      const { announceAll, announcingHooks, requireAnnounceable, previewAll } = await import(
        '../../hooks/announce.ts'
      );
      const wanted = announcingHooks(hooks, flags.hook);
      const find = (db: Reader) => requireAnnounceable(db, wanted, path, idOrLabel);
      const announced = await (flags.dryRun
        ? withReader(cli, find)
        : withWriter(cli, async (trx) => {
            const found = await find(asReader(trx));
            await setUpHooks(trx, found.hooks);
            return found;
          }));
      if (flags.dryRun) {
        const previews = await previewAll(cli, announced);
        return printResult(cli, flags, previews, () => previews.map(formatPreview).join('\n\n'));
      }
      const attempts = await announceAll(cli, announced);
      const version = { ...path, version: announced.found.version.label };
      const name = escapeName(formatVersion(version));
      const sent = attempts.filter(({ failure }) => failure === null);
      if (flags.json || sent.length > 0)
        printResult(cli, flags, attempts, () =>
          sent.map((attempt) => `Announced ${name} to ${attempt.hook}.`).join('\n'),
        );
      const [first, ...more] = attempts.flatMap(({ hook, failure }) =>
        failure === null
          ? []
          : `the hook ${hook} failed: ${failure}. ${adviseToAnnounce({ hook, ...version })}`,
      );
      if (first !== undefined) throw new Refusal(first, { more });
    });
}

function formatPreview({ hook, kind, bodies }: Preview): string {
  const texts = bodies.map((body) => (typeof body === 'string' ? escapeControls(body) : formatJson(body, 2)));
  return [`To ${hook} (${kind}):`, ...texts].join('\n');
}
