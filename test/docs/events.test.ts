/** docs/EVENTS.md is generated from the table of events: `npx vitest run test/docs -u` rewrites it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type LineEvent, lineEvents, runbookOf } from '../../src/runtime/operator-line.ts';
import { alarmedRefusals } from '../../src/signer/signer-alarm.ts';

const root = join(import.meta.dirname, '../..');
const events = Object.keys(lineEvents) as LineEvent[];
const isAlarm = (event: LineEvent) => ['alarm', 'fatal'].includes(lineEvents[event].level);

/** The sections of the runbook by their anchors, as GitHub makes them. */
const sections = new Map(
  readFileSync(join(root, 'docs/OPERATING.md'), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = ''] = section.split('\n');
      const anchor = title
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-');
      return [`docs/OPERATING.md#${anchor}`, section];
    }),
);

test('the table of events is what the program writes', async () => {
  await expect(eventReference()).toMatchFileSnapshot('../../docs/EVENTS.md');
});

test.each(events)('the section of the runbook that %s links to exists', (event) => {
  const link = runbookOf(event);
  if (link === undefined) expect(isAlarm(event)).toBe(false);
  else expect([...sections.keys()]).toContain(link);
});

test.each(events.filter(isAlarm))(
  'the section for the alarm %s says what to do about it',
  (event) => {
    expect(sections.get(runbookOf(event) ?? '')).toContain(`\`${event}\``);
  },
);

describe('sources', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(root, 'src', file), 'utf8'));

  test('every event of the table is raised somewhere', () => {
    const table = readFileSync(join(root, 'src/runtime/operator-line.ts'), 'utf8');
    const others = sources.filter((source) => source !== table);
    const unused = events.filter(
      (event) => !others.some((source) => source.includes(`'${event}'`)),
    );
    expect(unused).toEqual([]);
  });

  test('every code of a session alarm is in the runbook', () => {
    const codes = sources
      .filter((source) => /interface (SessionAlarm|FixpAlarm) \{/.test(source))
      .flatMap((source) => {
        const [, kinds = ''] =
          /interface (?:Session|Fixp)Alarm \{\s+readonly kind:([^;]+);/.exec(source) ?? [];
        return [...kinds.matchAll(/'(\w+)'/g)].map(([, kind]) => kind);
      });
    expect(new Set(codes).size).toBeGreaterThan(10);
    const text = [...sections.values()].join();
    expect(codes.filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
  });

  test('every code of an alarm of an account is in the runbook, and none besides', () => {
    const unions = sources.flatMap((source) => [
      ...source.matchAll(/type (?:Order|Outbox|Nonce)Alarm =([^;]+);/g),
    ]);
    const codes = [
      ...new Set(
        unions
          .flatMap(([, union = '']) => [...union.matchAll(/\| '(\w+)'/g)])
          .map(([, code]) => code),
      ),
    ];
    expect(unions).toHaveLength(3);
    expect(codes.length).toBeGreaterThan(10);
    expect(codesIn('account').toSorted()).toEqual(codes.toSorted());
  });

  test('every code of an alarm of the signer is in the runbook, and none besides', () => {
    const source = sources.find((each) => each.includes('type SignerAlarm =')) ?? '';
    const others = [...source.matchAll(/\| '(\w+)'/g)].map(([, code]) => code);
    const codes = [...alarmedRefusals, ...others];
    expect(others.length).toBeGreaterThan(8);
    for (const event of ['signer', 'signer_alarm'] as const) {
      expect(codesIn(event).toSorted()).toEqual(codes.toSorted());
    }
  });

  test('the other codes of the signer, and those of the venue, are in the runbook', () => {
    const [signer = '', venue = ''] = (['expiry', 'venue'] as const).map((event) =>
      sections.get(runbookOf(event) ?? ''),
    );
    const texts = [
      ...['within_week', 'within_day', 'within_hour', 'expired'].map((code) => [code, signer]),
      ...['integrity', 'markets_unreadable'].map((code) => [code, venue]),
    ] as const;
    for (const [code = '', text = ''] of texts) {
      expect(text).toContain(`\`${code}\``);
      expect(
        sources.some((source) => source.includes(`'${code}'`)),
        code,
      ).toBe(true);
    }
  });

  test('an event whose alarms have codes says so', () => {
    const coded = events.filter((event) => 'isCoded' in lineEvents[event]);
    expect(coded).toContain('signer_alarm');
    expect(coded.filter((event) => !lineEvents[event].meaning.includes('`code` '))).toEqual([]);
  });
});

/** The codes that the runbook's table for an event has. */
function codesIn(event: LineEvent): (string | undefined)[] {
  const section = sections.get(runbookOf(event) ?? '') ?? '';
  const form = new RegExp(`code\` of [^|]*\`${event}\`.*\\n.*\\n((?:\\|.*\\n)+)`);
  const [, table = ''] = form.exec(section) ?? [];
  return [...table.matchAll(/^\|([^|]+)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code),
  );
}

function eventReference(): string {
  const rows = events.map((event) => {
    const { level, meaning } = lineEvents[event];
    const link = runbookOf(event)?.replace('docs/', '');
    const [, anchor = ''] = link?.split('#') ?? [];
    const section = link === undefined ? '' : `[${anchor.replaceAll('-', ' ')}](${link})`;
    return `| \`${event}\` | ${level} | ${meaning} | ${section} |`;
  });
  return `# Events of the log

\`causeway run\` writes one JSON line for each event to standard output; with \`--pretty\` it writes text for people instead.

| Field | Meaning |
|---|---|
| \`time\`, \`level\`, \`event\`, \`msg\` | in every line; \`msg\` is for people and may change between versions |
| \`alarm\` | \`true\` if a person should look; the level is then \`error\` or \`fatal\` |
| \`runbook\` | the section of the runbook for this event |
| \`session\`, \`account\` | the session; the account by its alias in the configuration |
| \`orderId\` | the venue's id of an order, or the bridge's key while the venue has given no id |
| \`code\` | a code that programs can compare: of a refusal, a session alarm, or a state |
| \`reason\` | why a connection ended |
| \`address\`, \`tls\` | of the peer, and whether the connection uses TLS |
| \`err\` | the error behind the event, with its stack |

Secrets are masked.

| Event | Level | Meaning | What to do |
|---|---|---|---|
${rows.join('\n')}
`;
}
