import type { AppContext } from '../../core/app-context.ts';
import type { RegistryRow } from '../../core/registries/registry.sql.ts';
import type { Probed } from '../../core/registries/test.ts';
import { Breaker } from '../breaker.ts';
import { LoginAlarm } from '../login-alarm.ts';
import { openUpstream } from './open.ts';
import { refusalReason } from './refusal-reason.ts';
import { clientOf, type Upstream } from './upstream.ts';

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
    const send = clientOf(upstream);
    const balance = await upstream.dialect.balance(send, upstream.clientId);
    if (balance.kind !== 'done') return { kind: 'failed', why: refusalReason(balance) };
    const label = `nh-test-${ctx.ids.text(16, 'abcdefghijkmnpqrstuvwxyz')}`;
    const findings: string[] = [];
    for (const tld of upstream.tlds.slice(0, maxTlds)) {
      const checked = await registry.check([`${label}.${tld}`], { currency: upstream.profile.currency, years: 1 });
      if (checked.kind !== 'done') findings.push(`a check under .${tld} was not answered: ${refusalReason(checked)}`);
      else if (!checked.data[0]?.available)
        findings.push(
          `an unregistered domain under .${tld} is reported as taken: ${checked.data[0]?.reason ?? 'no reason'}`,
        );
      else findings.push(...otherCurrency(upstream, tld, checked.data[0].createFee?.currency));
    }
    const info = await registry.info(`${label}.${upstream.tlds[0] ?? 'invalid'}`);
    if (info.kind !== 'done' || info.data !== null)
      findings.push(
        `unexpected details of an unregistered domain: ${info.kind === 'done' ? 'it exists' : refusalReason(info)}`,
      );
    const own = await upstream.dialect.probe(send);
    const notes = [`our balance there is ${balance.data ?? 'not reported'}`, ...own.notes];
    return { kind: 'walked', findings: [...findings, ...own.findings], notes };
  } finally {
    around.loginAlarm.close();
    await close();
  }
}

const otherCurrency = ({ profile }: Upstream, tld: string, billedIn: string | undefined): string[] =>
  billedIn === undefined || billedIn === profile.currency
    ? []
    : [`.${tld} is billed in ${billedIn}, not in ${profile.currency}`];
