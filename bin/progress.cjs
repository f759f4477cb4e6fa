// What setup prints while it works.
'use strict';

/** Prints one line; on a terminal, the line also counts the seconds. */
async function withProgress(what, work) {
  const line = `changelog: setting up: ${what}`;
  const onTerminal = process.stderr.isTTY;
  const start = onTerminal ? '\r\u001b[K' : '';
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const count = (text) => process.stderr.write(`${start}${clip(line, text)}${text}`);
  const end = (text) => process.stderr.write(`${start}${line}${text}\n`);
  if (onTerminal) count(' …');
  else end(' …');
  const timer = onTerminal && setInterval(() => count(` … ${seconds()} s`), 1000);
  try {
    await work();
    end(`: done in ${seconds()} s`);
  } catch (error) {
    if (onTerminal) end(`: stopped after ${seconds()} s`);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** Leaves room for the text: a line that wraps cannot be redrawn. */
function clip(line, text) {
  const columns = process.stderr.columns || 80;
  return line.slice(0, Math.max(0, columns - 1 - text.length));
}

module.exports = { withProgress };
