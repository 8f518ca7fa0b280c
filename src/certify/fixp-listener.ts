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
      for (const found of deframer.messages(bytes)) {
        const raw = framed(found, framing);
        const decoded = decodeFrame(raw);
        if (typeof decoded === 'string') report({ kind: 'garbled', raw, reason: decoded });
        else {
          const message = { atMs: Date.now(), raw, ...decoded, fault: undefined };
          report({ kind: 'message', from, message });
        }
      }
      const { reason } = deframer;
      isLost = reason !== '';
      if (isLost) report({ kind: 'garbled', raw: bytes.slice(0, 1024), reason });
    };
  };
}
