import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import type { Tld } from '../../model/tld.ts';
import { findOpenOperation } from '../../operations/operation.sql.ts';
import { transferLocks } from '../../policy/transfer-lock.ts';
import type { Evidence, Registry, RegistryDomain, Reply, TransferOutlook } from '../../ports/registry.ts';
import { findDomainByName } from '../../tables/domain.sql.ts';
import { checkName } from '../buy/check-order.ts';
import { inTime } from '../search/refuse-taken.ts';
import { type Obstacle, obstaclesTo, possibleFrom, reportedObstacle } from './obstacles.ts';
import { isWaitingForCode } from './policy.ts';

/** A domain that can be transferred in, as far as its registry shows. */
interface Transferable {
  readonly name: string;
  readonly tld: Tld;
  readonly registryId: string;
  /** Undefined: the registry did not answer. */
  readonly view: RegistryDomain | undefined;
}

const waitMs = 5_000;
/**
 * RFC 5730 3: invalid authorization information, and a value of invalid syntax, which can only be the code because all other values are
 * ours.
 */
const wrongCodes: readonly (number | undefined)[] = [2202, 2005];
export const isWrongCode = (evidence: Evidence): boolean => wrongCodes.includes(evidence.code);

/**
 * The check without an order: refused with every reason and the date from which a transfer is possible. Wrong codes are reported if the
 * registry reports them.
 */
export async function checkValidity(
  ctx: AppContext,
  actor: Actor,
  query: { readonly domainName: string; readonly authCode: string | undefined },
): Promise<Transferable & { readonly isCodeRight: boolean | null }> {
  const { name, tld, registryId } = await checkName(ctx, query.domainName);
  await refuseOrdered(ctx, actor, name);
  const registry = await ctx.registries.of(registryId);
  const shown = await inTime(registry.info(name, { priority: 'interactive' }), waitMs);
  if (shown.kind !== 'done') throw unreachable();
  const obstacles = await obstaclesNow(ctx, shown.data, tld);
  const outlook = await outlookOf(registry, shown.data, query.authCode);
  if (outlook && outlook.kind !== 'done') throw unreachable();
  if (outlook?.data) {
    refuseFor(name, [...obstacles, ...outlook.data.obstacles.map(reportedObstacle)]);
    return {
      name,
      tld,
      registryId,
      view: withReported(shown.data!, outlook.data),
      isCodeRight: outlook.data.isCodeRight,
    };
  }
  // Some registries count tried codes, so the code is tried only if nothing else prevents the transfer.
  const tried =
    query.authCode === undefined || obstacles.length > 0 || outlook
      ? undefined
      : await inTime(registry.infoWithCode(name, query.authCode, { priority: 'interactive' }), waitMs);
  if (tried && isWrong(tried)) obstacles.push(wrongAuthCode);
  refuseFor(name, obstacles);
  const isCodeRight = tried?.kind === 'done' ? true : null;
  return { name, tld, registryId, view: shown.data ?? undefined, isCodeRight };
}

const wrongAuthCode = reportedObstacle({ reason: 'wrong_auth_code', from: null });

/** Undefined: the registry has no such query, or the domain is not at another registrar. */
async function outlookOf(
  registry: Registry,
  view: RegistryDomain | null,
  authCode: string | undefined,
): Promise<Reply<TransferOutlook | null> | undefined> {
  if (!registry.transferOutlook || !view || view.isOurs) return undefined;
  return inTime(registry.transferOutlook(view.name, authCode), waitMs);
}

const withReported = (view: RegistryDomain, { registrar, expiresAt }: TransferOutlook): RegistryDomain => ({
  ...view,
  sponsor: view.sponsor ?? registrar,
  expiresAt: view.expiresAt ?? expiresAt,
});

const isWrong = (tried: Reply<unknown>) => tried.kind === 'refused' && isWrongCode(tried.evidence);

const unreachable = () =>
  new Refusal('registry_unavailable', 'The registry cannot be queried about the domain at the moment.', {
    retryAfterSeconds: 10,
  });

/**
 * Before an order: the same without the code, which the transfer request itself checks. If the registry does not answer, the request
 * will show the result.
 */
export async function checkTransferable(ctx: AppContext, actor: Actor, domainName: string): Promise<Transferable> {
  const { name, tld, registryId } = await checkName(ctx, domainName);
  await refuseOrdered(ctx, actor, name);
  const registry = await ctx.registries.of(registryId);
  const shown = await inTime(registry.info(name, { priority: 'interactive' }), waitMs);
  if (shown.kind !== 'done') return { name, tld, registryId, view: undefined };
  const obstacles = await obstaclesNow(ctx, shown.data, tld);
  const outlook = await outlookOf(registry, shown.data, undefined);
  const reported = outlook?.kind === 'done' ? outlook.data : null;
  refuseFor(name, [...obstacles, ...(reported?.obstacles ?? []).map(reportedObstacle)]);
  return {
    name,
    tld,
    registryId,
    view: shown.data && reported ? withReported(shown.data, reported) : (shown.data ?? undefined),
  };
}

/** Changes of registrant at other registrars are not known. */
async function obstaclesNow(ctx: AppContext, view: RegistryDomain | null, tld: Tld): Promise<Obstacle[]> {
  const now = ctx.clock.now();
  const by = {
    registeredAt: view?.createdAt ?? null,
    transferredAt: view?.transferredAt ?? null,
    registrantChangedAt: null,
  };
  return obstaclesTo(view, tld, await transferLocks(ctx.db.as(allTenants), tld.name, by, now), now);
}

/** Refuses if the caller's own order for the domain is open. Orders of other accounts are not revealed. */
async function refuseOrdered(ctx: AppContext, actor: Actor, name: string): Promise<void> {
  const own = await findDomainByName(ctx.db.as(actor.resellerId), actor.resellerId, name);
  if (own?.state !== 'pending') return;
  // Control panels check before they send the order again with another code.
  if (isWaitingForCode(await findOpenOperation(ctx.db.as(actor.resellerId), own.id))) return;
  throw new Refusal('operation_in_progress', `${name} is already ordered, as domain ${own.id}.`, {
    facts: { domainId: own.id },
    retryAfterSeconds: 60,
  });
}

function refuseFor(name: string, obstacles: readonly Obstacle[]): void {
  if (obstacles.length === 0) return;
  const sentence = `${name} ${obstacles.map((each) => each.sentence).join('. It ')}.`;
  const wrongCode = obstacles.find(({ reason }) => reason === 'wrong_auth_code');
  throw new Refusal('transfer_not_possible', sentence, {
    ...(wrongCode ? { errors: [{ field: 'authCode', code: 'wrong_auth_code', message: sentence }] } : {}),
    facts: {
      possibleFrom: text(possibleFrom(obstacles)),
      obstacles: obstacles.map(({ reason, sentence: reasonText, from }) => ({
        reason,
        sentence: reasonText,
        from: text(from),
      })),
    },
  });
}

const text = (at: Date | null): string | null => at && `${at.toISOString().slice(0, 19)}Z`;
