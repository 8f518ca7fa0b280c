/** Describes an event of a session or its connection for the log and the console. */
import type { LineEvent, Tell } from '../runtime/operator-line.ts';
import type { HostNotice } from '../transport/host.ts';
import type { Peer } from '../transport/session.ts';

const events: Readonly<Record<HostNotice['kind'], LineEvent>> = {
  attached: 'connected',
  logged_on: 'logged_on',
  disconnected: 'disconnected',
  detached: 'connection_gone',
  slow_reader: 'slow_reader',
  alarm: 'session_alarm',
};

/** Raises an alarm if an operator should look at it, otherwise a notice. */
export function tell(notice: HostNotice, to: Readonly<Record<'alarm' | 'notice', Tell>>): void {
  const { kind, session } = notice;
  const facts = { event: events[kind], session };
  const text = `${session}: ${what(notice)}`;
  if (kind === 'alarm') {
    to.alarm(text, { ...facts, code: notice.alarm });
    return;
  }
  const { address, isTls = false } = notice.peer;
  (kind === 'slow_reader' ? to.alarm : to.notice)(text, { ...facts, address, tls: isTls });
}

function what(notice: HostNotice): string {
  switch (notice.kind) {
    case 'attached':
      return `connected from ${from(notice.peer)}`;
    case 'logged_on':
      return `logged on from ${from(notice.peer)}`;
    case 'detached':
      return `the connection from ${from(notice.peer)} is gone`;
    case 'disconnected':
      return `disconnected: ${notice.reason}`;
    case 'slow_reader':
      return `slow_reader: cut off, ${notice.unreadBytes} bytes were left unread`;
    case 'alarm':
      return `${notice.alarm}: ${notice.text}`;
  }
}

function from({ address, certificate, isTls = false }: Peer): string {
  const line = isTls ? 'with TLS' : 'in clear';
  return certificate === undefined
    ? `${address} ${line}`
    : `${address} (${certificate.commonName})`;
}
