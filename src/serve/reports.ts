// The primary's operations listener asks workers for their state (R36).
import type { Worker } from 'node:cluster';
import type { Registry } from 'prom-client';
import { onCommand, onEvent, sendCommand, sendEvent, type WorkerReport } from './messages.ts';
import type { Operations } from './operations.ts';

/** A slower worker is left out. */
const REPORT_MS_MAX = 1_000;

/** The registry is null without an operations listener. */
export type ProcessStatus = Readonly<{ isReady: () => Promise<boolean>; registry: Registry | null }>;

/** Runs in a worker. */
export function answerReportRequests({ isReady, registry }: ProcessStatus): void {
  onCommand(async (command) => {
    if (typeof command === 'string') return;
    const data = { isReady: await isReady(), metrics: (await registry?.getMetricsAsJSON()) ?? [] };
    await sendEvent({ report: command.report, data });
  });
}

/** Runs in the primary process: ready if any worker is, with metrics aggregated over the workers. */
export function operationsFor(listWorkers: () => readonly Worker[]): Operations {
  return {
    isReady: async () => (await collectReports(listWorkers())).some((report) => report.isReady),
    registry: async () => {
      const { default: prometheus } = await import('prom-client');
      const reports = await collectReports(listWorkers());
      return prometheus.AggregatorRegistry.aggregate(reports.map(({ metrics }) => metrics));
    },
  };
}

let requests = 0;

async function collectReports(workers: readonly Worker[]): Promise<WorkerReport[]> {
  const number = ++requests;
  const reports = await Promise.all(workers.map((worker) => requestReport(worker, number)));
  return reports.filter((report) => report !== null);
}

function requestReport(worker: Worker, number: number): Promise<WorkerReport | null> {
  const { promise, resolve } = Promise.withResolvers<WorkerReport | null>();
  const stopListening = onEvent(worker, (event) => {
    if ('report' in event && event.report === number) resolve(event.data);
  });
  const timer = setTimeout(() => resolve(null), REPORT_MS_MAX);
  sendCommand(worker, { report: number });
  return promise.finally(() => {
    clearTimeout(timer);
    stopListening();
  });
}
