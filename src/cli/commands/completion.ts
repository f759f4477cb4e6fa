import path from 'node:path';
import type { Command as Parser } from 'commander';
import { COMMAND } from '../../command-name.ts';
import { choiceArgument } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { type Command, command } from '../command.ts';
import { shellWord } from '../terminal/plain.ts';

/** An absolute path, because a shell reads its start-up file in any directory. */
const PROGRAM = COMMAND.includes('/') ? shellWord(path.resolve(unquote(COMMAND))) : COMMAND;

function unquote(word: string): string {
  return word.startsWith("'") ? word.slice(1, -1).replaceAll("'\\''", "'") : word;
}

/** The words that can follow the commands typed so far (`team set`), or an option with a choice of values. */
type WordList = readonly [after: string, words: readonly string[]];

function listWords(command: Parser, after = ''): WordList[] {
  const help = command.createHelp();
  const options = help.visibleOptions(command);
  const commands = help.visibleCommands(command);
  const words = [
    ...commands.map((child) => child.name()),
    ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    ...options.flatMap(({ long }) => long ?? []),
  ];
  const lists: WordList[] = [
    [after, words],
    ...options.map(({ long, argChoices = [] }) => [`${after} ${long}`, argChoices] as const),
    ...commands.flatMap((child) => listWords(child, `${after} ${child.name()}`)),
  ];
  return lists.filter(([, list]) => list.length > 0);
}

/** Where no word fits, the shell completes names of files. */
const SCRIPTS = {
  bash: (lists: readonly WordList[]) => `_changelog_words() {
  case $1 in
${lists.map(([after, words]) => `    '${after}') echo '${words.join(' ')}' ;;`).join('\n')}
  esac
}
_changelog() {
  local at= option= word words typed=\${COMP_WORDS[COMP_CWORD]} hidden=-*
  for word in "\${COMP_WORDS[@]:1:$COMP_CWORD-1}"; do
    option=
    if [[ $word == -* ]]; then option=" $word"
    elif [[ -n $(_changelog_words "$at $word") ]]; then at+=" $word"; fi
  done
  words=$(_changelog_words "$at$option")
  if [[ $typed == -* ]]; then hidden=; fi
  COMPREPLY=($(compgen -X "$hidden" -W "\${words:-$(_changelog_words "$at")}" -- "$typed"))
}
complete -o default -F _changelog changelog`,

  zsh: (lists: readonly WordList[]) => `autoload -Uz bashcompinit && bashcompinit\n${SCRIPTS.bash(lists)}`,

  fish: (lists: readonly WordList[]) => `function __changelog_words
    switch $argv[1]
${lists.map(([after, words]) => `        case '${after}'; printf '%s\\n' ${words.join(' ')}`).join('\n')}
    end
end
function __changelog
    set -l typed (commandline -ct)
    set -l at ''
    set -l option ''
    for word in (commandline -opc)[2..]
        set option ''
        if string match -q -- '-*' $word
            set option " $word"
        else if __changelog_words "$at $word" | string length -q
            set at "$at $word"
        end
    end
    set -l words (__changelog_words "$at$option")
    set -q words[1]; or set words (__changelog_words "$at")
    string match -q -- '-*' "$typed"; or set words (string match -v -- '-*' $words)
    if set -q words[1]
        printf '%s\\n' $words
    else
        __fish_complete_path "$typed"
    end
end
complete -c changelog -f -a '(__changelog)'`,
};

const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

/** `load` returns the program with all of its commands. */
export function completionCommand(load: (cli: Cli) => Promise<Parser>): Command {
  return command({
    name: 'completion',
    about: 'print a script with which a shell completes commands',
    arguments: [choiceArgument('<shell>', 'the shell', SHELLS)],
    customise: (parser) =>
      parser.addHelpText(
        'after',
        `
In ~/.bashrc:                   source <(${PROGRAM} completion bash)
In ~/.zshrc, after compinit:    source <(${PROGRAM} completion zsh)
In ~/.config/fish/config.fish:  ${PROGRAM} completion fish | source`,
      ),
    run: async (cli, _, shell: (typeof SHELLS)[number]) => ({
      shell,
      script: SCRIPTS[shell](listWords(await load(cli))),
    }),
    text: ({ script }) => script,
  });
}
