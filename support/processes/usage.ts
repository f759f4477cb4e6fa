// The processor time and memory of a process, as Linux counts them.
import { readdirSync, readFileSync } from 'node:fs';

const MS_PER_TICK = 10;
const POLL_EVERY_MS = 10;

type Times = Readonly<{ pid: number; parent: number; ms: number }>;

/** The processor time of a process and its descendants so far. */
export function cpuMs(pid: number): number {
  const processes = new Map(listProcesses().map((process) => [process.pid, process]));
  const isWithin = (candidate: number | undefined): boolean =>
    candidate === pid || (candidate !== undefined && isWithin(processes.get(candidate)?.parent));
  const within = [...processes.values()].filter((process) => isWithin(process.pid));
  return within.reduce((sum, { ms }) => sum + ms, 0);
}

/** The processor time that some work takes in this thread. */
export function threadCpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Without its children; 0 if it has exited. */
export function ownCpuMs(pid: number): number {
  return readTimes(String(pid))?.ms ?? 0;
}

export function memoryMb(pid: number): number {
  return readMegabytes(pid, 'VmRSS');
}

/** The peak memory so far. The kernel records the maximum, so that no peak between two calls is missed. */
export function peakMb(pid: number): number {
  return readMegabytes(pid, 'VmHWM');
}

/** The peak memory until shortly before the process exits. */
export async function watchPeak(pid: number | undefined, exited: Promise<unknown>): Promise<number> {
  let peak = 0;
  const poll = setInterval(() => {
    peak = Math.max(peak, pid === undefined ? 0 : peakIfRunning(pid));
  }, POLL_EVERY_MS);
  await exited;
  clearInterval(poll);
  return Math.round(peak);
}

/** 0 if the process has exited. */
export function peakIfRunning(pid: number): number {
  try {
    return peakMb(pid);
  } catch {
    return 0;
  }
}

function readMegabytes(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes = '0'] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
  return Number(kilobytes) / 1024;
}

function listProcesses(): Times[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readTimes(name) ?? []);
}

function readTimes(pid: string): Times | null {
  try {
    // The program's name, in parentheses, may contain any character.
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(/^.*\) /s);
    const fields = rest.split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { pid: Number(pid), parent: Number(fields[1]), ms: ticks * MS_PER_TICK };
  } catch {
    // The process has exited.
    return null;
  }
}
