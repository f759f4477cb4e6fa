import type { Command } from 'commander';
import { FORMATS, type Format } from '../content/formats.ts';
import type { VersionContent } from '../domain/content.ts';
import { Refusal } from '../errors.ts';
import { countVersions, type StoredContent, withContent } from '../store/content.ts';
import { noSuchTeam } from '../store/writes.ts';
import { choice } from './arguments.ts';
import { type Cli, withReader } from './cli.ts';
import { NO_PROGRESS, type Progress, startProgress, writeVersions } from './progress.ts';

export function addExport(program: Command, cli: Cli): void {
  program
    .command('export')
    .description("print a team's content document; applied elsewhere, it gives the same answers")
    .argument('<team>', 'slug of the team')
    .addOption(choice('--format <format>', 'how to write it', FORMATS).default('yaml'))
    .option('--json', 'the same as --format json')
    .action(async (team: string, flags: { format: Format; json?: boolean }) => {
      const { writeContent } = await import('../content/write.ts');
      await withReader(cli, async (db) => {
        const whole = await countVersions(db, team);
        // Between the lines of the document, a bar would be in the way.
        const progress = cli.terminal?.isPrintedTo
          ? NO_PROGRESS
          : startProgress(cli, { what: `exporting ${team}`, whole, write: writeVersions });
        await withContent(db, team, async (content) => {
          if (content === undefined) throw new Refusal(noSuchTeam(team));
          const watched = withProgress(content, progress);
          for await (const text of writeContent(watched, flags.json ? 'json' : flags.format))
            await cli.print(text);
        }).finally(progress.end);
      });
    });
}

function withProgress({ team, products }: StoredContent, progress: Progress): StoredContent {
  let versions = 0;
  async function* watch(batches: AsyncIterable<VersionContent[]>) {
    for await (const batch of batches) {
      yield batch;
      versions += batch.length;
      progress.done(versions);
    }
  }
  return {
    team,
    products: products.map(({ changelog, ...product }) => ({
      ...product,
      changelog: changelog && { ...changelog, batches: () => watch(changelog.batches()) },
    })),
  };
}
