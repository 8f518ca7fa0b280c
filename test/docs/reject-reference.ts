/** docs/REJECTS.md: the table of refusals for people, made from the one that the program reads. */

import { heading, markdown, type Row, table, words } from '../../src/cli/roe/document.ts';
import { remedyOf } from '../../src/cli/roe/remedies.ts';
import type { RefusalSource } from '../../src/domain/refusal.ts';
import { acts, refusals, type VenueRefusal } from '../../src/venue/refusals.ts';

const sources: Readonly<Record<RefusalSource, string>> = {
  envelope: 'Of the HTTP envelope, and what never became an answer',
  agent: 'Of delegated agents and credentials',
  submit: 'Of a submitted action',
  lane: 'Of the order-entry lane, and coarse labels of the engine',
  number: "The venue's numbers where they come without a code",
  bridge: 'Of the bridge itself',
};

export function rejectReference(): string {
  return markdown([
    heading(1, 'Rejects'),
    words(
      "Made from `domain/refusal.ts`: change that, then `npx vitest run test/docs -u`. The rules of engagement of a session (`causeway roe`) have the same table with the numbers of its venue's profile.",
    ),
    words(
      'VenueCode(9102) and VenueRejectNumber(9101) stand beside the reason of the standard; beside a 9101 the reason is 99. An empty reason: that request cannot meet this refusal. A 9101 in brackets is sent only where the profile of the venue says so. A row that is not decisive is told to nobody as a refusal: the outcome is unknown until the stream tells it.',
    ),
    ...(Object.keys(sources) as RefusalSource[]).flatMap((source) => [
      heading(2, sources[source]),
      table(
        [
          '9102',
          '9101',
          '103',
          '102 of F',
          '102 of G',
          '300',
          '532',
          'Other',
          'Decisive',
          'The client',
          'The bridge',
        ],
        refusals.filter((row) => row.source === source).map(rowOf),
      ),
    ]),
    heading(2, 'What the bridge does'),
    table(['', ''], Object.entries(acts)),
  ]);
}

function rowOf(refusal: VenueRefusal): Row {
  const { name, code, number, doubtful, order, cancel, replace, quote, massCancel } = refusal;
  const elsewhere = [
    ['281', refusal.marketData],
    ['380', refusal.business],
    ['560', refusal.securityList],
  ].flatMap(([tag, value]) => (value === null ? [] : `${tag}=${value}`));
  const doubt = doubtful === null ? '' : `(${doubtful})`;
  return [
    code === null || code === name ? name : `${code}, as ${name}`,
    number ?? doubt,
    ...[order, cancel, replace, quote, massCancel].map((reason) => reason ?? ''),
    elsewhere.join(', '),
    refusal.decisive ? '' : 'no',
    remedyOf(refusal),
    [...refusal.acts, ...(refusal.onResend ?? []).map((act) => `on a resend ${act}`)].join(', '),
  ];
}
