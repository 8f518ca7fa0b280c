import { expect, test } from 'vitest';
import { Certification } from '../../src/certify/certification.ts';
import { parseInterview, select } from '../../src/certify/interview.ts';
import { judgeTraffic } from '../../src/certify/live-traffic.ts';
import { startOwnClient } from '../../src/certify/own-client.ts';
import { startOwnFixpClient } from '../../src/certify/own-fixp-client.ts';
import { listen } from '../../src/certify/port.ts';
import { catalogue } from './controls.ts';

const host = '127.0.0.1';
const names = { senderCompId: 'PEER', targetCompId: 'CAUSEWAY' };
const credentials = { username: 'peer', password: 'in-passing' };

test.each([
  ['fix', ['S-01', 'S-10']],
  ['fixp', ['P-01', 'P-03']],
] as const)('what a client shows to its %s server is seen as it goes by', async (protocol, ids) => {
  const interview = parseInterview(
    JSON.stringify({
      counterparty: { name: 'a', software: 'b', version: '1' },
      direction: 'acceptor',
      protocol,
      session: { ...names, heartBtInt: 1 },
      address: { port: 0 },
      ...(protocol === 'fixp' && { credentials: { username: 'peer', passwordFile: 'none' } }),
      patience: { connectS: 10, answerS: 5 },
    }),
    'live',
  );
  const server = await listen(host, 0);
  const between = await listen(host, 0);
  const abort = new AbortController();
  const seen: string[] = [];
  const running = judgeTraffic({
    interview,
    selected: select(catalogue.scenarios, interview),
    port: between,
    to: { host, port: server.port },
    shown: ({ id }) => seen.push(id),
    signal: abort.signal,
  });
  const to = { host, port: between.port };
  const hand =
    protocol === 'fix'
      ? await startOwnClient({ ...names, ...to, heartBtIntS: 1 })
      : await startOwnFixpClient({ ...to, credentials, keepaliveS: 1 });
  const certification = new Certification({
    catalogue,
    interview,
    port: server,
    password: credentials.password,
    hand,
    isAttended: false,
    versions: { causeway: 'test', dictionaryHash: 'test' },
  });
  await certification.run(ids);
  await certification.close();
  abort.abort();
  const { sightings, faults, messages } = await running;
  between.close();
  expect(faults).toEqual([]);
  expect(messages).toBeGreaterThan(4);
  const shown = sightings.filter(({ lines }) => lines.length > 0).map(({ id }) => id);
  expect(shown).toContain(ids[0]);
  expect([...seen].sort()).toEqual([...shown].sort());
});
