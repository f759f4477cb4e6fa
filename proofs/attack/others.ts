// Another client, in a separate process because the attacking one is busy: `others.ts GROUP URL…`. Requests the URLs in
// turn until its standard input ends, then prints the result of each request. `{n}` in a URL is a number that no other
// request has, and `{id}` the same with ten digits: what is requested with it is not cached.
import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export type Polled = Readonly<{ status: number; ms: number; failure: string | null }>;

const POLL_EVERY_MS = 5;
/** Less than the rate limit; then the client continues from another address. */
const POLLS_PER_CLIENT = 50;

export function get(url: string, localAddress: string): Promise<Polled> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const done = (status: number, failure: string | null) =>
      resolve({ status, ms: performance.now() - startedAt, failure });
    const options = { localAddress, agent: false, headers: { 'accept-encoding': 'br' } } as const;
    const sent = http.get(url, options, (response) => {
      response.resume();
      response.on('end', () => done(response.statusCode ?? 0, response.complete ? null : 'cut off'));
      response.on('error', (error) => done(0, error.message));
    });
    sent.on('error', (error) => done(0, error.message));
  });
}

if (process.argv[1] === import.meta.filename) {
  const [, , group = '', ...urls] = process.argv;
  const urlFor = (number: number) =>
    (urls[number % urls.length] as string)
      .replace('{n}', String(number + 1))
      .replace('{id}', String(number + 1).padStart(10, '0'));
  const polled: Polled[] = [];
  let isOver = false;
  process.stdin.on('end', () => {
    isOver = true;
  });
  process.stdin.resume();
  for (let number = 0; !isOver; number++) {
    const client = Math.floor(number / POLLS_PER_CLIENT);
    polled.push(await get(urlFor(number), `127.${group}.${client >> 8}.${client & 255}`));
    // The first response was not cached.
    if (number === 0) {
      polled.length = 0;
      process.stdout.write('polling\n');
    }
    await delay(POLL_EVERY_MS);
  }
  process.stdout.write(`${JSON.stringify(polled)}\n`);
}
