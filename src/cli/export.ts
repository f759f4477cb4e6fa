import type { Command } from 'commander';
import { FORMATS, type Format } from '../content/formats.ts';
import { Refusal } from '../errors.ts';
import { findContent } from '../store/content.ts';
import { noSuchTeam } from '../store/writes.ts';
import { choice } from './arguments.ts';
import { type Cli, withReader } from './cli.ts';

export function addExport(program: Command, cli: Cli): void {
  program
    .command('export')
    .description("print a team's content document; applied elsewhere, it gives the same answers")
    .argument('<team>', 'slug of the team')
    .addOption(choice('--format <format>', 'how to write it', FORMATS).default('yaml'))
    .option('--json', 'the same as --format json')
    .action(async (team: string, flags: { format: Format; json?: boolean }) => {
      const content = await withReader(cli, (db) => findContent(db, team));
      if (content === undefined) throw new Refusal(noSuchTeam(team));
      const { writeContent } = await import('../content/write.ts');
      cli.print(writeContent(content, flags.json ? 'json' : flags.format).trimEnd());
    });
}
