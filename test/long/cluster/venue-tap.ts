/** Reads what a node sends to the venue: the signed actions in its HTTP requests, with the time at which they came. */
import type { VenueRequest } from './history.ts';

export class VenueTap {
  readonly requests: VenueRequest[] = [];
  readonly #texts = new Map<string, string>();

  /** For the proxy of this node. */
  of(node: string): (bytes: Buffer, connection: number) => void {
    return (bytes, connection) => {
      const key = `${node} ${connection}`;
      this.#texts.set(
        key,
        this.#read(node, (this.#texts.get(key) ?? '') + bytes.toString('latin1')),
      );
    };
  }

  /** Answers what is left: the beginning of a request. */
  #read(node: string, text: string): string {
    let rest = text;
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      if (end < 0) return rest;
      const head = rest.slice(0, end);
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      // Frames of a WebSocket follow; they carry no actions.
      if (/^upgrade:/im.test(head)) return '';
      if (rest.length < end + 4 + length) return rest;
      this.#note(node, rest.slice(end + 4, end + 4 + length));
      rest = rest.slice(end + 4 + length);
    }
  }

  #note(node: string, body: string): void {
    const atMs = Date.now();
    // The members of a payload come in the order of their names.
    for (const [payload] of body.matchAll(/\{"payload":\{.*?\},"signature"/gs)) {
      const account = /"account":"(0x[0-9a-f]{40})"/.exec(payload)?.[1];
      const nonce = /"nonce":"?(\d+)/.exec(payload)?.[1];
      if (account === undefined || nonce === undefined) throw new Error(`no action: ${payload}`);
      this.requests.push({ atMs, node, account, nonce: Number(nonce) });
    }
  }
}
