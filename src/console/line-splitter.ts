const longestLine = 256 * 1024;

/** Splits text into lines. An overlong line is truncated, so that it cannot exhaust the memory. */
export function lineSplitter(onLine: (line: string) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = (lines.pop() ?? '').slice(0, longestLine);
    for (const line of lines) onLine(line);
  };
}
