/** docs/EVENTS.md is made from the table of events: `npx vitest run test/docs -u` writes it anew. */
import { expect, test } from 'vitest';
import { lineEvents } from '../../src/runtime/operator-line.ts';

test('the table of events is what the program writes', async () => {
  await expect(eventReference()).toMatchFileSnapshot('../../docs/EVENTS.md');
});

function eventReference(): string {
  const rows = Object.entries(lineEvents).map(
    ([event, [level, meaning]]) => `| \`${event}\` | ${level} | ${meaning} |`,
  );
  return `# Events of the log

\`causeway run\` writes one JSON line for each event to standard output. Every line has \`level\`, \`time\`, \`event\` and
\`msg\`, and where it applies \`session\`, \`account\` (the alias of the configuration), \`code\`, \`address\` and \`tls\`.
Alarms have \`"alarm": true\`: somebody should look. An event that comes as an alarm has the level \`error\`, whatever the
table says. Secrets are masked.

| Event | Level | Meaning |
|---|---|---|
${rows.join('\n')}
`;
}
