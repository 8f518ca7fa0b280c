/**
 * Negative controls: a client that is broken in one way fails the scenarios that this breaks, and no others. All of
 * them are played by test/long/certify-controls.long.ts; here, the ones that need no waiting.
 */
import { expect, test } from 'vitest';
import { freePort } from '../../src/runtime/free-port.ts';
import { BrokenPeer, type Defect, defects } from './broken-peer.ts';
import { bridgeBreaks, certifyPeer, engineBreaks, notPassed } from './controls.ts';

const quick = [
  ...['S-01', 'S-02', 'S-04', 'S-05', 'S-06', 'S-10', 'S-12', 'S-13', 'S-17', 'S-20'],
  ...['S-23', 'S-31', 'S-32', 'S-36', 'S-37', 'S-43', 'Q-06'],
];
const shown = [
  ...['cutsTestReqId', 'ignoresGaps', 'takesLowNumbers', 'ignoresMissingOrigTime', 'fillsInPieces'],
  ...['ignoresCheckSum', 'ignoresUndefinedTags', 'ignoresCompIds', 'needsNoLogon'],
  ...['otherHeartBtInt', 'asksForLostAgain', 'leavesAtBursts', 'rejectsRestated'],
] as Defect[];

test.concurrent('a client without a defect passes', async () => {
  expect(notPassed(await certifyPeer({ defects: [], ids: quick }))).toEqual([]);
});

test.concurrent('strangers that connect to the desk all the time change no verdict', async ({
  expect,
}) => {
  const ids = ['S-01', 'S-04', 'S-10', 'S-31'];
  const run = await certifyPeer({ defects: ['ignoresCompIds'], ids, hasStrangers: true });
  const played = run.scenarios.filter(({ attempts }) => attempts.length > 0);
  expect(played.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['S-01', 'passed'],
    ['S-04', 'failed'],
    ['S-10', 'passed'],
    ['S-31', 'passed'],
  ]);
});

test.concurrent.each(['S-01', 'S-02', 'S-06', 'S-10'])(
  'a client whose session is older than the desk passes the first scenario that is played, such as %s',
  async (id) => {
    const port = await freePort({ host: '127.0.0.1', port: 0 });
    const hand = new BrokenPeer({ port, heartBtIntS: 2, defects: [] });
    for (const ids of [['S-12', 'S-20'], [id]]) {
      const run = await certifyPeer({ defects: [], ids, peer: { hand, port } });
      expect(
        run.scenarios.filter(({ attempts }) => attempts.length > 0).map(({ reason }) => reason),
      ).toEqual(ids.map(() => ''));
    }
    await hand.stop();
  },
);

test.concurrent('a client that trades as soon as it is logged on passes, if its interview says so', async ({
  expect,
}) => {
  const declared = { tradesAtLogon: true, features: ['ownTraffic'] as const };
  expect(notPassed(await certifyPeer({ defects: [], ids: quick, ...declared }))).toEqual([]);
  const { scenarios } = await certifyPeer({ defects: [], ids: ['S-10'], tradesAtLogon: true });
  expect(scenarios.find(({ id }) => id === 'S-10')?.reason).toMatch(
    /got D NewOrderSingle \(a client that sends this by itself declares ownTraffic/,
  );
});

test.concurrent.each(shown)(
  'a client with the defect %s fails just what it breaks',
  async (defect) => {
    const failed = notPassed(await certifyPeer({ defects: [defect], ids: quick }));
    expect(failed).toEqual(engineBreaks[defect]?.filter((id) => quick.includes(id)));
  },
);

test('every defect has its scenarios, and there are more than twenty', () => {
  const known = { ...engineBreaks, ...bridgeBreaks };
  expect(Object.keys(known).sort()).toEqual(Object.keys(defects).sort());
  expect(Object.keys(defects).length).toBeGreaterThan(20);
});
