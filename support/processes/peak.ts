import { readFileSync } from 'node:fs';

/** In megabytes, the most memory that the process has had, as the system saw it shortly before its end. */
export async function watchPeak(pid: number | undefined, exited: Promise<unknown>): Promise<number> {
  let peak = 0;
  const look = setInterval(() => {
    try {
      peak = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? peak);
    } catch {
      // It has just ended.
    }
  }, 10);
  await exited;
  clearInterval(look);
  return Math.round(peak / 1000);
}
