// Firefox over WebDriver BiDi, which it speaks by itself: commands and their results on one WebSocket.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { daemon } from '../../cluster/daemon.ts';
import { ensureServers, serverProgram } from '../../cluster/debian.ts';
import { onFreePort } from '../../cluster/port.ts';
import { removeFolder, type Scope } from '../../cluster/scope.ts';
import { makeServerFolder } from '../../cluster/user.ts';
import { type ColorScheme, clickActions, keyActions, type StartBrowser } from './window.ts';

export const startFirefox: StartBrowser = async (scope, colorScheme) => {
  await ensureServers(['firefox']);
  const send = await connect(scope, await launch(scope, colorScheme));
  const { capabilities } = await send<Session>('session.new', { capabilities: {} });
  // The tab that it starts with does not have focus: there, keys press no buttons.
  const { context } = await send<{ context: string }>('browsingContext.create', { type: 'tab' });
  const perform = async (actions: readonly object[]) => {
    await send('input.performActions', { context, actions });
  };
  return {
    version: capabilities.browserVersion,
    open: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    evaluate: async (expression) => {
      const { result, exceptionDetails } = await send<Evaluated>('script.evaluate', {
        // The protocol has values of its own for objects and arrays.
        expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
        target: { context },
        awaitPromise: true,
      });
      if (result === undefined) throw new Error(exceptionDetails?.text);
      return JSON.parse(result.value);
    },
    resize: async (width, height) => {
      await send('browsingContext.setViewport', { context, viewport: { width, height } });
    },
    press: (key) => perform(keyActions(key)),
    click: (x, y) => perform(clickActions(x, y)),
    screenshot: async () => {
      const { data } = await send<{ data: string }>('browsingContext.captureScreenshot', { context });
      return Buffer.from(data, 'base64');
    },
  };
};

type Session = { capabilities: { browserVersion: string } };
type Evaluated = { result?: { value: string }; exceptionDetails?: { text: string } };
type Send = <T>(method: string, params: object) => Promise<T>;

/** Returns the URL of its WebSocket. */
async function launch(scope: Scope, colorScheme: ColorScheme): Promise<string> {
  const folder = makeServerFolder();
  writeFileSync(path.join(folder, 'user.js'), preferences(colorScheme));
  const firefox = await onFreePort(async (port) => {
    const candidate = daemon({
      command: serverProgram('firefox'),
      args: ['--headless', '--profile', folder, '--remote-debugging-port', String(port)],
      folder,
      environment: { HOME: folder },
      ready: /WebDriver BiDi listening on/,
    });
    await candidate.start();
    return { ...candidate, url: `ws://127.0.0.1:${port}/session` };
  });
  scope.after(async () => {
    await firefox.stop('SIGTERM');
    removeFolder(folder);
  });
  return firefox.url;
}

function preferences(colorScheme: ColorScheme): string {
  const values = {
    'layout.css.prefers-color-scheme.content-override': colorScheme === 'dark' ? 0 : 1,
    'ui.prefersReducedMotion': 0,
    // Nothing listens there: it asks nobody else, for updates or lists. Loopback needs no proxy.
    'network.proxy.type': 1,
    'network.proxy.ssl': '127.0.0.1',
    'network.proxy.ssl_port': 1,
  };
  return Object.entries(values)
    .map(([name, value]) => `user_pref('${name}', ${JSON.stringify(value)});\n`)
    .join('');
}

async function connect(scope: Scope, url: string): Promise<Send> {
  const socket = new WebSocket(url);
  scope.after(() => socket.close());
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, message } = JSON.parse(data);
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (type === 'success') waiter?.resolve(result);
    else waiter?.reject(new Error(message));
  });
  await once(socket, 'open');
  let last = 0;
  return <T>(method: string, params: object) => {
    const waiter = Promise.withResolvers<T>();
    last += 1;
    waiting.set(last, waiter as PromiseWithResolvers<unknown>);
    socket.send(JSON.stringify({ id: last, method, params }));
    return waiter.promise;
  };
}
