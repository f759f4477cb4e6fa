// The full run: with the gate off and on, three generated clients that call every operation of the demo, and two that only
// have to compile; then the programs of the documents, and programs of others that read outputs.
import { ensureServers } from '../../cluster/debian.ts';
import { openScope } from '../../cluster/scope.ts';
import { callWithGeneratedClients, startDemo } from './clients.ts';
import { installGenerators, ORVAL_CLIENTS } from './generate.ts';
import { readWithGiteaClients } from './gitea.ts';
import { assertReaders, READERS_NEED } from './readers.ts';
import { assertUpdateExample, UPDATE_EXAMPLES, type UpdateLanguage } from './update-examples.ts';

/** A difference between two documents is long. */
const MESSAGE_CHARACTERS_MAX = 4_000;

await installGenerators();
const scope = openScope();
try {
  for (const gated of [false, true]) {
    for (const { client, gate, operations, calls } of await callWithGeneratedClients(scope, { gated }))
      console.log(
        `holds   ${client}, gate ${gate}: compiles; ${operations} operations, ${calls} calls as typed`,
      );
    console.log(`holds   orval (${ORVAL_CLIENTS.join(', ')}), gate ${gated ? 'on' : 'off'}: compiles`);
  }
  await ensureServers(Object.values(UPDATE_EXAMPLES).flatMap(({ needs }) => needs));
  const { baseUrl: demo } = await startDemo(scope);
  const { baseUrl: limited } = await startDemo(scope, { PUBLIC_RATE_LIMIT: '1' });
  await fetch(limited);
  for (const language of Object.keys(UPDATE_EXAMPLES) as UpdateLanguage[]) {
    await assertUpdateExample(scope, language, { demo, limited });
    console.log(`holds   update check in ${language}: tells of an update, and stays quiet otherwise`);
  }
  await ensureServers(READERS_NEED);
  for (const line of await assertReaders(scope)) console.log(`holds   ${line}`);
  for (const line of await readWithGiteaClients(scope)) console.log(`holds   ${line}`);
} catch (error) {
  console.log(`FAILED  ${String((error as Error).stack).slice(0, MESSAGE_CHARACTERS_MAX)}`);
  process.exitCode = 1;
} finally {
  await scope.close();
}
// Exit before the test runner prints a summary of zero tests.
process.exit();
