// The primary's operations listener asks workers for their state (R36).
import type { Worker } from 'node:cluster';
import type { Registry } from 'prom-client';
import type { Log } from '../http/telemetry/log.ts';
import {
  onCommand,
  onEvent,
  type ReportRequest,
  sendCommand,
  sendEvent,
  type WorkerReport,
} from './messages.ts';
import type { Operations } from './operations.ts';

/** A slower worker is left out. */
const REPORT_MS_MAX = 1_000;

/** The registry is null without an operations listener. */
export type ProcessStatus = Omit<Operations, 'registry'> & Readonly<{ registry: Registry | null }>;

/** Runs in a worker. */
export function answerReportRequests({ isReady, isDomain, registry }: ProcessStatus, log: Log): void {
  async function respond({ report, domain }: ReportRequest): Promise<void> {
    const data =
      domain === undefined
        ? { isReady: await isReady(), metrics: (await registry?.getMetricsAsJSON()) ?? [] }
        : await isDomain(domain);
    await sendEvent({ report, data });
  }
  onCommand((command) => {
    if (typeof command === 'string') return;
    respond(command).catch((error: unknown) => log.error({ err: error }, 'operations report failed'));
  });
}

/** Runs in the primary process: ready if any worker is, with metrics aggregated over the workers. */
export function operationsFor(listWorkers: () => readonly Worker[]): Operations {
  const collectReports = () => collect<WorkerReport>(listWorkers());
  return {
    isReady: async () => (await collectReports()).some((report) => report.isReady),
    isDomain: async (domain) => (await collect<boolean>(listWorkers(), { domain })).some(Boolean),
    registry: async () => {
      const { default: prometheus } = await import('prom-client');
      const reports = await collectReports();
      return prometheus.AggregatorRegistry.aggregate(reports.map(({ metrics }) => metrics));
    },
  };
}

let requests = 0;

async function collect<Report>(
  workers: readonly Worker[],
  asked: { domain?: string } = {},
): Promise<Report[]> {
  const request = { report: ++requests, ...asked };
  const reports = await Promise.all(workers.map((worker) => requestReport(worker, request)));
  return reports.filter((report) => report !== null) as Report[];
}

function requestReport(worker: Worker, request: ReportRequest): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const stopListening = onEvent(worker, (event) => {
    if ('report' in event && event.report === request.report) resolve(event.data);
  });
  const timer = setTimeout(() => resolve(null), REPORT_MS_MAX);
  sendCommand(worker, request);
  return promise.finally(() => {
    clearTimeout(timer);
    stopListening();
  });
}
