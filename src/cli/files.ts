/**
 * `causeway files`: lists the files that ship with the program, which are inside a single executable or a container.
 */
import { shippedNames, shippedText } from '../runtime/shipped.ts';
import { command } from './command.ts';
import { concluded, exitCodes, UsageError } from './verb.ts';

const folders = ['config', 'deploy', 'dictionaries'] as const;

export const verb = command({
  summary: 'list and print the files that ship with the program: examples, dictionaries, units',
  forms: ['[NAME]'],
  maxOperands: 1,
  options: {},
  examples: ['causeway files', 'causeway files config/gateway.yaml > gateway.yaml'],
  async run({ json }, [name]) {
    const names = folders
      .flatMap((folder) => shippedNames(folder).map((file) => `${folder}/${file}`))
      .filter((file) => /\.[a-z]+$/.test(file) || file.endsWith('/Dockerfile'))
      .sort();
    if (name === undefined) return concluded(json, names, names.join('\n'));
    if (!names.includes(name)) {
      throw new UsageError(`no file ${name}; causeway files lists all of them`);
    }
    const text = shippedText(name);
    process.stdout.write(json ? `${JSON.stringify({ name, text })}\n` : text);
    return exitCodes.done;
  },
});
