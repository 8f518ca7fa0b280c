/**
 * Joins a client's connection to the one to its worker. Bytes flow both ways with backpressure. If one side ends, bytes
 * in flight are still delivered, and the other side ends within two seconds.
 */
import type { Socket } from 'node:net';
import type { Clock } from '../runtime/clock.ts';
import { SocketLink } from '../transport/link.ts';

export function joined(link: SocketLink, onward: Socket, clock: Clock): void {
  const { peer, socket: client } = link;
  const onwardLink = new SocketLink(onward, peer, clock);
  // Each side still receives what the other sent before it ended.
  for (const socket of [client, onward]) socket.allowHalfOpen = true;
  client.pipe(onward);
  onward.pipe(client);
  for (const event of ['end', 'close'] as const) {
    client.once(event, () => onwardLink.end());
    onward.once(event, () => link.end());
  }
}
