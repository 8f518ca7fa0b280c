/** The commands that a document shows: lines of code blocks, fenced or indented, and of code in a sentence. */

export interface ShownCommand {
  /** File and line, where a line that a backslash goes on is one with the next. */
  readonly where: string;
  readonly words: readonly string[];
}

const program = /^(?:npm run -s causeway -- |npx causeway |causeway )(.*)$/;

/** Every call of the program in Markdown, without what a shell does behind it. */
export function causewayCalls(file: string, text: string): ShownCommand[] {
  return codeLines(text).flatMap(({ code, line }) => {
    const calls = code.split(/\s+(?:\||&&|;)\s+|\$\(|<\(/).map((part) => part.trim());
    return calls.flatMap((call) => {
      const rest = program.exec(call)?.[1];
      return rest === undefined ? [] : { where: `${file}:${line}`, words: wordsOf(rest) };
    });
  });
}

/** Names of npm scripts that are called. */
export function npmScripts(text: string): string[] {
  const found = codeLines(text).flatMap(({ code }) => [
    ...code.matchAll(/\bnpm (?:run (?:-s )?(?<run>[a-z:]+)|(?<own>start|test)\b)/g),
  ]);
  return found.map(({ groups: { run, own } = {} }) => run ?? own ?? '');
}

function codeLines(text: string): { readonly code: string; readonly line: number }[] {
  let isFenced = false;
  const joined = text.replace(/ *\\\n */g, ' ');
  return joined.split('\n').flatMap((raw, index) => {
    const line = index + 1;
    if (raw.startsWith('```')) {
      isFenced = !isFenced;
      return [];
    }
    if (isFenced || raw.startsWith('    ')) return { code: raw.trim(), line };
    return [...raw.matchAll(/`([^`]+)`/g)].map(([, code = '']) => ({ code, line }));
  });
}

/** Up to a redirection, a comment or the words that explain it. */
function wordsOf(rest: string): string[] {
  const command = rest.split(/\s+(?:[0-9]?[<>]|#)|\s{2,}/)[0] ?? '';
  return command
    .replace(/[)]$/, '')
    .split(/\s+/)
    .filter((word) => word !== '');
}
