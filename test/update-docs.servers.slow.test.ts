// The programs of docs/outputs.md that tell users of an update.
import assert from 'node:assert/strict';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { ensureServers, findServer } from '../cluster/debian.ts';
import {
  assertUpdateExample,
  UPDATE_EXAMPLES,
  type UpdateLanguage,
  updateExample,
} from '../proofs/clients/update-examples.ts';
import { sharedScope, temporaryFolder } from '../support/processes/scope.ts';
import { listenApp } from '../support/program/app.ts';
import { runOk } from '../support/program/command.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const SHOWN_LINES_MAX = 10;
const LANGUAGES = Object.keys(UPDATE_EXAMPLES) as UpdateLanguage[];
/** Go is large: only `npm run prove clients` installs it. */
const RUN = LANGUAGES.filter((language) => language !== 'go' || findServer('go') !== null);

describe('docs/outputs.md, "Tell your users there is an update"', { concurrency: true }, () => {
  const scope = sharedScope();
  let servers: Parameters<typeof assertUpdateExample>[2];
  before(async () => {
    await ensureServers(RUN.flatMap((language) => UPDATE_EXAMPLES[language].needs));
    const sandbox = { folder: temporaryFolder(scope) };
    await runOk(sandbox, ['apply', path.join(ROOT, 'demo/acme.yaml')]);
    const [demo, limited] = [
      await listenApp(scope, sandbox),
      await listenApp(scope, sandbox, { PUBLIC_RATE_LIMIT: '1', PUBLIC_RATE_WINDOW_SECONDS: '3600' }),
    ];
    servers = { demo: demo.address, limited: limited.address };
    await fetch(`${limited.address}/changelog/acme/rocket`);
  });

  it(`each example has at most ${SHOWN_LINES_MAX} lines`, () => {
    for (const language of LANGUAGES)
      assert.ok(updateExample(language).trimEnd().split('\n').length <= SHOWN_LINES_MAX, language);
  });

  for (const language of RUN)
    it(`the example in ${language} tells of an update, and of nothing else, whatever the server does`, async (t) => {
      await assertUpdateExample(t, language, servers);
    });
});
