/** What happened to a session or its connection, in the words of the log and of the console. */
import type { HostNotice } from '../transport/host.ts';
import type { Peer } from '../transport/session.ts';

/** Told to the operator as an alarm where somebody should look at it, else only noted. */
export function tell(
  notice: HostNotice,
  { alarm, notice: note }: Record<'alarm' | 'notice', (text: string) => void>,
): void {
  const isAlarm = notice.kind === 'alarm' || notice.kind === 'slow_reader';
  (isAlarm ? alarm : note)(noticeText(notice));
}

export function noticeText(notice: HostNotice): string {
  return `${notice.session}: ${what(notice)}`;
}

function what(notice: HostNotice): string {
  switch (notice.kind) {
    case 'attached':
      return `connected from ${from(notice.peer)}`;
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

function from({ address, certificate }: Peer): string {
  return certificate === undefined ? address : `${address} (${certificate.commonName})`;
}
