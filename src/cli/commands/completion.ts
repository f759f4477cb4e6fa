import type { Command as Parser } from 'commander';
import { argument, parserOf } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { type Command, command } from '../command.ts';

/** The words that may follow a command: the commands and the options below it. */
function wordsBelow(parser: Parser): string[] {
  const help = parser.createHelp();
  const options = help.visibleOptions(parser).flatMap(({ long }) => long ?? []);
  const below = help.visibleCommands(parser).flatMap((child) => [child.name(), ...wordsBelow(child)]);
  return [...new Set([...below, ...options])];
}

type WordLists = readonly (readonly [command: string, words: string])[];
const namesOf = (lists: WordLists) => lists.map(([name]) => name).join(' ');

/** Where no word fits, the shell completes names of files. */
const SCRIPTS = {
  bash: (lists: WordLists) => `_changelog() {
  local words
  case $COMP_CWORD:\${COMP_WORDS[1]} in
    1:*) words='${namesOf(lists)}' ;;
${lists.map(([name, words]) => `    *:${name}) words='${words}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _changelog changelog`,

  zsh: (lists: WordLists): string => `autoload -Uz bashcompinit && bashcompinit\n${SCRIPTS.bash(lists)}`,

  fish: (lists: WordLists) => `complete -c changelog -n __fish_use_subcommand -f -a '${namesOf(lists)}'
${lists.map(([name, words]) => `complete -c changelog -n '__fish_seen_subcommand_from ${name}' -a '${words}'`).join('\n')}`,
};

const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

/** `load` returns the program with all of its commands. */
export function completionCommand(load: (cli: Cli) => Promise<Parser>): Command {
  return command({
    name: 'completion',
    about: 'print a script with which a shell completes commands',
    arguments: [argument('<shell>', 'the shell').choices(SHELLS).argParser(parserOf(SHELLS))],
    customise: (parser) =>
      parser.addHelpText(
        'after',
        `
In ~/.bashrc:                   source <(changelog completion bash)
In ~/.zshrc, after compinit:    source <(changelog completion zsh)
In ~/.config/fish/config.fish:  changelog completion fish | source`,
      ),
    run: async (cli, _, shell: (typeof SHELLS)[number]) => {
      const { commands } = await load(cli);
      const lists = commands.map((each) => [each.name(), wordsBelow(each).join(' ')] as const);
      return { shell, script: SCRIPTS[shell](lists) };
    },
    text: ({ script }) => script,
  });
}
