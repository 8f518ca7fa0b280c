/**
 * Joins a client's connection to the one that leads on to its worker. Bytes go both ways, no faster than the other side takes
 * them. If one side ends, what was under way still arrives, and the other side ends too, at the latest after two seconds.
 */
import type { Socket } from 'node:net';
import type { Clock } from '../runtime/clock.ts';
import { SocketLink } from '../transport/link.ts';

export function joined(link: SocketLink, onward: Socket, clock: Clock): void {
  const { peer, socket: client } = link;
  const onwardLink = new SocketLink(onward, peer, clock);
  // Each side still hears what the other had to say when it ended its own side.
  for (const socket of [client, onward]) socket.allowHalfOpen = true;
  client.pipe(onward);
  onward.pipe(client);
  for (const event of ['end', 'close'] as const) {
    client.once(event, () => onwardLink.end());
    onward.once(event, () => link.end());
  }
}
