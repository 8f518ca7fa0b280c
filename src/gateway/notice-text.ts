/** What happened to a connection, in the words of the log and of the console. */
import type { HostNotice } from '../transport/host.ts';

export function noticeText(notice: HostNotice): string {
  const { address, certificate } = notice.peer;
  const from = certificate === undefined ? address : `${address} (${certificate.commonName})`;
  switch (notice.kind) {
    case 'attached':
      return `${notice.session}: connected from ${from}`;
    case 'detached':
      return `${notice.session}: the connection from ${from} is gone`;
    case 'disconnected':
      return `${notice.session}: disconnected: ${notice.reason}`;
    case 'slow_reader':
      return `${notice.session}: leaves ${notice.unreadBytes} bytes unread`;
  }
}
