/** `causeway completion`: prints a script for bash, zsh or fish, generated from the tables that the parser reads. */
import { command } from './command.ts';
import { optionForm } from './options.ts';
import { exitCodes, type NamedVerbs, type Option } from './verb.ts';

const shells = { bash: bashScript, zsh: zshScript, fish: fishScript };

export const verb = command({
  summary: 'shell completion for bash, zsh and fish',
  forms: ['bash|zsh|fish'],
  actions: {
    bash: 'write it to /etc/bash_completion.d, or source it',
    zsh: 'write it as _causeway into a directory of fpath',
    fish: 'write it as causeway.fish into ~/.config/fish/completions',
  },
  maxOperands: 1,
  options: {},
  examples: [
    'source <(causeway completion bash)',
    'causeway completion fish > ~/.config/fish/completions/causeway.fish',
  ],
  async run({ json }, [shell], all) {
    const script = shells[shell as keyof typeof shells](await all());
    process.stdout.write(json ? `${JSON.stringify({ shell, script })}\n` : script);
    return exitCodes.done;
  },
});

/** `--config`, or `--no-makers` for an option that is on by default. */
function switchOf(name: string, option: Option<unknown>): string {
  return optionForm(name, option).split(' ')[0] ?? '';
}

const isFile = ({ place }: Option<unknown>) => place === 'FILE' || place === 'DIR';

/** If the script has no match, `-o default` completes file names, because the operands of verbs are files. */
export function bashScript(verbs: NamedVerbs): string {
  const names = verbs.map(([name]) => name).join(' ');
  const byVerb = verbs.map(([name, verb]) => {
    const options = [
      ...Object.entries(verb.options).map(([option, row]) => switchOf(option, row)),
      '--help',
    ];
    const actions = Object.keys(verb.actions).join(' ');
    return `    ${name}) options='${options.join(' ')}' actions='${actions}' files=${verb.takesOperands ? 'y' : ''} ;;`;
  });
  const byValue = verbs.flatMap(([name, verb]) =>
    Object.entries(verb.options)
      .filter(([, { kind }]) => kind === 'value')
      .map(
        ([option, row]) =>
          `    '${name} --${option}') value=y words='${row.words?.join(' ') ?? ''}' ;;`,
      ),
  );
  return `# Completion of causeway for bash:  causeway completion bash > /etc/bash_completion.d/causeway
_causeway() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} verb=\${COMP_WORDS[1]}
  local options='' actions='' files='' value='' words=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${names} help --help --version' -- "$cur"))
    return
  fi
  case "$verb" in
${byVerb.join('\n')}
    help) actions='${names}' ;;
  esac
  case "$verb $prev" in
${byValue.join('\n')}
  esac
  if [ -z "$value" ]; then
    case "$cur" in
      -*) words=$options ;;
      *)
        if [ "$COMP_CWORD" -eq 2 ] && [ -n "$actions" ]; then words=$actions
        elif [ -z "$files" ]; then words=$options
        fi ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _causeway causeway
`;
}

export function zshScript(verbs: NamedVerbs): string {
  const quoted = (text: string) => text.replace(/'/g, "'\\''").replace(/[[\]:]/g, '\\$&');
  const summaries = verbs.map(([name, { summary }]) => `    '${name}:${quoted(summary)}'`);
  const byVerb = verbs.map(([name, verb]) => {
    const rows = Object.entries(verb.options).map(([option, row]) => {
      const complete = isFile(row) ? '_files' : row.words ? `(${row.words.join(' ')})` : ' ';
      const value = row.kind === 'flag' ? '' : `:${quoted(row.place)}:${complete}`;
      return `'${switchOf(option, row)}[${quoted(row.help)}]${value}'`;
    });
    const actions = Object.keys(verb.actions).join(' ');
    const specs = [
      ...rows,
      "'--help[options and examples]'",
      ...(actions === '' ? [] : [`'1:action:(${actions})'`]),
      // zsh uses the first such definition and silently ignores a second one.
      ...(verb.takesOperands ? ["'*:file:_files'"] : []),
    ];
    return `    ${name}) _arguments \\\n${specs.map((spec) => `      ${spec}`).join(' \\\n')} ;;`;
  });
  return `#compdef causeway
# Completion of causeway for zsh:  causeway completion zsh > "\${fpath[1]}/_causeway"
_causeway() {
  local -a verbs
  verbs=(
${summaries.join('\n')}
    'help:options and examples of a verb'
  )
  if (( CURRENT == 2 )) || { (( CURRENT == 3 )) && [[ \${words[2]} == help ]] }; then
    _describe verb verbs
    return
  fi
  local verb=\${words[2]}
  shift words
  (( CURRENT-- ))
  case $verb in
${byVerb.join('\n')}
  esac
}
_causeway "$@"
`;
}

export function fishScript(verbs: NamedVerbs): string {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const lines = verbs.flatMap(([name, verb]) => {
    const within = `complete -c causeway -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c causeway -n __fish_use_subcommand -f -a ${name} -d ${quoted(verb.summary)}`,
      ...Object.entries(verb.actions).map(
        ([action, help]) => `${within} -a ${action} -d ${quoted(help)}`,
      ),
      ...Object.entries(verb.options).map(([option, row]) => {
        const words = row.words
          ? ` -f -a ${quoted(row.words.join(' '))}`
          : isFile(row)
            ? ' -F'
            : ' -f';
        const value = row.kind === 'flag' ? '' : ` -r${words}`;
        return `${within} -l ${switchOf(option, row).slice(2)}${value} -d ${quoted(row.help)}`;
      }),
    ];
  });
  return `# Completion of causeway for fish:  causeway completion fish > ~/.config/fish/completions/causeway.fish
${lines.join('\n')}
`;
}
