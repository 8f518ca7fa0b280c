import { expect, test } from 'vitest';
import { Ladder } from '../../src/certify/ladder.ts';
import { heard } from './messages.ts';

test('passwords and signatures are in no evidence', () => {
  const ladder = new Ladder(() => {});
  const secret = 'hunter2';
  const logon = heard(`A|98=0|108=30|553=me|554=${secret}|925=${secret}|95=7|96=${secret}`);
  ladder.said('peer', logon);
  ladder.bytes('peer', 'bytes', logon.raw);
  for (const { raw = '' } of ladder.rungs) {
    const text = Buffer.from(raw, 'base64').toString();
    expect(text).not.toContain(secret);
    expect(text).toContain('554=***');
  }
});
