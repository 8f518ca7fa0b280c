/** Describes an event of a session or its connection for the log and the console. */
import type { LineEvent, OperatorLines } from '../../runtime/operator-line.ts';
import type { HostNotice } from '../../transport/host.ts';
import type { Peer } from '../../transport/session.ts';

const events = {
  attached: 'connected',
  logged_on: 'logged_on',
  disconnected: 'disconnected',
} as const satisfies Partial<Readonly<Record<HostNotice['kind'], LineEvent>>>;

/** Raises an alarm if an operator should check it, otherwise writes a notice. */
export function reportNotice(notice: HostNotice, to: OperatorLines): void {
  const { kind, session } = notice;
  const text = `${session}: ${what(notice)}`;
  if (kind === 'alarm') {
    to.alarm(text, { event: 'session_alarm', session, code: notice.alarm });
    return;
  }
  const { address, isTls = false } = notice.peer;
  const facts = { session, address, tls: isTls };
  if (kind === 'slow_reader') to.alarm(text, { event: 'slow_reader', ...facts });
  else if (kind !== 'disconnected') to.notice(text, { event: events[kind], ...facts });
  else to.notice(text, { event: events[kind], ...facts, reason: notice.reason });
}

function what(notice: HostNotice): string {
  switch (notice.kind) {
    case 'attached':
      return `connected from ${from(notice.peer)}`;
    case 'logged_on':
      return `logged on from ${from(notice.peer)}`;
    case 'disconnected':
      return `disconnected: ${notice.reason}`;
    case 'slow_reader':
      return `slow_reader: disconnected because it left ${notice.unreadBytes} bytes unread`;
    case 'alarm':
      return `${notice.alarm}: ${notice.text}`;
  }
}

function from({ address, certificate, isTls = false }: Peer): string {
  const line = isTls ? 'with TLS' : 'without TLS';
  return certificate === undefined
    ? `${address} ${line}`
    : `${address} (${certificate.commonName})`;
}
