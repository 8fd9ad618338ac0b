import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation, InstallationCall } from '../faults/world.ts';
import { read } from './facts.ts';
import { ownerOf } from './moves.ts';
import type { Play } from './player.ts';
import { openContact, type Trader } from './resellers.ts';
import type { Step } from './script.ts';

/** A registrant with its own address, which must be confirmed (docs/guide/notices.md). */
export interface RegistrantState {
  readonly contactId: string;
  readonly email: string;
  readonly of: Trader;
  /** It confirms as soon as the mail arrives. */
  isWilling: boolean;
  /** Confirmations that failed. */
  inVain: number;
  confirmedAt?: number;
}

/** While no order is open. */
export async function newRegistrant(play: Play, step: Step & { do: 'registrant' }): Promise<void> {
  const { installation, ledger } = play;
  const name = ledger.names[step.name] ?? '';
  const of = ownerOf(play, step.name);
  const email = `holder@${name}`;
  const contactId = await openContact(installation, of.caller, of.customerId, {
    email,
    name: `Holder of ${step.name}`,
  });
  ledger.registrants.set(name, { contactId, email, of, isWilling: false, inVain: 0 });
}

const mailsAtMost = 100;
const link = /https?:\/\/[^\s/]+(\/confirm\/[^\s"<]+)/;

/** Every mail is read and its link confirmed, at a running service: two domains may have mailed the same address. */
async function click(installation: Installation, registrant: RegistrantState): Promise<void> {
  const { status, body } = await read(installation, `/v1/sandbox/mail?limit=${mailsAtMost}`, registrant.of.caller);
  if (status !== 200) return;
  const mails = (body as { to: string; text: string }[]).filter(({ to }) => to.includes(registrant.email));
  for (const { text } of mails) {
    const path = link.exec(text)?.[1];
    if (path === undefined) continue;
    const service = installation.services.find((each) => each.isAlive && !each.isPaused);
    const answered = await fetch(`${service?.baseUrl}${path}`, { method: 'POST' }).catch(() => undefined);
    if (answered?.status === 200) registrant.confirmedAt = await installation.now();
  }
}

export async function confirm({ installation, ledger }: Play, name: string): Promise<void> {
  const registrant = ledger.registrants.get(name);
  if (registrant === undefined || registrant.confirmedAt !== undefined) return;
  registrant.isWilling = true;
  await click(installation, registrant);
}

/** Registrants that should confirm do so by then. */
export async function confirmAll({ installation, ledger }: Play, isAsked: (name: string) => boolean): Promise<boolean> {
  let isQuiet = true;
  for (const [name, registrant] of ledger.registrants) {
    if (!registrant.isWilling || registrant.confirmedAt !== undefined || !isAsked(name)) continue;
    await click(installation, registrant);
    if (registrant.confirmedAt !== undefined) continue;
    await requestAgain(installation, name, registrant);
    if (registrant.isWilling) isQuiet = false;
  }
  return isQuiet;
}

/** Waits until an order is executed; on a busy machine the call returns earlier. */
async function carriedOut(
  installation: Installation,
  called: InstallationCall,
  caller: Trader['caller'],
): Promise<void> {
  let { status, body } = called;
  const path = `/v1/operations/${body?.operation_id}`;
  for (let left = tries; status < 300 && body?.state !== 'done' && !body?.is_final && left > 0; left--) {
    await sleep(200);
    ({ status, body } = await read(installation, path, caller));
  }
  if (body?.state !== 'done') throw new Error(`not carried out: ${status} ${JSON.stringify(body)}`);
}

/** Within its add grace period, so that the domain does not stay. */
const drop = async (installation: Installation, name: string, caller: Trader['caller']): Promise<void> =>
  carriedOut(installation, await installation.call('DELETE', `/v1/domains/${name}`, { as: caller }), caller);

const tries = 1_000;
const resendAfter = 8;
const inVainAtMost = 60;

/** A link is valid for 30 days, and only a live domain gets another. Registrants without one do not respond from then on. */
async function requestAgain(installation: Installation, name: string, registrant: RegistrantState): Promise<void> {
  registrant.inVain += 1;
  if (registrant.inVain > inVainAtMost) registrant.isWilling = false;
  if (registrant.inVain !== resendAfter) return;
  const path = `/v1/domains/${name}/raa_verification/resend`;
  const { status } = await installation.call('POST', path, { form: {}, as: registrant.of.caller });
  if (status >= 400 && status < 500) registrant.isWilling = false;
}

/** The addresses that most domains share are confirmed before the script, each by a domain of its own. */
export async function confirmShared(installation: Installation, chain: readonly Trader[]): Promise<void> {
  for (const { caller, customerId, contacts, level } of chain)
    for (const [place, contact] of contacts.entries())
      await confirmOne(installation, caller, customerId, contact, `${level}${place}`);
}

async function confirmOne(
  installation: Installation,
  caller: Trader['caller'],
  customerId: string,
  contact: string,
  label: string,
): Promise<void> {
  const name = `shared-${label}-${Date.now().toString(36)}.com`;
  const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, contact]);
  const form = { domain_name: name, customer_id: customerId, years: '1', invoice_option: 'no_invoice' };
  const bought = await installation.call('POST', '/v1/domains', {
    form: { ...form, ...Object.fromEntries(roles) },
    as: caller,
  });
  await carriedOut(installation, bought, caller);
  for (let left = tries; left > 0; left--) {
    const { body } = await read(installation, `/v1/domains/${name}/raa_verification`, caller);
    if (body.status === 'Verified') return drop(installation, name, caller);
    const registrant: RegistrantState = {
      contactId: contact,
      email: body.email ?? '',
      of: { caller } as Trader,
      isWilling: true,
      inVain: 0,
    };
    await click(installation, registrant);
    await sleep(200);
  }
  throw new Error(`the address of contact ${contact} cannot be confirmed`);
}
