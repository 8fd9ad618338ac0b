import { z } from 'zod';
import { guardedKinds } from '../model/approval.ts';
import { renewalModes } from '../model/domain.ts';
import { sides } from '../model/registrant-change.ts';
import { cancelled, done, entry, ofMove, ofOffer, ofTarget, refused, seen } from './entry.ts';
import * as fact from './facts.ts';

/** The catalogue of events that a reseller can read. docs/events is generated from it. */

const expiresAt = fact.instant('End of the term.');
const renewBy = fact.instant('Last moment to renew; null: not known.').nullable();
const redemptionEndsAt = fact.instant('Last moment to restore; null: not possible.').nullable();
const requestedBy = fact.text('The API key of the request; null: none.').nullable();
const registryId = fact.text('The registry.');
const ofContactUpdate = {
  contact_id: fact.id('The contact.'),
  domains: z.array(z.string()).readonly().describe('Domains whose registration data change; the first 100.'),
  operation_id: fact.text('The operation that sends the change to the registry.'),
};
const ofApproval = {
  operation_id: fact.text('The operation that waits.'),
  domain_id: fact.id('The domain; null: the account itself.').nullable(),
  domain_name: fact.text('The domain name, in A-labels; null: the account itself.').nullable(),
  change: z.enum([...guardedKinds, 'security', 'move', 'holder']).describe('Kind of the change.'),
  wanted: z.record(z.string(), z.unknown()).describe('The requested values, without auth codes.'),
  asked_by: fact.text('The API key or user of the request.'),
  until: fact.instant('Expires at this time without a response.'),
  key_id: fact.text('The API key of the request; null: the scheduler.').nullable(),
};
const ofRegistrantChange = {
  operation_id: fact.text('The operation that waits.'),
  domain_id: fact.id('The domain; null: the data of a registrant contact change.').nullable(),
  contact_id: fact.id('The contact; null: a domain gets another registrant contact.').nullable(),
  domains: z.array(z.string()).readonly().describe('Domains that get another registrant; the first 100.'),
  until: fact.instant('Expires at this time without all confirmations.'),
  key_id: fact.text('The API key of the request; null: a registrant, or the scheduler.').nullable(),
};
const ofDocument = {
  number: fact.text('The number.'),
  customer_id: fact.id('The customer; null: a sub-reseller.').nullable(),
  reseller_id: fact.id('The sub-reseller; null: a customer.').nullable(),
  transaction_id: fact.id('The bill; null: a month of a sub-reseller.').nullable(),
  total: fact.money('The amount including tax.'),
};
const chosen = z.strictObject({
  second_yes: z.array(z.enum(guardedKinds)).readonly().describe('Kinds of changes that need approval.'),
  theft_protection: z
    .boolean()
    .nullable()
    .describe('Whether new domains start with it; null: the default of the operator.'),
});
const ofWaiting = {
  domain_id: fact.id('The domain of the order.'),
  domain_name: fact.text('The domain name, in A-labels.'),
  customer_id: fact.id('The customer.'),
};
const paid = { transaction_id: fact.id('The transaction.'), amount: fact.money('The amount.') };

export const events = {
  'domain.registered': done('0.1.0', 'A domain was registered and paid.', { expires_at: expiresAt }),
  'domain.verification_asked': seen('0.2.0', 'The registrant was asked by email to confirm the email address.', {
    verify_by: fact.instant('Deadline of the confirmation.'),
  }),
  'domain.verified': seen('0.2.0', 'The registrant confirmed the email address.', {}),
  'domain.registration_pending': done(
    '0.1.0',
    'The registry reviews a registration. Sent again if the registry changes its message.',
    {
      review: z.string().nullable().optional().describe('The message of the registry, such as required documents.'),
    },
  ),
  'domain.registration_refused': refused(
    '0.1.0',
    'The registry refused a registration. The money on hold is released.',
  ),
  'domain.registration_cancelled': cancelled('0.1.0', 'A registration was cancelled. The money on hold is released.'),
  'domain.protection_failed': done(
    '0.2.0',
    'Theft protection could not be set for a new domain. Namehold will retry.',
    {
      reason: fact.text('The reason.'),
    },
  ),
  'domain.renewed': done('0.1.0', 'A domain was renewed and paid.', {
    expires_at: expiresAt,
    years: fact.figure('Years added.'),
    automatic: z.boolean().optional().describe('Renewed by the renewal mode, not by an order of the reseller.'),
  }),
  'domain.renewal_mode_changed': seen('0.2.0', 'The renewal mode of a domain was changed.', {
    renewal_mode: z.enum(renewalModes).describe('The renewal mode.'),
    before: z.enum(renewalModes).describe('The previous mode.'),
    key_id: requestedBy,
  }),
  'domain.auto_renewal_failed': seen('0.2.0', 'An automatic renewal failed. Namehold retries every day.', {
    code: fact.text('The error code.'),
    reason: fact.text('The reason, as a sentence.'),
    missing: fact.money('The missing amount, if the balance is too low.').optional(),
    expires_at: expiresAt,
    next_try_at: fact.instant('Time of the next attempt.'),
  }),
  'domain.renewal_refused': refused('0.1.0', 'The registry refused a renewal. The money on hold is released.'),
  'domain.renewal_cancelled': cancelled('0.1.0', 'A renewal was cancelled. The money on hold is released.'),
  'domain.deleted': done('0.1.0', 'A domain was deleted, by order or because it was not renewed.', {
    because: z.enum(['asked', 'expired']).describe('By order, or because it was not renewed.'),
    refunded: z
      .array(
        z.strictObject({
          transaction_id: fact.id('The transaction.'),
          amount: fact.text('Decimal figure in the major unit.'),
          currency: fact.text('ISO 4217 code.'),
        }),
      )
      .readonly()
      .describe('Transactions that were refunded within their grace period.'),
    redemption_ends_at: redemptionEndsAt,
  }),
  'domain.deletion_refused': refused('0.1.0', 'The registry refused a deletion.'),
  'domain.deletion_cancelled': cancelled('0.1.0', 'A deletion was cancelled.'),
  'domain.restored': done('0.1.0', 'A deleted domain was restored and paid.', { expires_at: expiresAt.nullable() }),
  'domain.restore_refused': refused('0.1.0', 'The registry refused a restore. The money on hold is released.'),
  'domain.restore_cancelled': cancelled('0.1.0', 'A restore was cancelled. The money on hold is released.'),
  'domain.update_ordered': seen(
    '0.2.0',
    'A sensitive change was ordered and is not complete yet: nameservers, child nameservers, DS records, auth code, theft protection off, lock off.',
    {
      key_id: requestedBy,
      operation_id: fact.ofOperation.operation_id,
      change: z.enum(guardedKinds).describe('Kind of the change.'),
      wanted: z.record(z.string(), z.unknown()).describe('The requested values, without auth codes.'),
    },
  ),
  'domain.auth_code_given': seen('0.2.0', 'An auth code was read.', { key_id: requestedBy }),
  'domain.updated': seen(
    '0.1.0',
    'Nameservers, contacts, locks, DS records, auth code, privacy or child nameservers changed.',
    {
      // Contacts that no registry keeps change without an operation.
      operation_id: fact.ofOperation.operation_id.optional(),
      transaction_id: fact.ofOperation.transaction_id.optional(),
      changed: z.array(z.string()).readonly().describe('Kind of the change.'),
      before: fact.settings.describe('The previous values of the changed fields.'),
      after: fact.settings.describe('The new values of the changed fields.'),
    },
  ),
  'domain.update_refused': done('0.1.0', 'The registry refused a change.', {
    change: fact.text('Kind of the change.'),
    ...fact.refusal,
  }),
  'domain.update_cancelled': cancelled('0.1.0', 'A change was cancelled.'),
  'domain.moved': done('0.2.0', 'A domain was moved to another customer of the same reseller.', {
    from_customer_id: fact.id('The previous customer.'),
    to_customer_id: fact.id('The new customer.'),
  }),
  'domain.moved_away': done('0.2.0', 'A domain was moved to another reseller of the service. A tombstone stays.', {
    to_reseller_id: fact.id('The new reseller.'),
    by: z.enum(['offer', 'code']).optional().describe('By your offer, or by the auth code.'),
  }),
  'domain.moved_in': seen('0.2.0', 'A domain was received from another reseller of the service.', {
    operation_id: fact.ofOperation.operation_id,
    from_reseller_id: fact.id('The previous reseller.'),
    customer_id: fact.id('The new customer.'),
    expires_at: expiresAt.nullable(),
  }),
  'domain.move_refused': refused('0.2.0', 'A move failed. The domain was not moved.'),
  'domain.move_cancelled': cancelled('0.2.0', 'A move was cancelled. The domain was not moved.'),
  'domain.purchase_refunded': seen(
    '0.2.0',
    'A purchase was refunded because the domain was deleted within a grace period, by you or by the reseller that received it.',
    { transaction_id: fact.id('Your transaction.'), refunded: fact.money('The total refund of this transaction.') },
  ),
  'domain.privacy_refused': refused('0.1.0', 'The registry refused privacy protection. The money on hold is released.'),
  'domain.privacy_cancelled': cancelled(
    '0.1.0',
    'A purchase of privacy protection was cancelled. The money on hold is released.',
  ),
  'domain.expiring': seen('0.1.0', 'The term ends soon. Sent 30 and 7 days before by default.', {
    days: fact.figure('Maximum number of days left.'),
    expires_at: expiresAt,
    renew_by: renewBy,
  }),
  'domain.expired': seen('0.1.0', 'The term has ended.', {
    expired_at: fact.instant('End of the term.'),
    renew_by: renewBy,
  }),
  'domain.overdue': seen(
    '0.2.0',
    'The domain was not deleted in time, so the registry charges an unpaid year. The domain is kept for some days; a renewal pays for that year.',
    {
      expired_at: fact.instant('End of the paid term.'),
      renew_by: fact.instant('Last moment to renew.'),
    },
  ),
  'domain.interrupted': done('0.2.0', 'The domain is unpaid and does not resolve until it is renewed.', {
    expired_at: fact.instant('End of the paid term.'),
    renew_by: renewBy,
  }),
  'domain.interruption_ended': done('0.2.0', 'A domain that was interrupted because it was unpaid resolves again.', {}),
  'domain.transfer_in_pending': done(
    '0.2.0',
    'The registry accepted a transfer in. The current registrar must decide.',
    {
      from_registrar: fact.text('The current registrar, as named by the registry.'),
      requested_at: fact.instant('When the transfer was requested, at the registry; null: not reported.').nullable(),
      action_at: fact
        .instant('Deadline of the decision. At most registries no response counts as approval. Null: not reported.')
        .nullable(),
    },
  ),
  'domain.transfer_code_refused': done(
    '0.2.0',
    'The registry refused the auth code of a transfer in. The order waits for another code, and its money stays on hold.',
    {
      ...fact.refusal,
      until: fact.instant('Without another code by this time the order ends, and its money is released.'),
    },
  ),
  'domain.transferred_in': done('0.2.0', 'A domain was transferred in and paid.', {
    expires_at: expiresAt,
    from_registrar: fact.text('The previous registrar, as named by the registry; null: not reported.').nullable(),
  }),
  'domain.transfer_incomplete': done(
    '0.2.0',
    'A domain was transferred in, but the registry refused its contacts or nameservers. Set them again.',
    { reason: fact.text('The message of the registry.') },
  ),
  'domain.transfer_in_refused': refused('0.2.0', 'A transfer in failed. The money on hold is released.'),
  'domain.transfer_in_cancelled': cancelled('0.2.0', 'A transfer in was cancelled. The money on hold is released.'),
  'domain.redemption': seen('0.1.0', 'The domain is deleted and can be restored.', {
    redemption_ends_at: redemptionEndsAt,
  }),
  'domain.pending_delete': seen('0.1.0', 'The domain will be dropped and can no longer be restored.', {
    redemption_ends_at: redemptionEndsAt,
  }),
  'domain.transfer_requested': seen('0.1.0', 'Another registrar requested a transfer of the domain.', {
    registrar: fact.text('The requesting registrar, as named by the registry; null: not reported.').nullable(),
    requested_at: fact.instant('When the transfer was requested; null: not known.').nullable(),
    action_at: fact.instant('When the registry approves automatically; null: not known.').nullable(),
  }),
  'domain.transfer_approved': done('0.2.0', 'A transfer to another registrar was approved by order.', {
    registrar: fact.text('The gaining registrar, as named by the registry.').nullable(),
  }),
  'domain.transfer_rejected': done('0.2.0', 'A transfer to another registrar was rejected by order.', {
    registrar: fact.text('The requesting registrar, as named by the registry.').nullable(),
    reason: fact.text('The reason, from the list of reasons.'),
  }),
  'domain.transfer_answer_refused': refused('0.2.0', 'The registry refused the response to a transfer.'),
  'domain.transfer_answer_cancelled': cancelled(
    '0.2.0',
    'The response to a transfer was cancelled before it was sent.',
  ),
  'domain.transfer_ended': seen('0.1.0', 'A transfer to another registrar ended without success. The domain stays.', {
    status: fact.text('The status at the registry (RFC 5730 2.9.3.4); null: not reported.').nullable(),
  }),
  'domain.transferred_away': seen('0.1.0', 'The domain was transferred to another registrar.', {
    sponsor: fact.text('The registrar, as named by the registry.').nullable(),
    at: fact.instant('Time of the transfer at the registry; null: not reported.').nullable(),
  }),
  'domain.dropped': seen('0.1.0', 'The domain no longer exists at its registry.', {}),
  'domain.found_again': seen('0.2.0', 'A domain that was recorded as gone exists at the registry again.', {
    expires_at: expiresAt.nullable(),
  }),
  'domain.imported': seen('0.1.0', 'A domain that exists at the registry was imported.', {
    expires_at: expiresAt.nullable(),
  }),
  'domain.watched': seen(
    '0.2.0',
    'A domain was put on the watch list or removed from it. Watched domains are compared every few minutes.',
    {
      watched: z.boolean().describe('Watched by the reseller.'),
      watched_by_operator: z.boolean().describe('Watched by the operator.'),
    },
  ),
  'domain.changed_at_registry': seen(
    '0.2.0',
    'The registry reported a change that was made there, such as by a dispute, a court or its support (RFC 8590).',
    {
      operation: fact.text('The action: update, delete, renew, transfer, restore, autoRenew, custom and others.'),
      detail: fact.text('Detail of the action, or the name of a custom one.').nullable(),
      who: fact.text('The actor, as reported by the registry.'),
      reason: fact.text('The reason, as reported by the registry.').nullable(),
      dispute: z
        .strictObject({ type: fact.text('The type: udrp, urs or another.'), id: fact.text('The number.') })
        .nullable()
        .describe('The dispute case.'),
      at: fact.instant('Time of the change.'),
      state: z.enum(['before', 'after']).describe('Whether the message shows the state before or after the change.'),
      statuses: z.array(z.string()).readonly().describe('The statuses in that state.'),
    },
  ),
  'domain.registry_hold': seen('0.2.0', 'The registry removed the domain from the DNS, or added it again.', {
    because: z
      .enum(['unverified', 'other'])
      .nullable()
      .describe('unverified: the registry has no valid confirmation of the registrant; null: the hold has ended.'),
  }),
  'domain.drift': seen('0.1.0', 'The registry data differ from the stored data.', {
    drift: z
      .array(
        z.strictObject({
          field: fact.text('The field that differs.'),
          ours: z.unknown().describe('The stored value.'),
          theirs: z.unknown().describe('The value at the registry.'),
          action: z.enum(['repaired', 'adopted', 'reported']).describe('The action of the service.'),
        }),
      )
      .readonly()
      .describe('The new differences.'),
  }),
  'domain.repaired': done('0.1.0', 'A difference was repaired at the registry.', {
    fields: z.array(z.string()).readonly().describe('The repaired fields.'),
  }),
  'domain.repair_refused': refused('0.1.0', 'The registry refused a repair.'),
  'domain.repair_cancelled': cancelled('0.1.0', 'A repair was cancelled.'),
  'contact.updated': entry('contact', '0.1.0', 'A changed contact was updated at a registry.', {
    ...ofContactUpdate,
    registry_id: registryId,
  }),
  'contact.update_refused': entry('contact', '0.1.0', 'A registry refused a changed contact.', {
    ...ofContactUpdate,
    ...fact.refusal,
  }),
  'contact.update_cancelled': entry('contact', '0.1.0', 'The update of a contact at a registry was cancelled.', {
    ...ofContactUpdate,
  }),
  'zone.created': entry('zone', '0.1.0', 'A zone was created.', fact.zoneChange),
  'zone.changed': entry('zone', '0.1.0', 'The content of a zone changed.', fact.zoneChange),
  'zone.published': entry('zone', '0.1.0', 'Every nameserver serves the current zone.', fact.ofZone),
  'zone.deleted': entry('zone', '0.1.0', 'A zone was deleted by order.', fact.ofZone),
  'zone.withdrawn': entry(
    'zone',
    '0.1.0',
    'The zone of a domain that left the account is no longer served.',
    fact.ofZone,
  ),
  'zone.template_refused': entry(
    'zone',
    '0.2.0',
    'A new zone was created without the default template of the account, because the template no longer fits.',
    fact.templateRefused,
  ),
  'zone_template.saved': entry('zone_template', '0.2.0', 'A zone template was created or changed.', fact.ofTemplate),
  'zone_template.deleted': entry('zone_template', '0.2.0', 'A zone template was deleted.', fact.ofTemplate),
  'forwarding.changed': seen('0.2.0', 'The URL forwarding rules of a domain changed.', {
    version: fact.figure('Version of the rules.'),
    hosts: z.array(z.string()).readonly().describe('Forwarded hosts; @ is the domain itself.'),
    rules: fact.figure('Number of rules.'),
  }),
  'forwarding.ended': seen('0.2.0', 'URL forwarding of a domain ended.', {
    version: fact.figure('Version of the rules.'),
    cause: z.enum(['off', 'taken_over', 'zone_deleted']).describe('The reason.'),
  }),
  'forwarding.certificate_issued': seen('0.2.0', 'A certificate for HTTPS forwarding was issued.', {
    names: z.array(z.string()).readonly().describe('The names in the certificate.'),
    not_after: fact.instant('End of validity; the certificate is renewed before.'),
  }),
  'forwarding.certificate_failed': seen('0.2.0', 'A certificate could not be issued. Namehold will retry.', {
    reason: fact.text('The reason.'),
    is_blocked: z.boolean().describe('The DNS records of the domain must be changed first.'),
  }),
  'mail_forwarding.changed': seen('0.2.0', 'The email forwarding addresses of a domain changed.', {
    version: fact.figure('Version of the addresses.'),
    addresses: fact.figure('Number of addresses.'),
  }),
  'mail_forwarding.ended': seen('0.2.0', 'Email forwarding of a domain ended.', {
    version: fact.figure('Version of the addresses.'),
    cause: z.enum(['off', 'taken_over', 'zone_deleted']).describe('The reason.'),
  }),
  'mail_forwarding.mta_sts_changed': seen('0.2.0', 'The MTA-STS mode of a domain changed.', {
    mode: z
      .enum(['testing', 'enforce', 'none', 'off'])
      .describe('none: the policy is being withdrawn. off: Namehold publishes no policy.'),
  }),
  'mail_target.confirmed': entry(
    'mail_target',
    '0.2.0',
    'The owner of a target address agreed to receive forwarded mail.',
    ofTarget,
  ),
  'mail_target.stopped': entry(
    'mail_target',
    '0.2.0',
    'The owner of a target address refused forwarded mail.',
    ofTarget,
  ),
  'mail_target.lapsed': entry(
    'mail_target',
    '0.2.0',
    'The owner of a target address did not respond in time.',
    ofTarget,
  ),
  'mail_target.failing': entry('mail_target', '0.2.0', 'A target address refused forwarded mail repeatedly.', ofTarget),
  'balance.funded': entry('transaction', '0.1.0', 'Money was added to the account.', paid),
  'balance.debited': entry('transaction', '0.1.0', 'Money was taken from the account.', paid),
  'reseller.refunded': entry(
    'reseller',
    '0.2.0',
    'A deleted sub-reseller got a refund. It stays readable and can be removed with a debit note.',
    {
      reseller_id: fact.id('The sub-reseller.'),
      transaction_id: fact.id('The transaction.'),
      refunded: fact.money('The total refund of this transaction.'),
    },
  ),
  'order.waiting': entry('order', '0.2.0', 'An order was stored. It runs when it is paid or executed.', {
    ...ofWaiting,
    amount: fact.money('The amount billed to the customer.'),
    expires_at: fact.instant('The order is cancelled at this time if it is unpaid.'),
  }),
  'order.paid': entry('order', '0.2.0', 'The bill of an order was paid. A waiting order was placed.', {
    customer_id: fact.id('The customer.'),
    domain_id: fact.id('The domain of the order.'),
    amount: fact.money('The amount.'),
  }),
  'order.cancelled': entry('order', '0.2.0', 'A waiting order was cancelled. Nothing was charged.', {
    ...ofWaiting,
    reason: z
      .enum(['asked', 'unpaid', 'gone'])
      .describe(
        '`asked`: cancelled by request; `unpaid`: not paid in time; `gone`: the domain of the order no longer exists.',
      ),
  }),
  'invoice.issued': entry('invoice', '0.2.0', 'An invoice was issued. It has a number and no longer changes.', {
    ...ofDocument,
    due_on: fact.text('The due date.'),
  }),
  'credit_note.issued': entry('invoice', '0.2.0', 'A credit note was issued for an invoice, or a part of it.', {
    ...ofDocument,
    corrects_id: fact.text('The credited invoice.'),
  }),
  'payment.received': entry(
    'payment',
    '0.2.0',
    'An expected payment arrived and is on the balance of the payer. Its bills are paid next.',
    {
      payment_id: fact.text('The payment.'),
      reference: fact.text('The reference of the payment.'),
      fate: z
        .enum(['matched', 'underpaid', 'overpaid', 'late'])
        .describe('As expected, less, more, or after it was paid or cancelled.'),
      amount: fact.money('The received amount.'),
      received: fact.money('The total received so far.'),
      expected: fact.money('The expected amount.'),
      transaction_id: fact.id('The deposit.'),
    },
  ),
  'payment.charged_back': entry(
    'payment',
    '0.2.0',
    'A payment provider took back a payment. The amount was deducted from the balance of the payer, which can be negative. Bills that were paid with it stay paid.',
    {
      payment_id: fact.text('The payment.'),
      customer_id: fact.id('The customer that paid; null: a sub-reseller.').nullable(),
      payer_id: fact.id('The sub-reseller that paid; null: a customer.').nullable(),
      reference: fact.text('The reference of the payment.'),
      amount: fact.money('The amount that was taken back.'),
      charged_back: fact.money('The total taken back of this payment so far.'),
      transaction_id: fact.id('The debit note.'),
    },
  ),
  'payment.not_used': entry(
    'payment',
    '0.2.0',
    'A payment arrived, but its bills could not be paid. The money stays on the balance of the customer.',
    {
      payment_id: fact.text('The payment.'),
      customer_id: fact.id('The customer.'),
      bill_ids: z.array(z.string()).readonly().describe('The bills.'),
      reason: fact.text('The reason.'),
    },
  ),
  'payment.unmatched': entry(
    'payment',
    '0.2.0',
    'A provider reported a payment that matches no expected payment. Nothing was booked.',
    {
      provider: fact.text('The provider.'),
      event_id: fact.text("The provider's id of the payment event."),
      reason: fact.text('The reason for the mismatch.'),
    },
  ),
  'customer.funded': entry('customer', '0.1.0', 'Money was added to the account of a customer.', paid),
  'customer.debited': entry('customer', '0.1.0', 'Money was taken from the account of a customer.', paid),
  'approval.requested': entry(
    'operation',
    '0.2.0',
    'A change waits for the approval of another key or user.',
    ofApproval,
  ),
  'approval.given': entry('operation', '0.2.0', 'A change was approved. It is carried out now.', ofApproval),
  'approval.declined': entry('operation', '0.2.0', 'A change was rejected. Nothing changed.', ofApproval),
  'approval.lapsed': entry('operation', '0.2.0', 'A change was not approved in time. Nothing changed.', ofApproval),
  'move.offered': entry(
    'operation',
    '0.2.0',
    'A domain was offered to another reseller of the service. Both get this event.',
    ofOffer,
  ),
  'move.declined': entry(
    'operation',
    '0.2.0',
    'An offer was rejected or withdrawn. The domain was not moved.',
    ofOffer,
  ),
  'move.lapsed': entry('operation', '0.2.0', 'An offer expired without a response. The domain was not moved.', ofOffer),
  'move.failed': entry(
    'operation',
    '0.2.0',
    'An offer was accepted, but the move failed. Sent to the receiving reseller.',
    ofMove,
  ),
  'holder_change.asked': entry(
    'operation',
    '0.2.0',
    'Both registrants were asked to confirm a change of registrant. Nothing changes before.',
    ofRegistrantChange,
  ),
  'holder_change.confirmed': entry('operation', '0.2.0', 'One registrant confirmed a change of registrant.', {
    ...ofRegistrantChange,
    side: z.enum(sides).describe('The prior or the new registrant; `prior` if both have the same address.'),
    lock_opt_out: z.boolean().describe('Whether the transfer lock is waived, as of now.'),
  }),
  'holder_change.declined': entry(
    'operation',
    '0.2.0',
    'A change of registrant was cancelled or refused. The registrant did not change.',
    ofRegistrantChange,
  ),
  'holder_change.lapsed': entry(
    'operation',
    '0.2.0',
    'A change of registrant was not confirmed in time. The registrant did not change.',
    ofRegistrantChange,
  ),
  'holder_change.done': entry(
    'operation',
    '0.2.0',
    'A confirmed change of registrant is complete.',
    ofRegistrantChange,
  ),
  'account.security_changed': entry(
    'reseller',
    '0.2.0',
    'The security settings changed: changes that need approval, or the default theft protection.',
    {
      before: chosen.describe('The previous settings.'),
      after: chosen.describe('The new settings.'),
      key_id: requestedBy,
    },
  ),
  'notice.undelivered': entry('notice', '0.2.0', 'An email notice could not be delivered, or bounced.', {
    notice_id: fact.text('The notice.'),
    kind: fact.text('Kind of the notice.'),
    domain_id: fact.id('The domain; null: none.').nullable(),
    contact_id: fact.id('The contact of the recipient; null: none.').nullable(),
  }),
  'account.temp_password_made': entry(
    'reseller',
    '0.2.0',
    'A temporary password was created. With an invitation it gives access to the account.',
    {
      reseller_id: fact.id('The account.'),
      expires_at: fact.instant('End of validity.'),
      by_parent: z.boolean().describe('Created by the parent account, not by the account itself.'),
    },
  ),
  'customer.access_granted': entry(
    'customer',
    '0.2.0',
    'A customer was given access, a temporary password for the customer was created, or the email address of a customer with access was changed.',
    fact.ofAccessGrant,
  ),
  'customer.access_reduced': entry(
    'customer',
    '0.2.0',
    'The access of a customer was reduced or removed.',
    fact.ofAccessReduction,
  ),
  'invitation.accepted': entry('invitation', '0.2.0', 'An invitation was accepted.', {
    reseller_id: fact.id('The invited account.'),
    invitation_id: fact.text('The invitation.'),
    key_id: fact.text('The first key of the account.'),
    address: fact.text('The IP address of the acceptance.'),
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
