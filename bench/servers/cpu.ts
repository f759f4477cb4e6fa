import { readdirSync, readFileSync } from 'node:fs';

const NANOSECONDS = 1_000_000_000;

/**
 * The processor time of a process and its descendants, in nanosecond resolution. Unlike wall-clock time, it hardly
 * depends on other load of the machine. Threads that have exited do not count.
 */
export function cpuSeconds(pid: number): number {
  let seconds = 0;
  for (const task of listTasks(pid)) {
    const of = (name: string) => readOrNothing(`/proc/${pid}/task/${task}/${name}`);
    seconds += Number(of('schedstat').split(' ')[0]) / NANOSECONDS;
    for (const child of of('children').split(' ').filter(Boolean)) seconds += cpuSeconds(Number(child));
  }
  return seconds;
}

function listTasks(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** A thread or process may have exited meanwhile. */
function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
