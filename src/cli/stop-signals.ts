/** Runs work that a signal asks to stop; the reason of the abort is the name of the signal. */
export async function withStopSignals<T>(
  names: readonly NodeJS.Signals[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals) => controller.abort(name);
  for (const name of names) process.on(name, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of names) process.off(name, stop);
  }
}
