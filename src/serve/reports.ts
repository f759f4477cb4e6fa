// What workers tell of themselves when the operations listener of the primary process is asked (R36).
import type { Worker } from 'node:cluster';
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import { onCommand, onEvent, sendCommand, sendEvent } from './messages.ts';
import type { Operations } from './operations.ts';

/** A worker that takes longer is left out. */
const REPORT_MS_MAX = 1_000;

export type WorkerReport = Readonly<{
  isReady: boolean;
  metrics: MetricObjectWithValues<MetricValue<string>>[];
}>;

/** How a serving process stands; the registry is null while nobody can ask for metrics. */
export type ProcessStatus = Readonly<{ isReady: () => Promise<boolean>; registry: Registry | null }>;

/** In a worker: answers the primary process. */
export function answerReportRequests({ isReady, registry }: ProcessStatus): void {
  onCommand(async (order) => {
    if (typeof order === 'string') return;
    const told = { isReady: await isReady(), metrics: (await registry?.getMetricsAsJSON()) ?? [] };
    await sendEvent({ report: order.report, told });
  });
}

let asked = 0;

/** In the primary process: what those workers say that answer in time. */
export async function collectReports(workers: readonly Worker[]): Promise<WorkerReport[]> {
  const number = ++asked;
  const reports = await Promise.all(workers.map((worker) => requestReport(worker, number)));
  return reports.filter((report) => report !== null);
}

function requestReport(worker: Worker, number: number): Promise<WorkerReport | null> {
  const { promise, resolve } = Promise.withResolvers<WorkerReport | null>();
  const forget = onEvent(worker, (notice) => {
    if ('report' in notice && notice.report === number) resolve(notice.told);
  });
  const overdue = setTimeout(() => resolve(null), REPORT_MS_MAX);
  sendCommand(worker, { report: number });
  return promise.finally(() => {
    clearTimeout(overdue);
    forget();
  });
}

/** The service is ready if one of its workers is; metrics add up, or the worst of them counts. */
export function operationsFor(listWorkers: () => readonly Worker[]): Operations {
  return {
    isReady: async () => (await collectReports(listWorkers())).some((report) => report.isReady),
    metrics: async () => {
      const { AggregatorRegistry } = await import('prom-client');
      const reports = await collectReports(listWorkers());
      const registry = AggregatorRegistry.aggregate(reports.map(({ metrics }) => metrics));
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
