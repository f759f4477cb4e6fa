// The hooks file (R65). Whether a receiver is up is the business of `hook test`.
import path from 'node:path';
import { COMMAND } from '../../command-name.ts';
import type { Config, Environment } from '../../config.ts';
import { isLoopback } from '../../domain/access/loopback.ts';
import { type Hook, isPurgeHook } from '../../domain/hook.ts';
import { isReadableByOthers } from '../../dot-env.ts';
import { linesFor } from '../cli.ts';
import { count } from '../terminal/plain.ts';
import { type Finding, fail, note, pass, when } from './finding.ts';

export async function checkHooks(
  { hooksFile: file, scheduler, cdnMaxAgeSeconds }: Config,
  environment: Environment,
  folder: string,
): Promise<Finding[]> {
  const mayBeStale = (hooks: readonly Hook[]) =>
    cdnMaxAgeSeconds !== null &&
    !hooks.some(isPurgeHook) &&
    `CDN_MAX_AGE_SECONDS is set, but no hook purges: a CDN may serve old responses for ${cdnMaxAgeSeconds} seconds. Add a purge hook.`;
  if (file === null) return notes(mayBeStale([]));
  const { readHooksFile } = await import('../../hooks/file.ts');
  try {
    const { hooks, hasSecret } = readHooksFile(file, { environment, folder });
    const isReadable = hasSecret && isReadableByOthers(path.resolve(folder, file));
    const advice = `Run chmod 600 on it, or write \${NAME} in their place.`;
    const plain = hooks.filter(isSentInPlain).map(({ name }) => name);
    const purging = hooks.filter(isPurgeHook).map(({ name }) => name);
    return [
      pass('hooks', `${file}: ${countKinds(hooks)}.`),
      ...when([
        isReadable,
        fail('permissions', `Other users of this machine may read the secrets in ${file}. ${advice}`),
      ]),
      ...notes(
        !scheduler &&
          hooks.length > 0 &&
          `SCHEDULER is off, so a server with these settings runs no hooks. Run another with SCHEDULER=on, or \`${COMMAND} publish-due\`.`,
        plain.length > 0 &&
          `Others can read what is sent to ${plain.join(', ')} on its way. Use an https: URL.`,
        purging.length > 0 &&
          cdnMaxAgeSeconds === null &&
          `CDN_MAX_AGE_SECONDS is unset, so responses have no tags to purge, and ${purging.join(', ')} may have no effect. Set it.`,
        mayBeStale(hooks),
      ),
    ];
  } catch (error) {
    return linesFor(error).map((line) => fail('hooks', line));
  }
}

const notes = (...texts: readonly (string | false)[]) =>
  texts.filter((text) => text !== false).map((text) => note('hooks', text));

function countKinds(hooks: readonly Hook[]): string {
  if (hooks.length === 0) return 'no hooks';
  const kinds = [...Map.groupBy(hooks, ({ kind }) => kind)].map(([kind, { length }]) => `${length} ${kind}`);
  return `${count(hooks.length, 'hook')} (${kinds.join(', ')})`;
}

function isSentInPlain(hook: Hook): boolean {
  const { protocol, hostname } = 'url' in hook ? new URL(hook.url) : { protocol: null, hostname: '' };
  return protocol === 'http:' && !isLoopback(hostname);
}
