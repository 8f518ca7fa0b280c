/** Which node gets a shard that this one gives up, and what is said if none is ready to serve it. */
import { expect, test } from 'vitest';
import { Handover } from '../../src/cluster/handover.ts';
import type { NodeView } from '../../src/cluster/owners.ts';
import { ManualClock } from '../../src/runtime/clock.ts';

const addresses = { relay: '', fix: '', fixp: '' };
const node = (name: string): NodeView => ({
  ...{ node: name, version: '1', isDraining: false, serving: [], ageMs: 0, ...addresses },
});

/** Shard a of this node, which n2, n3 and n4 would take in this order. */
function handover(problems: Readonly<Record<string, string | undefined>>, signerAwayMs = 0) {
  const clock = new ManualClock();
  /** Nodes that were asked to read the shard, in order. */
  const asked: string[] = [];
  const notices: string[] = [];
  const stopped: string[] = [];
  const made = new Handover({
    clock,
    notice: (text) => void notices.push(text),
    keepers: new Map([
      [
        'a',
        {
          ownWorker: { state: 'owner', epoch: 1, signerAwayMs },
          stop: async () => void stopped.push('a'),
        },
      ],
      [
        'unwilling',
        {
          ownWorker: undefined,
          stop: async () => {
            throw new Error('cannot stop');
          },
        },
      ],
    ]),
    heirs: () => ['n2', 'n3', 'n4'].map(node),
    async readElsewhere(_, { node: name }) {
      asked.push(name);
      return problems[name];
    },
  });
  return { asked, clock, made, notices, stopped };
}

const offer = { shard: 'a', to: ['n2', 'n3'], why: 'fewer_shards' } as const;

test('the first node that is ready gets the shard; the text says which one', async () => {
  const { asked, made, notices, stopped } = handover({ n2: 'its signer is away' });
  await made.offer(offer);
  expect([asked, stopped]).toEqual([['n2', 'n3'], ['a']]);
  expect(notices).toEqual(['shard a moves to node n3, which has fewer shards']);
});

test('if no node is ready, the shard stays, with the reason of each node, and they are asked again after a minute', async () => {
  const [away, silent] = ['its signer is away', 'it has not answered'];
  const problems = { n2: away as string | undefined, n3: silent };
  const { asked, clock, made, notices, stopped } = handover(problems);
  await made.offer(offer);
  const text =
    'shard a stays here: node n2 is not ready to serve it: its signer is away; node n3 is not ready to serve it: it has not answered';
  expect(notices).toEqual([text]);
  clock.advance(59_999);
  await made.offer(offer);
  expect([asked, stopped]).toEqual([['n2', 'n3'], []]);
  clock.advance(1);
  problems.n2 = undefined;
  await made.offer(offer);
  expect([asked, stopped]).toEqual([['n2', 'n3', 'n2'], ['a']]);
});

test('a drain lets any node read the shard, and learns of none that is ready if there is none', async () => {
  const problems = { n2: 'its signer is away', n3: 'it has not answered' };
  expect(await handover(problems).made.prepare('a')).toMatchObject({ next: 'n4' });
  const all = handover({ ...problems, n4: 'its signer is away' });
  expect(await all.made.prepare('a')).toMatchObject({ next: undefined });
  expect(all.asked).toEqual(['n2', 'n3', 'n4']);
});

test('a shard whose signer is away moves, unless the signer is back before another node is ready', async () => {
  const lost = { ...offer, why: 'signer_away' } as const;
  const away = handover({}, 5_000);
  await away.made.offer(lost);
  const text = 'shard a moves to node n2, because its signer does not answer here';
  expect([away.notices, away.stopped]).toEqual([[text], ['a']]);
  const back = handover({});
  await back.made.offer(lost);
  expect([back.asked, back.notices, back.stopped]).toEqual([['n2'], [], []]);
});

test('nodes that were not ready for one reason are asked at once for the other', async () => {
  const { asked, made } = handover({ n2: 'it has not answered', n3: 'it has not answered' }, 5_000);
  await made.offer(offer);
  await made.offer({ ...offer, why: 'signer_away' });
  expect(asked).toEqual(['n2', 'n3', 'n2', 'n3']);
});

test('a move that fails does not block the next one', async () => {
  const { made, stopped } = handover({});
  await expect(made.offer({ ...offer, shard: 'unwilling' })).rejects.toThrow('cannot stop');
  await made.offer(offer);
  expect(stopped).toEqual(['a']);
});
