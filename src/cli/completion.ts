/** `concord completion`: a script that lets a shell complete commands, subcommands and options. */

import { Argument, type Command } from 'commander'
import type { AddCommand } from './command.js'

export const addCompletion: AddCommand = program => {
  program
    .command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(['bash', 'zsh', 'fish']))
    .examples(
      'source <(concord completion bash)',
      'concord completion zsh > $fpath[1]/_concord',
      'concord completion fish > ~/.config/fish/completions/concord.fish',
    )
    .action((shell: 'bash' | 'zsh' | 'fish') => {
      process.stdout.write(scripts[shell](wordsOf(program)))
    })
}

/** What may follow each path of commands: subcommands, choices and options. */
type Words = Map<string, string[]>

export function wordsOf(program: Command): Words {
  const words: Words = new Map()
  const globals = optionsOf(program)
  const visit = (command: Command, path: string[]) => {
    const choices = command.registeredArguments.flatMap(argument => argument.argChoices ?? [])
    const own = path.length === 0 ? [] : optionsOf(command)
    words.set(path.join(' '), [...command.commands.map(sub => sub.name()), ...choices, ...own, ...globals, '--help'])
    for (const sub of command.commands) visit(sub, [...path, sub.name()])
  }
  visit(program, [])
  return words
}

function optionsOf(command: Command): string[] {
  return command.options.flatMap(option => (option.long ? [option.long] : []))
}

const scripts: Record<'bash' | 'zsh' | 'fish', (words: Words) => string> = {
  bash: words => `# bash completion of concord
_concord() {
  local cur=\${COMP_WORDS[COMP_CWORD]} path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) case "$path $word" in ${patterns(words)}) path="\${path:+$path }$word" ;; esac ;; esac
  done
  local words=""
  case "$path" in
${[...words].map(([path, list]) => `    "${path}") words="${list.join(' ')}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$cur"))
}
complete -F _concord concord
`,
  zsh: words => `#compdef concord
_concord() {
  local cur_path="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$word" in -*) ;; *) case "$cur_path $word" in ${patterns(words)}) cur_path="\${cur_path:+$cur_path }$word" ;; esac ;; esac
  done
  local -a list
  case "$cur_path" in
${[...words].map(([path, list]) => `    "${path}") list=(${list.join(' ')}) ;;`).join('\n')}
  esac
  compadd -a list
  _files
}
compdef _concord concord
`,
  fish: words => `# fish completion of concord
function __concord_at
  set -l path
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and continue
    contains -- (string join ' ' $path $word) ${[...words.keys()]
      .filter(Boolean)
      .map(path => `'${path}'`)
      .join(' ')}; and set path $path $word
  end
  set -l joined (string join ' ' $path)
  # Quoted, because nothing at all is no argument.
  test "$joined" = "$argv[1]"
end
${[...words].map(([path, list]) => `complete -c concord -n '__concord_at "${path}"' -a '${list.join(' ')}'`).join('\n')}
`,
}

/** Of the shape `" serve"|" scopes"|"scopes list"`: a word joins the path when the path so far knows it. */
function patterns(words: Words): string {
  return [...words.keys()]
    .filter(path => path !== '')
    .map(path => (path.includes(' ') ? `"${path}"` : `" ${path}"`))
    .join('|')
}
