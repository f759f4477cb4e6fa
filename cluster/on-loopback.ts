import { ensureServers, type ServerName } from './debian.ts';
import { onFreePort } from './port.ts';
import { removeFolder, type Scope } from './scope.ts';
import { makeServerFolder } from './user.ts';

type Stoppable = Readonly<{ stop: () => Promise<void> }>;

/** Starts a server on a free loopback port, with a folder of its own that is removed with the scope. */
export async function onLoopback<Server extends Stoppable>(
  scope: Scope,
  name: ServerName,
  start: (port: number, folder: string) => Promise<Server>,
): Promise<Server> {
  await ensureServers([name]);
  const folder = makeServerFolder();
  let server: Server | undefined;
  scope.after(async () => {
    await server?.stop();
    removeFolder(folder);
  });
  server = await onFreePort((port) => start(port, folder));
  return server;
}
