// The hooks of the hooks file (R65, R66).
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
import { argument, option, PRODUCT } from '../../arguments.ts';
import { configOf, hooksOf, withReader, withWriter } from '../../cli.ts';
import { command } from '../../command.ts';
import {
  adviceFor,
  adviseToAnnounce,
  asRow,
  formatVersion,
  type HookList,
  listHooks,
} from '../../hooks/list.ts';
import { escapeControls, escapeName, formatJson } from '../../terminal/plain.ts';
import { formatTable } from '../../terminal/table.ts';

const HOOKS_UNSET =
  'There are no hooks. If a server has some, set HOOKS as it is set there; otherwise write a hooks file, as docs/hooks.md describes.';

const list = command({
  name: 'list',
  about: 'list the hooks and what each of them has done',
  run: async (cli): Promise<HookList> => {
    const hooks = await hooksOf(cli, configOf(cli));
    return hooks.length === 0
      ? { hooks: [], givenUp: [] }
      : await withReader(cli, (db) => listHooks(db, hooks));
  },
  text: ({ hooks }, cli) => formatTable(cli, hooks.map(asRow), HOOKS_UNSET),
  json: ({ hooks }) => hooks,
  after: (listed, cli) => {
    for (const line of adviceFor(listed)) cli.say(escapeName(line));
  },
});

const test = command({
  name: 'test',
  about: 'send a message that says it is a test; a purge hook purges nothing that exists',
  arguments: [argument('<name>', 'name of the hook, from `hook list`')],
  run: async (cli, _: object, name: string) => {
    const config = configOf(cli);
    const found = requireHook(await hooksOf(cli, config), name);
    const { tryHook } = await import('../../hooks/run.ts');
    await tryHook(cli, found).catch((cause: unknown) => {
      if (!(cause instanceof DeliveryError)) throw cause;
      const text = `the hook ${name} failed: ${cause.message}. See ${config.hooksFile}, and the log of the receiver.`;
      throw new Refusal(text, { cause });
    });
    return { hook: name, sent: true };
  },
  text: () => 'Sent.',
});

type AnnounceFlags = { dryRun?: boolean; hook?: string };

const announce = command({
  name: 'announce',
  about: 'announce a public version now, also if it was announced before',
  arguments: [PRODUCT, argument('<version>', 'label or id of the version')],
  options: [
    option('--dry-run', 'show what would be sent without sending it'),
    option('--hook <name>', 'only to this hook; otherwise to all whose `only` matches'),
  ],
  examples: ['hook announce acme/rocket 2.1.0', 'hook announce acme/rocket 2.1.0 --hook chat'],
  run: async (cli, { dryRun, hook }: AnnounceFlags, path: ProductPath, idOrLabel: string) => {
    const all = await hooksOf(cli, configOf(cli));
    if (all.length === 0) throw new Refusal(HOOKS_UNSET);
    const hooks = (hook === undefined ? all : [requireHook(all, hook)]).filter((each) => !isPurgeHook(each));
    const { announceAll, findPublicVersion, previewAll } = await import('../../hooks/run.ts');
    const find = async (db: Reader) => {
      const id = await requireVersionId(db, path, idOrLabel);
      const found = await findPublicVersion(db, path, id);
      if (found === null) throw await notPublicError(db, path, id);
      const matching = await listMatchingHooks(db, hooks, found);
      if (matching.length > 0) return { found, matching };
      const why =
        hooks.length === 0
          ? `${hook ?? 'each of them'} purges a cache`
          : `it does not match \`only\` of ${hooks.map(({ name }) => name).join(', ')}`;
      throw new Refusal(`no hook announces ${formatPath(path)} ${found.version.label}: ${why}.`);
    };
    const { found, matching } = await (dryRun
      ? withReader(cli, find)
      : withWriter(cli, async (trx) => {
          const announced = await find(asReader(trx));
          await setUpHooks(trx, announced.matching);
          return announced;
        }));
    return {
      version: { ...path, version: found.version.label },
      previews: dryRun ? await previewAll(cli, matching, found) : null,
      attempts: dryRun ? [] : await announceAll(cli, matching, found),
    };
  },
  text: ({ version, previews, attempts }) => {
    if (previews === null)
      return attempts
        .filter(({ failure }) => failure === null)
        .map(({ hook }) => `Announced ${escapeName(formatVersion(version))} to ${hook}.`)
        .join('\n');
    const show = (body: unknown) => (typeof body === 'string' ? escapeControls(body) : formatJson(body, 2));
    return previews
      .map(({ hook, kind, bodies }) => [`To ${hook} (${kind}):`, ...bodies.map(show)].join('\n'))
      .join('\n\n');
  },
  json: ({ previews, attempts }) => previews ?? attempts,
  after: ({ version, attempts }) => {
    const [first, ...more] = attempts
      .filter(({ failure }) => failure !== null)
      .map(
        ({ hook, failure }) =>
          `the hook ${hook} failed: ${failure}. A server or \`${COMMAND} publish-due\` sends it again. ${adviseToAnnounce({ hook, ...version }, 'try now')}`,
      );
    if (first !== undefined) throw new Refusal(first, { more });
  },
});

export const hookCommand = {
  name: 'hook',
  about: 'show and try the hooks of the file in HOOKS',
  examples: ['hook list', 'hook test chat', 'hook announce acme/rocket 2.1.0 --dry-run'],
  commands: [list, test, announce],
} as const;

function requireHook(hooks: readonly Hook[], name: string): Hook {
  const found = hooks.find((hook) => hook.name === name);
  if (found !== undefined) return found;
  if (hooks.length === 0) throw new Refusal(HOOKS_UNSET);
  const names = hooks.map((hook) => hook.name);
  const meant = nearest(name, names);
  const question = meant === undefined ? '' : ` did you mean ${meant}?`;
  throw new Refusal(`there is no hook ${name}:${question} \`${COMMAND} hook list\` lists them.`);
}
