const longestText = 200;

/** A reject by the peer: the message of ours that it refers to, and the peer's own text. */
export interface PeerReject {
  readonly ours: string;
  readonly text: string;
}

/** The text is truncated and quoted, so that it cannot be mistaken for ours. */
export function peerRejectText({ ours, text }: PeerReject): string {
  return `the peer rejected our ${ours}: ${JSON.stringify(text.slice(0, longestText))}`;
}
