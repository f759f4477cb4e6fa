// Writes a Keep a Changelog file of any size: versions of about 500 bytes, with their links defined at the end.
import { closeSync, openSync, writeSync } from 'node:fs';

const MINUTES_A_VERSION = 60;
const FIRST = Date.UTC(1990, 0, 1);

export const VERSIONS_A_MEGABYTE = 2_000;

function labelOf(number: number): string {
  return `${Math.floor(number / 1000)}.${Math.floor(number / 10) % 100}.${number % 10}`;
}

function versionText(number: number): string {
  const day = new Date(FIRST + number * MINUTES_A_VERSION * 60_000).toISOString().slice(0, 10);
  return `## [${labelOf(number)}] - ${day}

Release number ${number}: it starts sooner, and *lands* where it should. Nobody on board has to do
anything for it, and nobody below either.

### Added

- The first change of release ${number}, which says in a sentence what is other than before, wrapped as people do
  who like short lines ([#${number}](https://rocket.example/issues/${number})).

### Fixed

- **stage:** the second change of release ${number}:

  \`\`\`sh
  rocket --fix ${number}
  \`\`\`

`;
}

/** Returns its size in bytes. */
export function writeBulkChangelog(file: string, versions: number): number {
  const output = openSync(file, 'w');
  let bytes = 0;
  let pending: string[] = ['# Changelog\n\n'];
  const flush = () => {
    const chunk = Buffer.from(pending.join(''));
    for (let done = 0; done < chunk.length; ) done += writeSync(output, chunk, done);
    bytes += chunk.length;
    pending = [];
  };
  const add = (text: string) => {
    pending.push(text);
    if (pending.length >= 1_000) flush();
  };
  for (let number = versions; number > 0; number--) add(versionText(number));
  for (let number = versions; number > 1; number--)
    add(`[${labelOf(number)}]: https://rocket.example/compare/${labelOf(number - 1)}...${labelOf(number)}\n`);
  flush();
  closeSync(output);
  return bytes;
}
