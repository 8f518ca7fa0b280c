/** docs/REJECTS.md: the table of refusals for people, made from the one that the program reads. */

import { heading, markdown, type Row, table, words } from '../../src/cli/roe/document.ts';
import { remedyOf } from '../../src/cli/roe/remedies.ts';
import type { RefusalSource } from '../../src/domain/refusal.ts';
import { acts, refusals, type VenueRefusal } from '../../src/venue/refusals.ts';

const sources: Readonly<Record<RefusalSource, string>> = {
  envelope: 'HTTP envelope, and requests without an answer',
  agent: 'Delegated agents and credentials',
  submit: 'Submitted actions',
  lane: 'Order-entry lane, and coarse labels of the engine',
  number: "The venue's numbers without a code",
  bridge: 'The bridge itself',
};

export function rejectReference(): string {
  return markdown([
    heading(1, 'Rejects'),
    words(
      'Generated from `domain/refusal.ts` and `venue/refusals.ts`: change those, then run `npx vitest run test/docs -u`. The rules of engagement of a session (`causeway roe`) contain the same table with the numbers of its venue profile.',
    ),
    words(
      'VenueCode(9102) and VenueRejectNumber(9101) are sent in addition to the standard reason; with a 9101 the reason is 99. An empty cell means that the request cannot get this refusal. A 9101 in brackets is sent only if the venue profile enables it. A row that is not decisive is never reported as a refusal: the outcome is unknown until the stream shows it.',
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
          'Advice to the client',
          'What the bridge does',
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
