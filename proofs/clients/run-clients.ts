// The full run: with the gate off and on, three generated clients that call every operation of the demo, and two that only
// have to compile.
import { openScope } from '../../cluster/scope.ts';
import { callWithGeneratedClients } from './clients.ts';
import { installGenerators, ORVAL_CLIENTS } from './generate.ts';

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
} catch (error) {
  console.log(`FAILED  ${String((error as Error).stack).slice(0, MESSAGE_CHARACTERS_MAX)}`);
  process.exitCode = 1;
} finally {
  await scope.close();
}
// Exit before the test runner prints a summary of zero tests.
process.exit();
