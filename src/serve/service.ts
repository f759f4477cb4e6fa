// The parts of one serving process, opened and closed together.
import type { Config } from '../config.ts';
import { type App, buildApp } from '../http/app.ts';
import { openCounters } from '../http/guards/counters/open.ts';
import { batchKeyUsage, type KeyUsage, type KeyUses, NO_KEY_USAGE } from '../http/guards/key-usage.ts';
import type { Log } from '../http/telemetry/log.ts';
import type { Metrics } from '../http/telemetry/metrics.ts';
import { openRenderer } from '../present/html/renderer.ts';
import type { Writer } from '../store/engine/engine.ts';
import { engineOf } from '../store/engine/open.ts';
import { recordKeyUse } from '../store/source/key-usage.ts';
import { openSource } from '../store/source/open.ts';
import type { DatabaseState } from '../store/source/source.ts';

type Service = Readonly<{
  app: App;
  /** Null without an operations listener. */
  metrics: Metrics | null;
  /** Is a database up? */
  isReady: () => Promise<boolean>;
  close: () => Promise<void>;
}>;

type ServiceOptions = Readonly<{
  isWorker: boolean;
  counterFd: number | null;
  log: Log;
  extraCss: string;
  hasDemoPage: boolean;
}>;

export async function openService(
  config: Config,
  { isWorker, counterFd, log, extraCss, hasDemoPage }: ServiceOptions,
): Promise<Service> {
  const metrics =
    config.opsPort === null ? null : (await import('../http/telemetry/metrics.ts')).createMetrics();
  const keyUsage = config.keyUsage ? openKeyUsage(config.databaseUrls[0], log) : null;
  const source = await openSource(config.databaseUrls, {
    onStateChange: logState(log),
    onReopened: (database) => {
      log.info({ database }, 'database file replaced: reopened');
      keyUsage?.reopen();
    },
  });
  // Last: a connection to Redis would keep a process alive that failed to start.
  const counters = await openCounters({ ...config, isWorker, counterFd, log });
  const renderer = openRenderer(config.cacheMaxMb);
  const app = buildApp({
    config,
    source,
    log,
    renderer,
    counters,
    keyUsage: keyUsage ?? NO_KEY_USAGE,
    extraCss,
    hasDemoPage,
    ...(metrics && { observer: metrics }),
  });
  return {
    app,
    metrics,
    isReady: async () => {
      await source.isConfirmed();
      return source.isUp();
    },
    close: async () => {
      await keyUsage?.close();
      await counters.close();
      await renderer.close();
      await source.close();
    },
  };
}

/** Only the message: other properties of a driver's error may contain query parameters. */
function logState(log: Log) {
  return (database: string, state: DatabaseState, cause: unknown) => {
    if (state === 'up') log.info({ database }, 'database reachable again');
    else if (state === 'behind') log.warn({ database }, 'replica lagging: skipped');
    else log.error({ database, reason: (cause as Error).message }, 'database unreachable');
  };
}

/** The only thing the server writes. Its connection is opened with the first use to record. */
function openKeyUsage(url: string, log: Log): KeyUsage & { reopen: () => void } {
  let recorder: Writer | null = null;
  const record = async (uses: KeyUses) => {
    recorder ??= (await engineOf(url)).openRecorder(url);
    await recordKeyUse(recorder, uses);
  };
  const usage = batchKeyUsage(record, log);
  return {
    record: usage.record,
    reopen: () => {
      // A write in progress goes to the replaced file, so its outcome does not matter.
      recorder?.destroy().catch(() => {});
      recorder = null;
    },
    close: async () => {
      await usage.close();
      await recorder?.destroy();
    },
  };
}
