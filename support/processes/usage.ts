import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts the time of processes in hundredths of a second. */
const MS_PER_TICK = 10;

/** The processor time of a process and all below it, so far. */
export function cpuMs(pid: number): number {
  const parents = new Map(listProcesses().map((process) => [process.pid, process]));
  const isWithin = (candidate: number | undefined): boolean =>
    candidate === pid || (candidate !== undefined && isWithin(parents.get(candidate)?.parent));
  const ticks = [...parents.values()]
    .filter((process) => isWithin(process.pid))
    .map((process) => process.ticks);
  return ticks.reduce((sum, some) => sum + some, 0) * MS_PER_TICK;
}

export function memoryMb(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

function listProcesses(): { pid: number; parent: number; ticks: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The name of the program, in brackets, may hold anything.
        const [, rest = ''] = readFileSync(`/proc/${name}/stat`, 'latin1').split(/^.*\) /s);
        const fields = rest.split(' ');
        return [
          { pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) },
        ];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}
