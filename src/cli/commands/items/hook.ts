// The hooks of the hooks file (R65, R66).
import { COMMAND } from '../../../command-name.ts';
import { type Hook, isPurgeHook } from '../../../domain/hook.ts';
import { Refusal } from '../../../errors.ts';
import { DeliveryError } from '../../../hooks/send.ts';
import { listMatchingHooks, setUpHooks } from '../../../hooks/store/deliveries.ts';
import { listFailedDeliveries, listHookHistories, listTooOld } from '../../../hooks/store/history.ts';
import { requireVersionId } from '../../../store/catalogue/catalogue.ts';
import { formatPath, notPublicError } from '../../../store/catalogue/not-found.ts';
import { asReader, type Reader } from '../../../store/engine/engine.ts';
import type { ProductPath } from '../../../store/read/reads.ts';
import { argument, option, PRODUCT } from '../../arguments.ts';
import { configOf, hooksOf, withReader, withWriter } from '../../cli.ts';
import { command } from '../../command.ts';
import { NAMED_MAX, PUBLISH_DUE } from '../../report/dates.ts';
import { formatTable } from '../../terminal/table.ts';
import { escapeControls, escapeName, formatJson } from '../../terminal/text.ts';

const HOOKS_UNSET =
  'There are no hooks. If a server has some, set HOOKS as it is set there; otherwise write a hooks file, as docs/hooks.md describes.';

const list = command({
  name: 'list',
  about: 'list the hooks and what each of them has done',
  run: async (cli) => {
    const all = await hooksOf(cli, configOf(cli));
    if (all.length === 0) return { hooks: [], failed: [] };
    return await withReader(cli, async (db) => {
      const names = all.map(({ name }) => name);
      const histories = await listHookHistories(db, names);
      const failed = await listFailedDeliveries(db, names, NAMED_MAX);
      /** The counts are of versions; null for a purge hook, and for one that is not set up. */
      const describeHook = async (hook: Hook) => {
        const { name, kind } = hook;
        const history = histories.find((each) => each.name === name);
        const own = failed.filter((each) => each.hook === name);
        const { setUpAt = null, nextAt = null, sentAt: lastAt = null, purgeFailure = null } = history ?? {};
        const isFailing = purgeFailure !== null || own.some(({ isGivenUp }) => !isGivenUp);
        const done = history?.isBehind || nextAt !== null ? 'behind' : 'up to date';
        const { announced = null, waiting = null, givenUp = null } = (!isPurgeHook(hook) && history) || {};
        const [latest] = own;
        const reason = purgeFailure ?? latest?.reason;
        return {
          ...{ name, kind, setUpAt, announced, waiting, givenUp, nextAt, lastAt },
          state: history === undefined ? 'not set up' : isFailing ? 'retrying' : done,
          failure: reason === undefined ? null : { reason, version: latest ? formatVersion(latest) : null },
          /** The newest of the versions that it does not announce because of their date. */
          tooOld: isPurgeHook(hook)
            ? null
            : history === undefined
              ? []
              : await listTooOld(db, hook, NAMED_MAX),
        };
      };
      return { hooks: await Promise.all(all.map(describeHook)), failed };
    });
  },
  text: ({ hooks }, cli) => {
    const rows = hooks.map(({ name, kind, state, announced, waiting, givenUp, nextAt, lastAt, failure }) => {
      const why = failure && `${failure.reason} ${failure.version ?? ''}`;
      return { name, kind, state, announced, waiting, givenUp, nextAt, lastAt, failure: why };
    });
    return formatTable(cli, rows, HOOKS_UNSET);
  },
  json: ({ hooks }) => hooks,
  after: ({ hooks, failed }, cli) => {
    const left = [
      ...hooks
        .filter(({ tooOld }) => tooOld !== null && tooOld.length > 0)
        .map(
          ({ name, tooOld }) =>
            `Not announced by ${name}, because older than maxAgeHours: ${tooOld?.map(formatVersion).join(', ')}.`,
        ),
      ...failed
        .filter(({ isGivenUp }) => isGivenUp)
        .map((each) => `Given up by ${each.hook}: ${formatVersion(each)} (${each.reason}).`),
    ];
    for (const line of left) cli.say(escapeName(line));
    if (left.length > 0)
      cli.say(`\`${COMMAND} hook announce TEAM/PRODUCT VERSION --hook NAME\` announces one now.`);
    if (hooks.some(({ state }) => state === 'not set up' || state === 'behind'))
      cli.say(`Hooks that are not set up, or stay behind, are not run. ${PUBLISH_DUE}`);
  },
});

const formatVersion = ({ team, product, version }: ProductPath & { version: string }) =>
  `${team}/${product} ${version}`;

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
    const { announceAll, describeTried, findPublicVersion, previewAll } = await import('../../hooks/run.ts');
    const find = async (db: Reader) => {
      const id = await requireVersionId(db, path, idOrLabel);
      const found = await findPublicVersion(db, path, id);
      if (found === null) throw await notPublicError(db, path, id);
      const matching = await listMatchingHooks(db, hooks, found);
      if (matching.length > 0) return { found, matching };
      throw new Refusal(
        `no hook announces ${formatPath(path)} ${found.version.label}: look at \`only\` in the hooks file; purge hooks announce nothing.`,
      );
    };
    if (dryRun) {
      const { found, matching } = await withReader(cli, find);
      return { previews: await previewAll(cli, matching, found), tried: [], sent: [], failed: [] };
    }
    const { found, matching } = await withWriter(cli, async (trx) => {
      const announced = await find(asReader(trx));
      await setUpHooks(trx, announced.matching);
      return announced;
    });
    const tried = await announceAll(cli, matching, found);
    return { previews: null, tried, ...describeTried(tried) };
  },
  text: ({ previews, sent }) => {
    if (previews === null) return sent.map(escapeName).join('\n');
    const show = (body: unknown) => (typeof body === 'string' ? escapeControls(body) : formatJson(body, 2));
    return previews
      .map(({ hook, kind, bodies }) => [`To ${hook} (${kind}):`, ...bodies.map(show)].join('\n'))
      .join('\n\n');
  },
  json: ({ previews, tried }) =>
    previews ??
    tried.map(({ hook: { name: hook }, delivery: { messageId }, outcome }) =>
      outcome.state === 'sent'
        ? { hook, messageId, failure: null }
        : { hook, messageId: null, failure: outcome.failure },
    ),
  after: ({ failed: [first, ...more] }) => {
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
  if (hooks.length === 0) throw new Refusal(HOOKS_UNSET);
  const found = hooks.find((hook) => hook.name === name);
  if (found !== undefined) return found;
  throw new Refusal(`there is no hook ${name}; the hooks are ${hooks.map((hook) => hook.name).join(', ')}.`);
}
