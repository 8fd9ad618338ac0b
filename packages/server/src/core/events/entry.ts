import { z } from 'zod';
import * as fact from './facts.ts';

/** `object`: what `object_id` is the id of; `since`: the first release that can write it. */
export const entry = <const O extends fact.ObjectType, P extends z.core.$ZodLooseShape>(
  object: O,
  since: string,
  sentence: string,
  payload: P,
) => ({ object, since, sentence, payload: z.strictObject(payload) });

/** An event of a domain that an operation causes. */
export const done = <P extends z.core.$ZodLooseShape>(since: string, sentence: string, more: P) =>
  entry('domain', since, sentence, { ...fact.ofOperation, ...more });

/** An event of a domain that a date or the registry causes. */
export const seen = <P extends z.core.$ZodLooseShape>(since: string, sentence: string, more: P) =>
  entry('domain', since, sentence, { ...fact.ofDomain, ...more });

export const cancelled = (since: string, sentence: string) => done(since, sentence, {});
export const refused = (since: string, sentence: string) => done(since, sentence, fact.refusal);

export const ofTarget = {
  mail_target_id: fact.text('The target.'),
  customer_id: fact.id('The customer.'),
  address: fact.text('The address of the target.'),
};
export const ofMove = {
  operation_id: fact.text('The operation of the move, and the id of the move.'),
  domain_name: fact.text('The domain name, in A-labels.'),
  from_reseller_id: fact.id('The reseller that gives the domain.'),
};
export const ofOffer = {
  ...ofMove,
  to_reseller_id: fact.id('The receiving reseller.'),
  to_customer_id: fact.id('The receiving customer.'),
  until: fact.instant('Expires at this time without a response.'),
};
