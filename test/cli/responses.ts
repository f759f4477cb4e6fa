// All API responses about a team, to compare two databases.

import type { Scope } from '../../support/processes/scope.ts';
import { startApp } from '../../support/program/app.ts';
import { createKey, runOk, type Sandbox } from '../../support/program/command.ts';
import { exported } from './helpers.ts';

export type ApiResponse = { url: string; status: number; body: string; etag: string | undefined };

/** All four routes, for every product and version of the team and for some that do not exist. */
export async function listResponses(scope: Scope, sandbox: Sandbox, team = 'acme'): Promise<ApiResponse[]> {
  const { team: fields, products } = await exported(sandbox, team);
  const key = await makeKey(sandbox, team, fields.plan);
  const { app } = await startApp(scope, sandbox);
  const responses: ApiResponse[] = [];
  for (const { slug, changelog } of [...products, { slug: 'not-there', changelog: undefined }]) {
    const ids = [...(changelog?.versions ?? []).map(({ id }) => id), 'ver_not-there'];
    for (const route of ['', ...ids.map((id) => `/versions/${id}`)]) {
      for (const surface of ['public/', '']) {
        const url = `/api/v1/${surface}teams/${team}/products/${slug}/changelog${route}`;
        const headers = surface === '' ? { authorization: `Bearer ${key}` } : {};
        const response = await app.inject({ url, headers });
        const { etag } = response.headers;
        responses.push({ url, status: response.statusCode, body: response.body, etag: etag?.toString() });
      }
    }
  }
  return responses;
}

/** Creating a key needs the paid plan; using it does not (R6). */
async function makeKey(sandbox: Sandbox, team: string, plan = 'free'): Promise<string> {
  await runOk(sandbox, ['team', 'set', team, '--plan', 'paid']);
  const { key } = await createKey(sandbox, team, '--kind', 'FULL');
  await runOk(sandbox, ['team', 'set', team, '--plan', plan]);
  return key;
}
