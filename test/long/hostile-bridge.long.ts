/**
 * A million frames from a hostile bridge (test/signer/hostile-bridge.ts), each through the splitter and the answering code of the
 * server; a day of the signer's clock passes every 20,000 frames, so that placements stay possible.
 */
import { fastestBlake3 } from '../../src/signer/blake3.ts';
import { openEcdsa } from '../../src/signer/ecdsa.ts';
import type { SignerAlarm } from '../../src/signer/signer-alarm.ts';
import { FrameError, FrameSplitter } from '../../src/signer/signer-frame.ts';
import { answerFrame } from '../../src/signer/signer-server.ts';
import { belowOf, HostileBridge, hostileCore, Judge, type Wire } from '../signer/hostile-bridge.ts';
import { account } from '../signer/signer-samples.ts';
import type { LongRun } from './main.ts';

const dayMs = 86_400_000;
const framesPerDay = 20_000;

export async function run({ seed, short }: LongRun): Promise<string> {
  const frames = short ? 40_000 : 1_000_000;
  const ecdsa = await openEcdsa();
  const { blake3 } = await fastestBlake3();
  const { alarms, clock, core, watch } = hostileCore(ecdsa, blake3);
  const judge = new Judge(ecdsa, blake3, core.keys.get(account) ?? account);
  let splitter = new FrameSplitter();
  let ended = 0;
  const wire: Wire = {
    async send(bytes) {
      const bodies: Uint8Array[] = [];
      const answers: Uint8Array[] = [];
      try {
        splitter.push(bytes, (body) => bodies.push(body));
        for (const body of bodies) {
          const answer = await answerFrame(core, body, watch);
          if (answer !== undefined) answers.push(answer.subarray(4));
        }
        // A part of a frame would swallow the next one.
        if (bodies.length === 0) splitter = new FrameSplitter();
        return answers;
      } catch (error) {
        if (!(error instanceof FrameError)) throw error;
        splitter = new FrameSplitter();
        ended += 1;
        watch.ended(error.message);
        return 'closed';
      }
    },
  };
  const bridge = new HostileBridge(wire, judge, belowOf(seed));
  while (bridge.frames < frames) {
    await bridge.attack(Math.min(framesPerDay, frames - bridge.frames));
    clock.advance(dayMs);
    judge.newDay();
  }
  const [first] = judge.faults;
  if (first !== undefined) throw new Error(`${judge.faults.length} faults, the first: ${first}`);
  const counts = Object.entries(judge.counts).map(([name, count]) => `${count} ${name}`);
  for (const name of ['signed', 'policy', 'unreadable', 'other_digest']) {
    if ((judge.counts[name] ?? 0) === 0) throw new Error(`no answer is ${name}: ${counts}`);
  }
  const refused = Object.keys(judge.counts).filter((name) => name !== 'signed');
  for (const code of [...refused, 'connection_ended']) {
    if (!alarms.has(code as SignerAlarm)) throw new Error(`no alarm is ${code}: ${counts}`);
  }
  const raised = [...alarms].map(([code, count]) => `${count} ${code}`).join(', ');
  return `${frames} frames, ${ended} connections ended; ${counts.join(', ')}; alarms: ${raised}`;
}
