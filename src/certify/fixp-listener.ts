/** Splits one direction of a FIXP connection into messages, and decodes them by name. */
import { type ByteOrder, Deframer, framed } from '../fixp/framing.ts';
import { maxSentBytes } from '../fixp/settings.ts';
import { decodeFrame } from './fixp-message.ts';
import type { Listen } from './received-message.ts';

export function listenToFixp(framing: ByteOrder): Listen {
  return (from, report) => {
    const deframer = new Deframer(framing, maxSentBytes);
    let isLost = false;
    return (bytes) => {
      if (isLost) return;
      deframer.push(bytes);
      for (let step = deframer.next(); step !== 'more'; step = deframer.next()) {
        if (step === 'bad') {
          isLost = true;
          report({ kind: 'garbled', raw: bytes.slice(0, 1024), reason: deframer.reason });
          return;
        }
        const raw = framed(deframer.message, framing);
        const decoded = decodeFrame(raw);
        if (typeof decoded === 'string') report({ kind: 'garbled', raw, reason: decoded });
        else {
          const message = { atMs: Date.now(), raw, ...decoded, fault: undefined };
          report({ kind: 'message', from, message });
        }
      }
    };
  };
}
