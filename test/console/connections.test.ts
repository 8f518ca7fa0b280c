import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { expect, test } from 'vitest';
import { Connections } from '../../src/console/connections.ts';
import { ManualClock } from '../../src/runtime/clock.ts';

function setup(most = 8) {
  const clock = new ManualClock();
  const server = Object.assign(new EventEmitter(), { maxConnections: 0 });
  const connections = new Connections(server as unknown as Server, most, clock);
  const open = new Set<string>();
  let port = 0;
  const connect = (name: string, remoteAddress = '10.0.0.1') => {
    port += 1;
    const ends = { remoteAddress, remotePort: port, localAddress: '10.0.0.9', localPort: 443 };
    const socket = Object.assign(new EventEmitter(), ends, {
      destroy: () => {
        open.delete(name);
        socket.emit('close');
      },
    });
    open.add(name);
    server.emit('connection', socket);
    // With TLS a request comes on another object with the same ends.
    const request = { socket: { ...ends } } as unknown as IncomingMessage;
    return { socket, trust: () => connections.trust(request) };
  };
  return { clock, connect, connections, open: () => [...open], server };
}

test('a stranger is cut off after a minute, and an operator is not', () => {
  const { clock, connect, open } = setup();
  connect('stranger');
  connect('operator').trust();
  clock.advance(59_999);
  expect(open()).toEqual(['stranger', 'operator']);
  clock.advance(1);
  expect(open()).toEqual(['operator']);
});

test('strangers have three quarters of the connections, and beyond them the oldest makes room', () => {
  const { connect, open, server } = setup(8);
  expect(server.maxConnections).toBe(8);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) connect(name);
  expect(open()).toHaveLength(6);
  connect('g');
  expect(open()).toEqual(['b', 'c', 'd', 'e', 'f', 'g']);
});

test('the address with the most loses one, in whichever form it is written, and an IPv6 network is one', () => {
  const { connect, open } = setup(4);
  connect('check', '10.0.0.2');
  connect('a', '10.0.0.1');
  connect('b', '::ffff:10.0.0.1');
  connect('c', '10.0.0.3');
  expect(open()).toEqual(['check', 'b', 'c']);
  const six = setup(4);
  six.connect('check', '10.0.0.2');
  six.connect('a', '2001:db8::1');
  six.connect('b', '2001:db8::2');
  six.connect('c', '10.0.0.3');
  expect(six.open()).toEqual(['check', 'b', 'c']);
});

test('operators take no place of strangers, and a connection that ended leaves its own', () => {
  const { connect, open } = setup(4);
  const [first, second] = [connect('a'), connect('b')];
  first.trust();
  second.socket.destroy();
  for (const name of ['c', 'd', 'e']) connect(name);
  expect(open()).toEqual(['a', 'c', 'd', 'e']);
});

test('who is trusted after the end of the connection, or twice, does no harm', () => {
  const { clock, connect, open } = setup(4);
  const one = connect('a');
  one.trust();
  one.trust();
  one.socket.destroy();
  one.trust();
  connect('b');
  clock.advance(60_000);
  expect(open()).toEqual([]);
});

test('when the console closes, strangers are cut off at once', () => {
  const { connect, connections, open } = setup();
  connect('a');
  connect('operator').trust();
  connections.close();
  expect(open()).toEqual(['operator']);
});
