import path from 'node:path';
import type { Command } from 'commander';
import { COMMAND } from '../../command-name.ts';
import { choiceArgument, withJson } from '../arguments.ts';
import { type Cli, printResult } from '../cli.ts';
import { shellWord } from '../terminal/shell-word.ts';

/** For the start-up file of a shell, which is read in any directory: a relative path would run what is found there. */
const PROGRAM = COMMAND.includes('/') ? shellWord(path.resolve(unquote(COMMAND))) : COMMAND;

/** Each script calls the program by the name typed. The shell never evaluates what it prints. */
const SCRIPTS = {
  bash: `# Completion of changelog for bash. In ~/.bashrc: source <(${PROGRAM} completion bash)
_changelog() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    COMPREPLY+=("$candidate")
  done < <("\${COMP_WORDS[0]/#\\~\\//$HOME/}" complete --bash "$COMP_WORDBREAKS" "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}
complete -o default -F _changelog changelog`,

  zsh: `#compdef changelog
# Completion of changelog for zsh. In ~/.zshrc, after compinit: source <(${PROGRAM} completion zsh)
_changelog() {
  local -a candidates
  candidates=("\${(@f)$("\${\${(Q)words[1]}/#\\~\\//$HOME/}" complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  candidates=("\${(@)candidates:#}")
  if (( $#candidates )); then
    compadd -a candidates
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _changelog ]]; then
  _changelog "$@"
else
  compdef _changelog changelog
fi`,

  fish: `# Completion of changelog for fish. In ~/.config/fish/config.fish: ${PROGRAM} completion fish | source
function __changelog_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l current (string unescape -- "$typed"; or string trim --left --chars='\\'"' -- "$typed")
    set -l program (string replace --regex '^~/' "$HOME/" -- $words[1])
    set -l candidates (command $program complete -- $words[2..] "$current" 2>/dev/null)
    if set -q candidates[1]
        printf '%s\\n' $candidates
    else
        __fish_complete_path "$current"
    end
end
complete -c changelog -f -a '(__changelog_complete)'`,
} as const;

function unquote(word: string): string {
  return word.startsWith("'") ? word.slice(1, -1).replaceAll("'\\''", "'") : word;
}

const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

export function addCompletion(program: Command, cli: Cli): void {
  withJson(program.command('completion'))
    .description('print a script that lets a shell complete commands, slugs and labels')
    .addArgument(choiceArgument('<shell>', 'the shell', SHELLS))
    .addHelpText(
      'after',
      `
In ~/.bashrc:                   source <(${PROGRAM} completion bash)
In ~/.zshrc, after compinit:    source <(${PROGRAM} completion zsh)
In ~/.config/fish/config.fish:  ${PROGRAM} completion fish | source`,
    )
    .action((shell: (typeof SHELLS)[number], options) => {
      printResult(cli, options, { shell, script: SCRIPTS[shell] }, () => SCRIPTS[shell]);
    });
}
