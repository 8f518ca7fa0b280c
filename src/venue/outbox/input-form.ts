/** The stored form of the inputs of an account's engine with this venue. */

import { amount, type Form, kinds, list, members, orNull, plain } from '../../domain/form.ts';
import { eventForms, instrumentForm, ownerForm, termsForm } from '../../domain/forms.ts';
import type { EngineInput } from '../../engine/engine.ts';
import type { NonceFacts } from '../answer.ts';
import type { VenueEvent } from '../venue-event.ts';
import type { Verdict } from '../verdict.ts';
import type { OutboxInput } from './outbox-types.ts';

type Input = EngineInput<OutboxInput, VenueEvent>;
type Of<T extends { readonly kind: string }, Kind extends T['kind']> = Extract<
  T,
  { readonly kind: Kind }
>;

const event = members<VenueEvent>({ ...eventForms, nonce: orNull(amount()) });

const nonceFacts = members<NonceFacts>({
  nonceConsumed: orNull(plain()),
  nextUsableNonce: orNull(plain()),
  nonceFloor: orNull(plain()),
  nonceWindow: orNull(plain()),
});

const verdict = kinds<Verdict>({
  accepted: members<Of<Verdict, 'accepted'>>({
    kind: plain(),
    seq: orNull(plain()),
    orderIds: list(plain()),
    nonce: nonceFacts,
  }),
});

const ofVenue = kinds<OutboxInput>({
  answered: members<Of<OutboxInput, 'answered'>>({ kind: plain(), id: plain(), verdict }),
});

export const inputForm: Form<Input> = kinds<Input>({
  entry: members<Of<Input, 'entry'>>({
    kind: plain(),
    owner: ownerForm,
    clOrdId: plain(),
    instrument: instrumentForm,
    terms: termsForm,
    nowMs: plain(),
  }),
  event: members<Of<Input, 'event'>>({ kind: plain(), event }),
  venue: members<Of<Input, 'venue'>>({ kind: plain(), input: ofVenue }),
});
