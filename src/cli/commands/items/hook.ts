// The hooks of the hooks file (R65, R66).
import type { Command } from 'commander';
import { COMMAND } from '../../../command-name.ts';
import { type Hook, isPurgeHook } from '../../../domain/hook.ts';
import { nearest } from '../../../domain/nearest.ts';
import { Refusal } from '../../../errors.ts';
import { DeliveryError } from '../../../hooks/send.ts';
import { listMatchingHooks, setUpHooks } from '../../../hooks/store/deliveries.ts';
import { requireVersionId } from '../../../store/catalogue/catalogue.ts';
import { formatPath, notPublicError } from '../../../store/catalogue/not-found.ts';
import { asReader, type Reader } from '../../../store/engine/engine.ts';
import type { ProductPath } from '../../../store/read/reads.ts';
import { parseProduct, withExamples, withJson } from '../../arguments.ts';
import { type Cli, configOf, hooksOf, printResult, withReader, withWriter } from '../../cli.ts';
import { adviceFor, adviseToAnnounce, asRow, formatVersion, listHooks } from '../../hooks/list.ts';
import type { Preview } from '../../hooks/run.ts';
import { escapeControls, escapeName, formatJson } from '../../terminal/plain.ts';
import { formatTable } from '../../terminal/table.ts';

type AnnounceFlags = Readonly<{ json?: boolean; dryRun?: boolean; hook?: string }>;

const HOOKS_UNSET =
  'There are no hooks. If a server has some, set HOOKS as it is set there; otherwise write a hooks file, as docs/hooks.md describes.';

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
      const { tryHook } = await import('../../hooks/run.ts');
      try {
        await tryHook(cli, found);
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
      const hooks = announcingHooks(await hooksOf(cli, configOf(cli)), flags.hook);
      const { announceAll, findPublicVersion, previewAll } = await import('../../hooks/run.ts');
      const find = async (db: Reader) => {
        const id = await requireVersionId(db, path, idOrLabel);
        const found = await findPublicVersion(db, path, id);
        if (found === null) throw await notPublicError(db, path, id);
        const matching = await listMatchingHooks(db, hooks, found);
        if (matching.length > 0) return { found, matching };
        const names = hooks.map(({ name }) => name).join(', ');
        throw new Refusal(
          `no hook announces ${formatPath(path)} ${found.version.label}: it does not match \`only\` of ${names}.`,
        );
      };
      if (flags.dryRun) {
        const { found, matching } = await withReader(cli, find);
        const previews = await previewAll(cli, matching, found);
        return printResult(cli, flags, previews, () => previews.map(formatPreview).join('\n\n'));
      }
      const { found, matching } = await withWriter(cli, async (trx) => {
        const announced = await find(asReader(trx));
        await setUpHooks(trx, announced.matching);
        return announced;
      });
      const attempts = await announceAll(cli, matching, found);
      const version = { ...path, version: found.version.label };
      const name = escapeName(formatVersion(version));
      const sent = attempts.filter(({ failure }) => failure === null);
      if (flags.json || sent.length > 0)
        printResult(cli, flags, attempts, () =>
          sent.map((attempt) => `Announced ${name} to ${attempt.hook}.`).join('\n'),
        );
      const [first, ...more] = attempts
        .filter(({ failure }) => failure !== null)
        .map(
          ({ hook, failure }) =>
            `the hook ${hook} failed: ${failure}. A server or \`${COMMAND} publish-due\` sends it again. ${adviseToAnnounce({ hook, ...version }, 'try now')}`,
        );
      if (first !== undefined) throw new Refusal(first, { more });
    });
}

function requireHook(hooks: readonly Hook[], name: string): Hook {
  const found = hooks.find((hook) => hook.name === name);
  if (found !== undefined) return found;
  if (hooks.length === 0) throw new Refusal(HOOKS_UNSET);
  const meant = nearest(
    name,
    hooks.map((hook) => hook.name),
  );
  const question = meant === undefined ? '' : ` did you mean ${meant}?`;
  throw new Refusal(`there is no hook ${name}:${question} \`${COMMAND} hook list\` lists them.`);
}

/** Those that announce, or the named one. */
function announcingHooks(hooks: readonly Hook[], name: string | undefined) {
  const announcing = (name === undefined ? hooks : [requireHook(hooks, name)]).filter(
    (hook) => !isPurgeHook(hook),
  );
  if (announcing.length > 0) return announcing;
  if (hooks.length === 0) throw new Refusal(HOOKS_UNSET);
  throw new Refusal(
    `${name === undefined ? 'all hooks purge caches' : `the hook ${name} purges a cache`}, so there is nothing to announce.`,
  );
}

function formatPreview({ hook, kind, bodies }: Preview): string {
  const texts = bodies.map((body) => (typeof body === 'string' ? escapeControls(body) : formatJson(body, 2)));
  return [`To ${hook} (${kind}):`, ...texts].join('\n');
}
