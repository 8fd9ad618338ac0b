import type { AppContext } from '../../core/app-context.ts';
import type { RegistryRow } from '../../core/registries/registry.sql.ts';
import type { Probed } from '../../core/registries/test.ts';
import { Breaker } from '../breaker.ts';
import { LoginAlarm } from '../login-alarm.ts';
import { objectOf, objectsOf, textOf } from './fields.ts';
import { openUpstream } from './open.ts';
import type { Upstream } from './upstream.ts';

/** A larger number gives no more information. */
const maxTlds = 10;

/** `namehold registry test` for an upstream: queries only, which change nothing there. */
export async function probeUpstream(ctx: AppContext, row: RegistryRow): Promise<Probed> {
  const around = {
    breaker: new Breaker(),
    metrics: { observe: () => undefined, countOrphanedContact: () => undefined },
    loginAlarm: new LoginAlarm(ctx, row.id),
    owner: `test-${ctx.engine.owner}`,
  };
  let opened: Awaited<ReturnType<typeof openUpstream>>;
  try {
    opened = await openUpstream(ctx, row, around);
  } catch (error) {
    return { kind: 'failed', why: (error as Error).message };
  }
  const { upstream, registry, close } = opened;
  try {
    const balance = await upstream.account.fetchReply('/account/balance');
    if (balance.kind !== 'done')
      return { kind: 'failed', why: balance.kind === 'refused' ? (balance.evidence.text ?? '') : balance.why };
    const label = `nh-test-${ctx.ids.text(16, 'abcdefghijkmnpqrstuvwxyz')}`;
    const findings: string[] = [];
    for (const tld of upstream.tlds.slice(0, maxTlds)) {
      const checked = await registry.check([`${label}.${tld}`], { currency: upstream.profile.currency, years: 1 });
      if (checked.kind !== 'done') findings.push(`a check under .${tld} was not answered: ${whyNot(checked)}`);
      else if (!checked.data[0]?.available)
        findings.push(
          `an unregistered domain under .${tld} is reported as taken: ${checked.data[0]?.reason ?? 'no reason'}`,
        );
      else findings.push(...otherCurrency(upstream, tld, checked.data[0].createFee?.currency));
    }
    const info = await registry.info(`${label}.${upstream.tlds[0] ?? 'invalid'}`);
    if (info.kind !== 'done' || info.data !== null)
      findings.push(
        `unexpected details of an unregistered domain: ${info.kind === 'done' ? 'it exists' : whyNot(info)}`,
      );
    findings.push(...(await probeOwnAccount(upstream)));
    const notes = [
      `our balance there is ${textOf(balance.data) ?? 'not reported'}`,
      ...(await registrantsNote(upstream)),
    ];
    return { kind: 'walked', findings, notes };
  } finally {
    around.loginAlarm.close();
    await close();
  }
}

const whyNot = (reply: { readonly why: string } | { readonly evidence: { readonly text?: string } }): string =>
  'why' in reply ? reply.why : (reply.evidence.text ?? 'refused');

const otherCurrency = ({ profile }: Upstream, tld: string, billedIn: string | undefined): string[] =>
  billedIn === undefined || billedIn === profile.currency
    ? []
    : [`.${tld} is billed in ${billedIn}, not in ${profile.currency}`];

/** The upstream does not report whether it verifies registrants: it may leave this to us, or not require it. */
async function registrantsNote(u: Upstream): Promise<string[]> {
  if (u.profile.dialect !== 'namehold') return [];
  const profile = await u.account.fetchReply('/account/profile');
  const isOurs = profile.kind === 'done' && objectOf(profile.data)?.looks_after_holders === true;
  return isOurs
    ? []
    : [
        'it has not delegated registrant verification to us: if it verifies registrants, it sends mail to ours in its own name',
      ];
}

/** Our customer, the transactions, and calls of the `namehold` dialect. */
async function probeOwnAccount(u: Upstream): Promise<string[]> {
  const findings: string[] = [];
  const customer = await u.account.fetchReply(`/customers/${u.profile.customerId}`);
  if (customer.kind !== 'done') findings.push(`customer ${u.profile.customerId} cannot be read: ${whyNot(customer)}`);
  const postings = await u.account.fetchReply('/account/transactions', { limit: '1' });
  if (postings.kind !== 'done') findings.push(`transactions cannot be read: ${whyNot(postings)}`);
  if (u.profile.dialect !== 'namehold') return findings;
  const events = await u.account.fetchReply('/events', { limit: '1' });
  if (events.kind !== 'done') findings.push(`the event log cannot be read (dialect contract?): ${whyNot(events)}`);
  else if (objectsOf(objectOf(events.data)?.events).length > 1) findings.push('the event log ignores the limit');
  const mode = await u.account.fetchReply('/account/renewal_mode');
  const renewalMode = mode.kind === 'done' ? textOf(objectOf(mode.data)?.renewal_mode) : undefined;
  if (renewalMode !== undefined && renewalMode !== 'manual')
    findings.push(
      `new domains there begin with the renewal mode ${renewalMode}: choose manual, or both sides renew them`,
    );
  return findings;
}
