/** Runs one at a time, never within the call that starts it. If it is started while it runs, it runs once more. */
export function createJob(task: () => Promise<void>) {
  let last = Promise.resolve();
  let isQueued = false;
  let isOver = false;
  return {
    start: () => {
      if (isQueued) return;
      isQueued = true;
      last = last.then(async () => {
        isQueued = false;
        if (!isOver) await task();
      });
    },
    ended: async () => {
      isOver = true;
      await last;
    },
  };
}
