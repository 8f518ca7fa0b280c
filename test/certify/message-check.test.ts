/** What the desk holds against a counterparty, and what it does not. */
import { expect, test } from 'vitest';
import { certifyServer } from './certify-server.ts';
import { certifyPeer } from './controls.ts';

const stopped = { outcome: 'inconclusive', reason: 'the run was stopped' };

test.concurrent.each([
  ['a message', 'sends nothing on its own from now on'],
  ['the end of the connection', '1 TestRequest'],
])('a run that is stopped while the desk waits for %s fails nobody', async (_, label) => {
  const stopBehind = (rung: { label: string }) => rung.label.startsWith(label);
  const { scenarios } = await certifyPeer({ defects: [], ids: ['S-11'], stopBehind });
  expect(scenarios.find(({ id }) => id === 'S-11')).toMatchObject(stopped);
});

test.concurrent('a run that is stopped while the desk waits for the end of a second connection fails nobody', async () => {
  const record = await certifyServer({
    id: 'S-05',
    answers: ({ msgType }) => (msgType === 'A' ? ['A|98=0|108=5'] : []),
    stopBehind: ({ label }) => label === 'on a second connection',
  });
  expect(record).toMatchObject(stopped);
});
