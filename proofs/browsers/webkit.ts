// WebKit over WebDriver: its driver starts a browser in a window that Xvfb keeps in memory, and takes commands over HTTP.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { daemon } from '../../cluster/daemon.ts';
import { ensureServers, serverProgram } from '../../cluster/debian.ts';
import { freePorts } from '../../cluster/port.ts';
import { removeFolder, type Scope } from '../../cluster/scope.ts';
import { makeServerFolder } from '../../cluster/user.ts';
import { until } from '../../support/processes/poll.ts';
import { clickActions, keyActions, type StartBrowser, WAIT } from './window.ts';

/** Lets the window become as narrow as a phone: buttons above the page keep it wider. */
const STYLE = '* { font-size: 1px; padding: 0; margin: 0; border: 0; min-width: 0; min-height: 0; }';
const SCREEN = '1600x1600x24';

export const startWebkit: StartBrowser = async (scope, colorScheme) => {
  await ensureServers(['webkit', 'xvfb']);
  const driver = await launch(scope);
  const args = ['--automation', ...(colorScheme === 'dark' ? ['--dark-mode'] : [])];
  const { sessionId, capabilities } = await send<Session>('POST', `${driver}/session`, {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { args } } },
  });
  const session = `${driver}/session/${sessionId}`;
  const post = <T>(command: string, body: object) => send<T>('POST', `${session}/${command}`, body);
  scope.after(() => send<void>('DELETE', session));
  const evaluate = async <T>(expression: string) => {
    const script = `const [done] = arguments;
      (async () => (${expression}))().then((value) => done({ value }), (error) => done({ error: String(error) }))`;
    const { value, error } = await post<{ value: T; error?: string }>('execute/async', { script, args: [] });
    if (error !== undefined) throw new Error(error);
    return value;
  };
  const perform = (actions: readonly object[]) => post<void>('actions', { actions });
  return {
    version: capabilities.browserVersion,
    open: (url) => post('url', { url }),
    evaluate,
    resize: async (width, height) => {
      const above = await evaluate<number>('outerHeight - innerHeight');
      await post('window/rect', { x: 0, y: 0, width, height: height + above });
      const isDone = () => evaluate<boolean>(`innerWidth === ${width} && innerHeight === ${height}`);
      await until(`the window is ${width} by ${height}`, isDone, WAIT);
    },
    press: (key) => perform(keyActions(key)),
    click: (x, y) => perform(clickActions(x, y)),
    screenshot: async () => Buffer.from(await send<string>('GET', `${session}/screenshot`), 'base64'),
  };
};

type Session = { sessionId: string; capabilities: { browserVersion: string } };

/** Returns the URL of the driver. */
async function launch(scope: Scope): Promise<string> {
  const folder = makeServerFolder();
  scope.after(() => removeFolder(folder));
  mkdirSync(path.join(folder, '.config/gtk-3.0'), { recursive: true });
  writeFileSync(path.join(folder, '.config/gtk-3.0/gtk.css'), STYLE);
  const start = (program: Omit<Parameters<typeof daemon>[0], 'folder'>) => {
    const started = daemon({ ...program, folder });
    scope.after(() => started.stop('SIGTERM'));
    return started.start();
  };
  const [display, port] = await freePorts(2);
  await start({
    command: serverProgram('xvfb'),
    // It prints the number of its display when it is ready.
    args: [`:${display}`, '-displayfd', '1', '-nolisten', 'tcp', '-screen', '0', SCREEN],
    ready: new RegExp(`^${display}$`, 'm'),
  });
  const url = `http://127.0.0.1:${port}`;
  await start({
    command: serverProgram('webkit'),
    args: [`--port=${port}`],
    environment: { HOME: folder, XDG_RUNTIME_DIR: folder, DISPLAY: `:${display}` },
    ready: () => until('the driver responds', () => fetch(`${url}/status`).then(Boolean, () => false), WAIT),
  });
  return url;
}

async function send<T>(method: string, url: string, body?: object): Promise<T> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as { value: T & { message: string } };
  if (!response.ok) throw new Error(`${method} ${url}: ${value.message}`);
  return value;
}
