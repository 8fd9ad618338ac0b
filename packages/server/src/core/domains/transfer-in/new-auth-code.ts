import { everyTenant } from '@namehold/base';
import { audit } from '../../audit/audit.ts';
import { Refusal } from '../../errors.ts';
import type { Actor, House } from '../../house.ts';
import { requireCode } from '../buy/transfer.ts';
import type { SealedSecrets } from '../change/wanted.ts';
import { requireDomain } from '../find.ts';
import { lockTransfer, tellTransfer } from './transfer.sql.ts';

/** Another code for the same order, whose money is still on hold. Possible while the order waits for one. */
export async function sendNewAuthCode(
  house: House,
  actor: Actor,
  order: { readonly domain: string; readonly customerId: string | undefined; readonly authCode: string },
): Promise<string> {
  const code = requireCode(order.authCode);
  const domain = await requireDomain(house, actor, order.domain, order.customerId);
  return house.db.transaction(everyTenant, async (tx) => {
    const operation = await lockTransfer(tx, actor.resellerId, domain.id);
    const { code_until, is_cancelled, ...plan } = operation?.outcome?.plan ?? { before: null };
    if (!operation || code_until === undefined || is_cancelled)
      throw new Refusal('conflict', `${domain.name}: no transfer of it waits for another auth code`);
    const secrets: SealedSecrets = { auth_code: code };
    const codeSealed = house.vault.seal(JSON.stringify(secrets), `operation:${operation.id}`);
    await tellTransfer(tx, operation.id, { plan, codeSealed });
    await actor.idempotency?.follow(tx, operation.id);
    await audit(house, tx, actor, {
      action: 'domain.transfer_new_code',
      objectType: 'domain',
      objectId: domain.id,
      after: { operation_id: operation.id },
    });
    return operation.id;
  });
}
