/** `causeway run --pretty`: formats log lines for a person at a terminal; programs read the JSON lines. */

const shownApart = new Set(['level', 'time', 'event', 'msg', 'alarm', 'runbook', 'err', 'tls']);

/** Formats one JSON line as text. It has been redacted, and its control characters are escaped. */
export function prettyLine(json: string): string {
  const line: Record<string, unknown> = JSON.parse(json);
  const { level, time, event, msg, alarm, runbook, err } = line;
  const facts = Object.entries(line).flatMap(([name, value]) => {
    if (name === 'tls') return [value === true ? 'TLS' : 'no TLS'];
    const isTold = shownApart.has(name) || String(msg).includes(String(value));
    return isTold ? [] : [`${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`];
  });
  const clock = String(time).slice(11, 23);
  const rank = (alarm === true ? 'ALARM' : String(level)).padEnd(5);
  const what = facts.length > 0 ? `${msg} (${facts.join(', ')})` : String(msg);
  const more = [
    err !== undefined && `  ${JSON.stringify(err)}`,
    alarm === true && `  what to do: ${runbook}`,
  ].filter(Boolean);
  return [`${clock} ${rank} ${event}: ${what}`, ...more].join('\n');
}
