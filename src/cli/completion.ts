/** `causeway completion`: prints what a shell needs to complete verbs, options and their values. */
import { command } from './command.ts';
import { bashScript, fishScript, zshScript } from './completion-scripts.ts';
import { exitCodes } from './verb.ts';

const shells = { bash: bashScript, zsh: zshScript, fish: fishScript };

export const verb = command({
  name: 'completion',
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
