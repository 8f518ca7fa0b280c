/** The command reference, `docs/COMMANDS.md`, from the tables of the verbs; a test compares it with the file. */
import { exitCodes, type NamedVerbs, type Outcome } from '../../src/cli/verb.ts';

/** The meanings for scripts and unit files. */
const exitCodeMeanings: Readonly<Record<Outcome, string>> = {
  done: 'done, or stopped on request; everything that was checked is OK',
  failed: 'it failed, or what was checked does not hold; another try may succeed',
  usage: 'the call itself is wrong; nothing was done',
  config: 'the configuration is wrong; nothing was opened',
  damaged: 'a stored record is missing or not what was written; a restart cannot help',
  unread:
    'whoever read the output stopped reading: what comes after that was not told, nor perhaps checked',
};

export function commandReference(verbs: NamedVerbs): string {
  const list = verbs.map(([name, { summary }]) => `| [\`${name}\`](#${name}) | ${summary} |`);
  const codes = Object.entries(exitCodes).map(
    ([name, code]) => `| ${code} | ${name} | ${exitCodeMeanings[name as Outcome]} |`,
  );
  const chapters = verbs.map(
    ([name, verb]) => `## ${name}\n\n\`\`\`text\n${verb.help(name)}\n\`\`\``,
  );
  return `# Commands

Generated from the program's own tables: change those, then run \`npx vitest run test/docs -u\`.

There is one program, \`causeway\`, with a verb for each command. Every verb has \`--help\` and \`--json\`; with \`--json\` an error is a JSON object on standard
error with \`error\`, \`next\` (the next step) and \`code\`. \`causeway completion bash|zsh|fish\` completes verbs, options, values.

| Verb | Purpose |
|---|---|
${list.join('\n')}

| Exit code | Name | Meaning |
|---|---|---|
${codes.join('\n')}

${chapters.join('\n\n')}
`;
}
