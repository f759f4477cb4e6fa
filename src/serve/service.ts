// The parts of one serving process, opened and closed together.
import { COMMAND } from '../command-name.ts';
import type { Config, Environment } from '../config.ts';
import { createHubsFor, type Hook, isPurgeHook } from '../domain/hook.ts';
import { buildApp, indexBytes } from '../http/app.ts';
import { openCounters } from '../http/guards/counters/exchange.ts';
import { batchKeyUsage, NO_KEY_USAGE } from '../http/guards/key-usage.ts';
import { createCounts } from '../http/telemetry/counts.ts';
import type { Log } from '../http/telemetry/log.ts';
import type { Writer } from '../store/engine/engine.ts';
import { isReadOnly } from '../store/engine/failures.ts';
import { engineOf } from '../store/engine/open.ts';
import { recordKeyUse } from '../store/source/key-usage.ts';
import { openSource } from '../store/source/open.ts';
import type { DatabaseState } from '../store/source/source.ts';
import { publishDue } from '../store/write/publish-due.ts';
import { openRenderer } from '../text/render.ts';
import { startScheduler } from './scheduler.ts';

export type ServiceOptions = Readonly<{
  isWorker: boolean;
  log: Log;
  extraCss: string;
  hooks: readonly Hook[];
  /** For the programs of hooks. */
  environment: Environment;
}>;

export async function openService(config: Config, options: ServiceOptions) {
  const { isWorker, log, extraCss, hooks, environment } = options;
  const counts = createCounts(hooks);
  const metrics =
    config.opsPort === null ? null : (await import('../http/telemetry/metrics.ts')).createMetrics();
  const [url] = config.databaseUrls;
  const recorder = openLater(url, { isDurable: false });
  const publisher = openLater(url, { isDurable: true });
  const keyUsage = config.keyUsage
    ? batchKeyUsage((uses) => recorder.run((db) => recordKeyUse(db, uses)), log)
    : NO_KEY_USAGE;
  const onStateChange = (database: string, state: DatabaseState, cause: unknown) => {
    if (state === 'up') log.info({ database }, 'database reachable again');
    else if (state === 'behind') log.warn({ database }, 'replica lagging: skipped');
    else log.error({ database, reason: messageOf(cause) }, 'database unreachable');
  };
  const source = await openSource(config.databaseUrls, {
    indexBytesMax: indexBytes(config),
    // A CDN has to be right within a second (R66).
    ...(hooks.some(isPurgeHook) && { checkEveryMs: 200 }),
    onStateChange,
    onScheduleUnread: (cause) => log.warn({ reason: messageOf(cause) }, 'schedule cannot be read: retrying'),
    onReopened: (database) => {
      log.info({ database }, 'database file replaced: reopened');
      recorder.reopen();
      publisher.reopen();
      scheduler.retry();
    },
  });
  const scheduler = startScheduler({
    isOn: config.scheduler,
    source,
    publish: (versionsMax) => publisher.run((db) => publishDue(db, versionsMax)),
    onPublished: (count) => {
      counts.scheduledPublished += count;
    },
    log,
  });
  // Last: a connection to Redis would keep a process alive that failed to start.
  const counters = await openCounters({ ...config, isWorker }, log);
  const render = openRenderer(config.cacheMaxMb);
  const app = buildApp({
    config,
    source,
    log,
    render,
    counters,
    keyUsage,
    extraCss,
    hubsFor: createHubsFor(hooks),
    counts,
    ...(metrics && { onSent: metrics.onSent }),
  });
  await app.prepare();
  const hookLoop = await openHooks();
  const behindMs = (hook: string) => hookLoop?.behindMs(hook) ?? 0;
  metrics?.measure({ ...app, counts, source, counters, log, behindMs });
  return {
    app,
    /** Null if this process runs none. */
    hookLoop,
    /** Null without an operations listener. */
    metrics,
    /** Whether a database is up. */
    isReady: async () => {
      await source.isConfirmed();
      return source.isUp();
    },
    isDomain: app.isDomain,
    close: async () => {
      await Promise.all([
        keyUsage.close().then(recorder.close),
        Promise.all([scheduler.close(), hookLoop?.stop()]).then(publisher.close),
      ]);
      counters.close();
      await source.close();
    },
  };

  /** Loaded here: most servers have no hooks. */
  async function openHooks() {
    if (hooks.length === 0) return null;
    if (!config.scheduler) {
      log.warn(`SCHEDULER is off: this process runs no hooks; run \`${COMMAND} publish-due\` regularly`);
      return null;
    }
    const [{ openHookLoop }, { createSender }] = await Promise.all([
      import('./hooks.ts'),
      import('../hooks/deliver.ts'),
    ]);
    return await openHookLoop({
      hooks,
      source,
      run: publisher.run,
      send: createSender({ run: publisher.run, render, place: app.site, environment }),
      onOutcome: (hook, outcome) => {
        const outcomes = counts.hooks.get(hook) ?? {};
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      },
      log,
    });
  }
}

/** Only this is logged: other properties of a driver's error may contain query parameters. */
const messageOf = (error: unknown) => (error as Error).message;

type Opened = { readonly writer: Promise<Writer>; uses: number; isOver: boolean };

/** A connection for one kind of write, opened on first use. The server writes nothing else. */
export function openLater(url: string, options: { isDurable: boolean }) {
  let current: Opened | null = null;
  const open = async () => (await engineOf(url)).openRecorder(url, options);
  /** The next write opens another one. This one is closed once nobody uses it: some need several statements. */
  function leave(opened: Opened): void {
    if (current === opened) current = null;
    opened.isOver = true;
    if (opened.uses === 0) opened.writer.then((writer) => writer.destroy()).catch(() => {});
  }
  return {
    run: async <T>(write: (db: Writer) => Promise<T>): Promise<T> => {
      current ??= { writer: open(), uses: 0, isOver: false };
      const opened = current;
      opened.uses++;
      try {
        const writer = await opened.writer.catch((error) => {
          opened.isOver = true;
          throw error;
        });
        return await write(writer);
      } catch (error) {
        // A connection stays read-only even if the database does not.
        opened.isOver ||= isReadOnly(error);
        throw error;
      } finally {
        opened.uses--;
        if (opened.isOver) leave(opened);
      }
    },
    /** A write in progress goes to the replaced file, so its outcome does not matter. */
    reopen: () => {
      if (current !== null) leave(current);
    },
    close: async () => await (await current?.writer)?.destroy(),
  };
}
