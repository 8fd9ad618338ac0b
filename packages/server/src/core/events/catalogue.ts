import { z } from 'zod';
import { guardedKinds } from '../approvals/guarded-kind.ts';
import { renewalModes } from '../domains/renewal/mode.ts';
import { sides } from '../holder-change/holder-change.ts';
import * as fact from './facts.ts';

/** The catalogue: every event that a reseller can read. Appended in one place, written down in docs/events; webhooks carry the same. */

/** `object`: what `object_id` is the id of; `since`: the first release that can write it. */
const entry = <const O extends fact.ObjectType, P extends z.core.$ZodLooseShape>(
  object: O,
  since: string,
  sentence: string,
  payload: P,
) => ({ object, since, sentence, payload: z.strictObject(payload) });

/** Told of a domain by the operation that was carried out on it, or not. */
const done = <P extends z.core.$ZodLooseShape>(since: string, sentence: string, more: P) =>
  entry('domain', since, sentence, { ...fact.ofOperation, ...more });

/** Told of a domain by the clock or the registry. */
const seen = <P extends z.core.$ZodLooseShape>(since: string, sentence: string, more: P) =>
  entry('domain', since, sentence, { ...fact.ofDomain, ...more });

const cancelled = (since: string, sentence: string) => done(since, sentence, {});
const refused = (since: string, sentence: string) => done(since, sentence, fact.refusal);

const expiresAt = fact.instant('End of the term.');
const renewBy = fact.instant('Until when it can be renewed; null: not known.').nullable();
const redemptionEndsAt = fact.instant('Until when it can be restored; null: it cannot.').nullable();
const askedBy = fact.text('The API key that asked; null: no key did.').nullable();
const registryId = fact.text('The registry.');
const ofContactUpdate = {
  contact_id: fact.id('The contact.'),
  domains: z.array(z.string()).readonly().describe('Names whose registration data change with it; the first 100.'),
  operation_id: fact.text('The operation that carries the change to the registry.'),
};
const ofApproval = {
  operation_id: fact.text('The operation that waits.'),
  domain_id: fact.id('The domain; null: the account itself.').nullable(),
  domain_name: fact.text('The name, in A-labels; null: the account itself.').nullable(),
  change: z.enum([...guardedKinds, 'security', 'move', 'holder']).describe('What the change is about.'),
  wanted: z.record(z.string(), z.unknown()).describe('How it shall be; never a code.'),
  asked_by: fact.text('The API key or the person that asked.'),
  until: fact.instant('Without an answer by then it lapses.'),
  key_id: fact.text('The API key that did this; null: the clock.').nullable(),
};
const ofTarget = {
  mail_target_id: fact.text('The target.'),
  customer_id: fact.id('The customer.'),
  address: fact.text('Where mail was to go.'),
};
const ofMove = {
  operation_id: fact.text('The operation of the move, which is also its id.'),
  domain_name: fact.text('The name, in A-labels.'),
  from_reseller_id: fact.id('Who gives it.'),
};
const ofOffer = {
  ...ofMove,
  to_reseller_id: fact.id('Who shall get it.'),
  to_customer_id: fact.id('The customer who shall get it.'),
  until: fact.instant('Without an answer by then it lapses.'),
};
const ofHolderChange = {
  operation_id: fact.text('The operation that waits.'),
  domain_id: fact.id('The domain; null: a contact that holds names gets other data.').nullable(),
  contact_id: fact.id('The contact; null: a name gets another contact as its holder.').nullable(),
  domains: z.array(z.string()).readonly().describe('Names that get another holder; the first 100.'),
  until: fact.instant('Without all confirmations by then it lapses.'),
  key_id: fact.text('The API key that did this; null: a holder, or the clock.').nullable(),
};
const ofDocument = {
  number: fact.text('Its number.'),
  customer_id: fact.id('The customer; null: a sub-reseller.').nullable(),
  reseller_id: fact.id('The sub-reseller; null: a customer.').nullable(),
  transaction_id: fact.id('The bill that it is about; null: a month of a sub-reseller.').nullable(),
  total: fact.money('How much, with tax.'),
};
const chosen = z.strictObject({
  second_yes: z.array(z.enum(guardedKinds)).readonly().describe('Changes that need a second yes.'),
  theft_protection: z
    .boolean()
    .nullable()
    .describe('Whether new names start with it; null: as the operator has set it.'),
});
const ofWaiting = {
  domain_id: fact.id('The domain that it is for.'),
  domain_name: fact.text('The name, in A-labels.'),
  customer_id: fact.id('The customer.'),
};
const paid = { transaction_id: fact.id('The posting.'), amount: fact.money('How much.') };

export const events = {
  'domain.registered': done('0.1.0', 'A name was registered and paid.', { expires_at: expiresAt }),
  'domain.verification_asked': seen('0.2.0', 'The holder was asked to confirm the e-mail address.', {
    verify_by: fact.instant('Until when it must be confirmed.'),
  }),
  'domain.verified': seen('0.2.0', 'The holder has confirmed the e-mail address.', {}),
  'domain.registration_pending': done(
    '0.1.0',
    'The registry reviews a registration before it decides; told again when it says something else about it.',
    {
      review: z
        .string()
        .nullable()
        .optional()
        .describe('What the registry says of it, such as documents that it wants.'),
    },
  ),
  'domain.registration_refused': refused('0.1.0', 'The registry refused a registration; its money is free again.'),
  'domain.registration_cancelled': cancelled('0.1.0', 'A registration was given up; its money is free again.'),
  'domain.protection_failed': done('0.2.0', 'A new name could not get its theft protection yet; it is tried again.', {
    reason: fact.text('Why not.'),
  }),
  'domain.renewed': done('0.1.0', 'A name was renewed and paid.', {
    expires_at: expiresAt,
    years: fact.figure('Years added.'),
    automatic: z.boolean().optional().describe('By the renewal mode of the name, not by an order of the reseller.'),
  }),
  'domain.renewal_mode_changed': seen('0.2.0', 'How a name goes on at the end of its term was chosen.', {
    renewal_mode: z.enum(renewalModes).describe('The mode.'),
    before: z.enum(renewalModes).describe('The mode until now.'),
    key_id: askedBy,
  }),
  'domain.auto_renewal_failed': seen(
    '0.2.0',
    'A renewal by the mode of the name could not be carried out; it is tried again each day.',
    {
      code: fact.text('Why not: a code of the errors.'),
      reason: fact.text('Why not, in a sentence.'),
      missing: fact.money('How much is missing, where money is.').optional(),
      expires_at: expiresAt,
      next_try_at: fact.instant('When it is tried again.'),
    },
  ),
  'domain.renewal_refused': refused('0.1.0', 'The registry refused a renewal; its money is free again.'),
  'domain.renewal_cancelled': cancelled('0.1.0', 'A renewal was given up; its money is free again.'),
  'domain.deleted': done('0.1.0', 'A name was deleted, by order or because nobody renewed it.', {
    because: z.enum(['asked', 'expired']).describe('Ordered, or not renewed.'),
    refunded: z
      .array(
        z.strictObject({
          transaction_id: fact.id('The purchase.'),
          amount: fact.text('Decimal figure in the major unit.'),
          currency: fact.text('ISO 4217 code.'),
        }),
      )
      .readonly()
      .describe('Purchases whose money came back within their grace.'),
    redemption_ends_at: redemptionEndsAt,
  }),
  'domain.deletion_refused': refused('0.1.0', 'The registry refused a deletion.'),
  'domain.deletion_cancelled': cancelled('0.1.0', 'A deletion was given up.'),
  'domain.restored': done('0.1.0', 'A deleted name was restored and paid.', { expires_at: expiresAt.nullable() }),
  'domain.restore_refused': refused('0.1.0', 'The registry refused a restore; its money is free again.'),
  'domain.restore_cancelled': cancelled('0.1.0', 'A restore was given up; its money is free again.'),
  'domain.update_ordered': seen(
    '0.2.0',
    'A change that a thief would want was ordered, and is not carried out yet: nameservers (child nameservers too), DS records, a transfer code, theft protection or the lock taken away.',
    {
      key_id: askedBy,
      operation_id: fact.ofOperation.operation_id,
      change: z.enum(guardedKinds).describe('What the change is about.'),
      wanted: z.record(z.string(), z.unknown()).describe('How it shall be; never a code.'),
    },
  ),
  'domain.auth_code_given': seen('0.2.0', 'A transfer code was shown.', { key_id: askedBy }),
  'domain.updated': seen('0.1.0', 'Nameservers, contacts, locks, DS, codes, privacy or child hosts changed.', {
    // Contacts that no registry keeps change without an operation.
    operation_id: fact.ofOperation.operation_id.optional(),
    transaction_id: fact.ofOperation.transaction_id.optional(),
    changed: z.array(z.string()).readonly().describe('What the change was about.'),
    before: fact.settings.describe('What differs, as it was.'),
    after: fact.settings.describe('What differs, as it is.'),
  }),
  'domain.update_refused': done('0.1.0', 'The registry refused a change.', {
    change: fact.text('What the change was about.'),
    ...fact.refusal,
  }),
  'domain.update_cancelled': cancelled('0.1.0', 'A change was given up.'),
  'domain.moved': done('0.2.0', 'A name has another customer of the same reseller.', {
    from_customer_id: fact.id('The customer who had it.'),
    to_customer_id: fact.id('The customer who has it.'),
  }),
  'domain.moved_away': done(
    '0.2.0',
    'A name is with another reseller of the house now; the row here is its tombstone.',
    {
      to_reseller_id: fact.id('Who has it.'),
      by: z.enum(['offer', 'code']).optional().describe('By an offer of yours, or by the code of the name.'),
    },
  ),
  'domain.moved_in': seen('0.2.0', 'A name came from another reseller of the house.', {
    operation_id: fact.ofOperation.operation_id,
    from_reseller_id: fact.id('Who gave it.'),
    customer_id: fact.id('The customer who has it.'),
    expires_at: expiresAt.nullable(),
  }),
  'domain.move_refused': refused('0.2.0', 'A move came to nothing; the name is where it was.'),
  'domain.move_cancelled': cancelled('0.2.0', 'A move was given up; the name is where it was.'),
  'domain.purchase_refunded': seen(
    '0.2.0',
    'What you had paid for a name came back after its delete, or after you gave the name to another reseller, who deleted it within a grace.',
    { transaction_id: fact.id('Your purchase.'), refunded: fact.money('What came back of it in all.') },
  ),
  'domain.privacy_refused': refused('0.1.0', 'The registry refused to hide the holder; the money is free again.'),
  'domain.privacy_cancelled': cancelled('0.1.0', 'A purchase of privacy was given up; its money is free again.'),
  'domain.expiring': seen('0.1.0', 'The term ends in some days: 30 and 7 by most rules.', {
    days: fact.figure('Days left, at most.'),
    expires_at: expiresAt,
    renew_by: renewBy,
  }),
  'domain.expired': seen('0.1.0', 'The term is over.', {
    expired_at: fact.instant('End of the term.'),
    renew_by: renewBy,
  }),
  'domain.overdue': seen(
    '0.2.0',
    'The registry has added a year for good that nobody paid, because the name was not deleted in time; it is kept for some days yet, and a renewal pays that year.',
    {
      expired_at: fact.instant('End of the paid term.'),
      renew_by: fact.instant('Until when it is kept.'),
    },
  ),
  'domain.interrupted': done(
    '0.2.0',
    'Nobody has paid the name, so it does not resolve any more until it is renewed.',
    {
      expired_at: fact.instant('End of the paid term.'),
      renew_by: renewBy,
    },
  ),
  'domain.interruption_ended': done('0.2.0', 'A name that was interrupted for want of payment resolves again.', {}),
  'domain.transfer_in_pending': done(
    '0.2.0',
    'The registry has taken a transfer in; its present registrar has to decide.',
    {
      from_registrar: fact.text('The present registrar, as the registry names it.'),
      requested_at: fact.instant('When it was asked for, by the registry; null: it does not say.').nullable(),
      action_at: fact
        .instant('By when it is decided; silence is a yes at most registries. Null: the registry does not say.')
        .nullable(),
    },
  ),
  'domain.transfer_code_refused': done(
    '0.2.0',
    'The registry refused the auth code of a transfer in; the order waits for another, its money stays on hold.',
    {
      ...fact.refusal,
      until: fact.instant('Without another code by then the order ends, and its money is free again.'),
    },
  ),
  'domain.transferred_in': done('0.2.0', 'A name came from another registrar and is paid.', {
    expires_at: expiresAt,
    from_registrar: fact.text('The registrar before, as the registry names it; null: it does not say.').nullable(),
  }),
  'domain.transfer_incomplete': done(
    '0.2.0',
    'A name came in, but the registry refused to have its contacts or nameservers set; set them again.',
    { reason: fact.text('What the registry said.') },
  ),
  'domain.transfer_in_refused': refused('0.2.0', 'A transfer in came to nothing; its money is free again.'),
  'domain.transfer_in_cancelled': cancelled('0.2.0', 'A transfer in was given up; its money is free again.'),
  'domain.redemption': seen('0.1.0', 'The name is deleted and can be restored.', {
    redemption_ends_at: redemptionEndsAt,
  }),
  'domain.pending_delete': seen('0.1.0', 'The name is about to be dropped; nothing brings it back.', {
    redemption_ends_at: redemptionEndsAt,
  }),
  'domain.transfer_requested': seen('0.1.0', 'Another registrar asked for the name.', {
    registrar: fact.text('Who asks, as the registry names it; null: the registry does not say.').nullable(),
    requested_at: fact.instant('When it was asked for; null: not known.').nullable(),
    action_at: fact.instant('When the registry says yes by itself, if nobody says no; null: not known.').nullable(),
  }),
  'domain.transfer_approved': done('0.2.0', 'A transfer to another registrar was approved by order.', {
    registrar: fact.text('Who gets it, as the registry names it.').nullable(),
  }),
  'domain.transfer_rejected': done('0.2.0', 'A transfer to another registrar was rejected by order.', {
    registrar: fact.text('Who asked for it, as the registry names it.').nullable(),
    reason: fact.text('Why, in the word of the list of reasons.'),
  }),
  'domain.transfer_answer_refused': refused('0.2.0', 'The registry did not take the answer to a transfer.'),
  'domain.transfer_answer_cancelled': cancelled('0.2.0', 'The answer to a transfer was given up before it was sent.'),
  'domain.transfer_ended': seen('0.1.0', 'A transfer to another registrar ended, and the name is still here.', {
    status: fact.text('How, in the word of the registry (RFC 5730 2.9.3.4); null: it does not say.').nullable(),
  }),
  'domain.transferred_away': seen('0.1.0', 'The name is at another registrar.', {
    sponsor: fact.text('The registrar, as the registry names it.').nullable(),
    at: fact.instant('When it went, by the registry; null: it does not say.').nullable(),
  }),
  'domain.dropped': seen('0.1.0', 'The name does not exist at its registry any more.', {}),
  'domain.found_again': seen('0.2.0', 'A name that was taken for gone shows again.', {
    expires_at: expiresAt.nullable(),
  }),
  'domain.imported': seen('0.1.0', 'A name that the registry held for us was adopted.', {
    expires_at: expiresAt.nullable(),
  }),
  'domain.watched': seen('0.2.0', 'A name was marked to be looked at every few minutes, or the mark was taken away.', {
    watched: z.boolean().describe('Marked by its reseller.'),
    watched_by_operator: z.boolean().describe('Marked by the operator.'),
  }),
  'domain.changed_at_registry': seen(
    '0.2.0',
    'The registry, or somebody through it, changed the name: a dispute, a court, its own support (RFC 8590).',
    {
      operation: fact.text('What was done: update, delete, renew, transfer, restore, autoRenew, custom and others.'),
      detail: fact.text('A part of it, or the name of a custom one.').nullable(),
      who: fact.text('Who did it, as the registry says.'),
      reason: fact.text('Why, as the registry says.').nullable(),
      dispute: z
        .strictObject({ type: fact.text('udrp, urs or another.'), id: fact.text('Its number.') })
        .nullable()
        .describe('The case that it belongs to.'),
      at: fact.instant('When.'),
      state: z.enum(['before', 'after']).describe('Whether this tells how the name was before, or is after.'),
      statuses: z.array(z.string()).readonly().describe('Its statuses then.'),
    },
  ),
  'domain.registry_hold': seen('0.2.0', 'The registry itself took the name out of the DNS, or put it back.', {
    because: z
      .enum(['unverified', 'other'])
      .nullable()
      .describe('unverified: it has no confirmation of the address of the holder that counts there; null: lifted.'),
  }),
  'domain.drift': seen('0.1.0', 'The registry shows something else than we hold.', {
    drift: z
      .array(
        z.strictObject({
          field: fact.text('What differs.'),
          ours: z.unknown().describe('As we hold it.'),
          theirs: z.unknown().describe('As the registry shows it.'),
          action: z.enum(['repaired', 'adopted', 'reported']).describe('What becomes of it.'),
        }),
      )
      .readonly()
      .describe('The differences that are new.'),
  }),
  'domain.repaired': done('0.1.0', 'A difference was put right at the registry.', {
    fields: z.array(z.string()).readonly().describe('What was put right.'),
  }),
  'domain.repair_refused': refused('0.1.0', 'The registry refused to have a difference put right.'),
  'domain.repair_cancelled': cancelled('0.1.0', 'Putting a difference right was given up.'),
  'contact.updated': entry('contact', '0.1.0', 'A changed contact reached a registry.', {
    ...ofContactUpdate,
    registry_id: registryId,
  }),
  'contact.update_refused': entry('contact', '0.1.0', 'A registry refused a changed contact.', {
    ...ofContactUpdate,
    ...fact.refusal,
  }),
  'contact.update_cancelled': entry('contact', '0.1.0', 'Carrying a changed contact to a registry was given up.', {
    ...ofContactUpdate,
  }),
  'zone.created': entry('zone', '0.1.0', 'A zone has its first content.', fact.zoneChange),
  'zone.changed': entry('zone', '0.1.0', 'The content of a zone changed.', fact.zoneChange),
  'zone.published': entry('zone', '0.1.0', 'Every nameserver has the zone as it is.', fact.ofZone),
  'zone.deleted': entry('zone', '0.1.0', 'A zone was deleted by order.', fact.ofZone),
  'zone.withdrawn': entry('zone', '0.1.0', 'The zone of a name that left is no longer served.', fact.ofZone),
  'zone.template_refused': entry(
    'zone',
    '0.2.0',
    'A new zone began without the account’s default template, which does not fit any more.',
    fact.templateRefused,
  ),
  'zone_template.saved': entry('zone_template', '0.2.0', 'A zone template was made or changed.', fact.ofTemplate),
  'zone_template.deleted': entry('zone_template', '0.2.0', 'A zone template was deleted.', fact.ofTemplate),
  'forwarding.changed': seen('0.2.0', 'Web requests for the name are forwarded by other rules.', {
    version: fact.figure('Version of the rules.'),
    hosts: z.array(z.string()).readonly().describe('Hosts that are forwarded; @ is the name itself.'),
    rules: fact.figure('How many rules there are.'),
  }),
  'forwarding.ended': seen('0.2.0', 'Web requests for the name are forwarded no more.', {
    version: fact.figure('Version of the rules.'),
    cause: z.enum(['off', 'taken_over', 'zone_deleted']).describe('Why.'),
  }),
  'forwarding.certificate_issued': seen('0.2.0', 'The name has a certificate, for HTTPS at the edge.', {
    names: z.array(z.string()).readonly().describe('Names that it is for.'),
    not_after: fact.instant('When it ends; it is renewed before.'),
  }),
  'forwarding.certificate_failed': seen('0.2.0', 'A certificate for the name could not be had; it is tried again.', {
    reason: fact.text('Why.'),
    is_blocked: z.boolean().describe('It needs a change of the records of the name.'),
  }),
  'mail_forwarding.changed': seen('0.2.0', 'Mail for the name is forwarded by other addresses.', {
    version: fact.figure('Version of the addresses.'),
    addresses: fact.figure('How many addresses there are.'),
  }),
  'mail_forwarding.ended': seen('0.2.0', 'Mail for the name is forwarded no more.', {
    version: fact.figure('Version of the addresses.'),
    cause: z.enum(['off', 'taken_over', 'zone_deleted']).describe('Why.'),
  }),
  'mail_forwarding.mta_sts_changed': seen('0.2.0', 'Senders of mail to the name are asked for TLS in another way.', {
    mode: z
      .enum(['testing', 'enforce', 'none', 'off'])
      .describe('none: it is taken back. off: there is no policy of ours.'),
  }),
  'mail_target.confirmed': entry('mail_target', '0.2.0', 'The owner of an address agreed to forwarded mail.', ofTarget),
  'mail_target.stopped': entry('mail_target', '0.2.0', 'The owner of an address wants no forwarded mail.', ofTarget),
  'mail_target.lapsed': entry('mail_target', '0.2.0', 'The owner of an address did not answer in time.', ofTarget),
  'mail_target.failing': entry('mail_target', '0.2.0', 'An address refused forwarded mail again and again.', ofTarget),
  'balance.funded': entry('transaction', '0.1.0', 'Money was added to the account.', paid),
  'balance.debited': entry('transaction', '0.1.0', 'Money was taken from the account.', paid),
  'reseller.refunded': entry(
    'reseller',
    '0.2.0',
    'Money came back to a sub-reseller of yours that is deleted. It can be read, and taken off by a debit note.',
    {
      reseller_id: fact.id('The sub-reseller.'),
      transaction_id: fact.id('Its purchase.'),
      refunded: fact.money('What came back of it in all.'),
    },
  ),
  'order.waiting': entry('order', '0.2.0', 'An order was recorded that runs when it is paid or executed.', {
    ...ofWaiting,
    amount: fact.money('What the customer is billed.'),
    expires_at: fact.instant('Unpaid until then it is cancelled.'),
  }),
  'order.paid': entry('order', '0.2.0', 'The bill of an order was paid; one that waited was placed with it.', {
    customer_id: fact.id('The customer.'),
    domain_id: fact.id('The domain that it is for.'),
    amount: fact.money('How much.'),
  }),
  'order.cancelled': entry('order', '0.2.0', 'An order that waited was cancelled. Nothing was taken for it.', {
    ...ofWaiting,
    reason: z.enum(['asked', 'unpaid', 'gone']).describe('`unpaid`: nobody paid in time; `gone`: its name is.'),
  }),
  'invoice.issued': entry(
    'invoice',
    '0.2.0',
    'An invoice was issued: it has its number and does not change any more.',
    {
      ...ofDocument,
      due_on: fact.text('The day by which it is to be paid.'),
    },
  ),
  'credit_note.issued': entry(
    'invoice',
    '0.2.0',
    'A credit note was issued: it takes back an invoice, or a part of it.',
    {
      ...ofDocument,
      corrects_id: fact.text('The invoice that it takes back.'),
    },
  ),
  'payment.received': entry(
    'payment',
    '0.2.0',
    'Money came in that was waited for: it is on the balance of who paid. Bills that it was for are paid next.',
    {
      payment_id: fact.text('The payment.'),
      reference: fact.text('The reference that it came with.'),
      fate: z
        .enum(['matched', 'underpaid', 'overpaid', 'late'])
        .describe('As asked for, less, more, or after it was paid or cancelled.'),
      amount: fact.money('How much came.'),
      received: fact.money('How much came so far.'),
      expected: fact.money('How much was asked for.'),
      transaction_id: fact.id('The deposit.'),
    },
  ),
  'payment.charged_back': entry(
    'payment',
    '0.2.0',
    'A provider took back money that had come: it is off the balance of who paid, which may be below zero now. Bills that were paid with it stay paid.',
    {
      payment_id: fact.text('The payment.'),
      customer_id: fact.id('The customer who had paid; null: a sub-reseller had.').nullable(),
      payer_id: fact.id('The sub-reseller that had paid; null: a customer had.').nullable(),
      reference: fact.text('The reference that it had come with.'),
      amount: fact.money('How much was taken back.'),
      charged_back: fact.money('How much of this payment was taken back so far.'),
      transaction_id: fact.id('The note that took it off the balance.'),
    },
  ),
  'payment.not_used': entry(
    'payment',
    '0.2.0',
    'The money for bills is there, and they could not be paid with it: it stays on the balance of the customer.',
    {
      payment_id: fact.text('The payment.'),
      customer_id: fact.id('The customer.'),
      bill_ids: z.array(z.string()).readonly().describe('The bills.'),
      reason: fact.text('Why not.'),
    },
  ),
  'payment.unmatched': entry(
    'payment',
    '0.2.0',
    'A provider told of money that belongs to nothing that is waited for. Nothing was booked.',
    {
      provider: fact.text('The provider.'),
      event_id: fact.text("The provider's own id of it."),
      reason: fact.text('What does not fit.'),
    },
  ),
  'customer.funded': entry('customer', '0.1.0', 'Money was added to the account of a customer.', paid),
  'customer.debited': entry('customer', '0.1.0', 'Money was taken from the account of a customer.', paid),
  'approval.requested': entry('operation', '0.2.0', 'A change waits for the second yes of another key.', ofApproval),
  'approval.given': entry('operation', '0.2.0', 'The second yes was said; the change is carried out now.', ofApproval),
  'approval.declined': entry('operation', '0.2.0', 'The second yes was refused; nothing is changed.', ofApproval),
  'approval.lapsed': entry('operation', '0.2.0', 'Nobody said the second yes in time; nothing is changed.', ofApproval),
  'move.offered': entry(
    'operation',
    '0.2.0',
    'A name is offered to another reseller of the house: both hear of it.',
    ofOffer,
  ),
  'move.declined': entry(
    'operation',
    '0.2.0',
    'An offer was refused by the one side or taken back by the other; the name is where it was.',
    ofOffer,
  ),
  'move.lapsed': entry('operation', '0.2.0', 'Nobody answered an offer in time; the name is where it was.', ofOffer),
  'move.failed': entry(
    'operation',
    '0.2.0',
    'An offer was accepted, but the move came to nothing; told to who should have got the name.',
    ofMove,
  ),
  'holder_change.asked': entry(
    'operation',
    '0.2.0',
    'Both sides of a change of the holder were asked to confirm it; nothing of it is done before.',
    ofHolderChange,
  ),
  'holder_change.confirmed': entry('operation', '0.2.0', 'One side has confirmed a change of the holder.', {
    ...ofHolderChange,
    side: z.enum(sides).describe('Who: the prior holder, also where one address stands for both, or the new one.'),
    lock_opt_out: z.boolean().describe('No lock against transfers follows, as it stands now.'),
  }),
  'holder_change.declined': entry(
    'operation',
    '0.2.0',
    'A change of the holder was given up, or one side refused it; the holder is who it was.',
    ofHolderChange,
  ),
  'holder_change.lapsed': entry(
    'operation',
    '0.2.0',
    'A change of the holder was not confirmed in time; the holder is who it was.',
    ofHolderChange,
  ),
  'holder_change.done': entry(
    'operation',
    '0.2.0',
    'A change of the holder that was confirmed is done.',
    ofHolderChange,
  ),
  'account.security_changed': entry(
    'reseller',
    '0.2.0',
    'What needs a second yes, or how new names start, was chosen anew.',
    {
      before: chosen.describe('As it was.'),
      after: chosen.describe('As it is.'),
      key_id: askedBy,
    },
  ),
  'notice.undelivered': entry('notice', '0.2.0', 'A notice could not be delivered, or came back.', {
    notice_id: fact.text('The notice.'),
    kind: fact.text('What it told of.'),
    domain_id: fact.id('The domain; null: none.').nullable(),
    contact_id: fact.id('The contact whose address it was; null: none.').nullable(),
  }),
  'account.temp_password_made': entry(
    'reseller',
    '0.2.0',
    'A temporary password was made, which opens the account together with an invitation.',
    {
      reseller_id: fact.id('The account that it opens.'),
      expires_at: fact.instant('Until when it is good.'),
      by_parent: z.boolean().describe('By the account above, not by the account itself.'),
    },
  ),
  'customer.access_granted': entry(
    'customer',
    '0.2.0',
    'A customer was given access, or a temporary password for its sign-in was made.',
    fact.ofAccessGrant,
  ),
  'invitation.accepted': entry('invitation', '0.2.0', 'One who was invited has redeemed the invitation.', {
    reseller_id: fact.id('The account that was invited.'),
    invitation_id: fact.text('The invitation.'),
    key_id: fact.text('The first key of the account.'),
    address: fact.text('The address that it was redeemed from.'),
  }),
};

type Events = typeof events;
export type EventType = keyof Events;
export type PayloadOf<T extends EventType> = z.input<Events[T]['payload']>;

/** Events about a domain, and those of them that an operation brings about. */
export type DomainEvent = { [T in EventType]: Events[T]['object'] extends 'domain' ? T : never }[EventType];
export type OperationEvent = {
  [T in DomainEvent]: 'operation_id' extends keyof PayloadOf<T> ? T : never;
}[DomainEvent];
