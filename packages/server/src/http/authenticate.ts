import { BlockList, isIPv6 } from 'node:net';
import type { ActingUser, AppContext } from '../core/app-context.ts';
import { Refusal } from '../core/errors.ts';
import { type Credential, findCredential } from '../core/keys/key.sql.ts';
import { isIssuedHere } from '../core/keys/secret.ts';
import type { Access } from '../core/model/customer-access.ts';
import { WireRefusal } from './errors.ts';
import { credentialCache } from './identity/credential-cache.ts';

const headerBytes = 512;

interface CachedCredential {
  readonly credential: Credential;
  readonly whitelist: BlockList;
}

/** Whether 2FA is overdue, and whether the user authenticated recently. Only for sessions. */
export interface SessionStatus {
  readonly isSecondFactorOverdue: boolean;
  readonly hasRecentAuthentication: boolean;
  readonly methods: readonly string[];
}

/** The authenticated caller, with an API key or a session. Later steps treat both alike, except for permissions. */
export interface Identity {
  readonly resellerId: string;
  readonly keyId: string | null;
  readonly user: ActingUser | undefined;
  /** Set if a customer is signed in, with its access. */
  readonly customer?: { readonly id: string; readonly access: Access } | undefined;
  readonly scopes: readonly string[];
  readonly isOperator: boolean;
  /** Level of the nearest suspended account: 1 is the own account, 2 its parent. */
  readonly suspendedLevel: number | null;
  /** Addresses from which a key may be used. Users have no such limit. */
  readonly whitelist: BlockList | undefined;
  readonly address: string;
  /** Only for sessions. */
  readonly sessionStatus?: SessionStatus;
}

const challenge = { headers: { 'WWW-Authenticate': 'Basic realm="Namehold", charset="UTF-8"' } };

/** Normalises an id: 01000 is 1000. */
const canonicalId = (text: string) => (/^\d{1,18}$/.test(text) ? BigInt(text).toString() : text.slice(0, 40));

/** RFC 7617. A malformed header and wrong credentials get the same answer. */
export function parseBasic(header: string | undefined): { user: string; password: string } | undefined {
  if (header === undefined || header.length > headerBytes) return undefined;
  const match = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(header);
  if (!match) return undefined;
  const decoded = Buffer.from(match[1]!, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon <= 0) return undefined;
  return { user: canonicalId(decoded.slice(0, colon)), password: decoded.slice(colon + 1) };
}

function blockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address, bits] = entry.split('/') as [string, string?];
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** `::ffff:192.0.2.1` is 192.0.2.1, because dual-stack sockets report IPv4 callers that way. A zone index is not part of an address. */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address;
  const bare = address.split('%')[0]!;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare);
  return mapped ? mapped[1]! : bare;
}

export class Authenticator {
  readonly #ctx: AppContext;
  readonly #known = credentialCache<CachedCredential>();

  constructor(ctx: AppContext) {
    this.#ctx = ctx;
  }

  /** The caller. Undefined for an unknown reseller and for a wrong, revoked or expired key, which are not distinguished. */
  async identify(
    authorization: string | undefined,
    address: string,
    options: {
      readonly refuseThrottled?: (resellerId: string) => void;
      /** False: read from the database, for a caller that was admitted some time ago. */
      readonly isCached?: boolean;
    } = {},
  ): Promise<Identity | undefined> {
    const basic = parseBasic(authorization);
    if (!basic || !/^\d{1,18}$/.test(basic.user)) return undefined;
    const fingerprint = this.#ctx.vault.fingerprint(basic.password);
    const cacheKey = `${basic.user}:${fingerprint}`;
    const now = this.#ctx.wall.now();
    if (options.isCached === false) this.#known.delete(cacheKey);
    let known = this.#known.get(cacheKey);
    if (!known) {
      // A throttled caller with a key that this service did not create causes no database query.
      if (!isIssuedHere(this.#ctx.vault, basic.password)) options.refuseThrottled?.(basic.user);
      const credential = await findCredential(this.#ctx.db, basic.user, fingerprint, now);
      if (!credential) return undefined;
      known = { credential, whitelist: blockList(credential.ip_whitelist) };
      this.#known.set(cacheKey, known);
    }
    if (known.credential.expires_at && known.credential.expires_at <= now) return undefined;
    const { credential, whitelist } = known;
    return {
      resellerId: credential.reseller_id,
      keyId: credential.key_id,
      user: undefined,
      scopes: credential.scopes,
      isOperator: credential.parent_id === null,
      suspendedLevel: credential.inactive_place,
      whitelist,
      address,
    };
  }

  /** Called after a change by this process. */
  evict(): void {
    this.#known.clear();
  }
}

/** The key is correct. Checks the IP whitelist of the API key and the status of the account. */
export function checkIpWhitelistAndStatus({ suspendedLevel, whitelist, address }: Identity): void {
  if (whitelist && !whitelist.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) {
    throw new WireRefusal(
      'ip_not_allowed',
      `This API key may not be used from ${address}. Add the address to the whitelist of the key.`,
      { facts: { address } },
    );
  }
  if (suspendedLevel === null) return;
  if (suspendedLevel === 1) throw new Refusal('account_suspended', undefined, { facts: { suspended: 'own' } });
  // The caller must not learn which account above it is suspended.
  throw new Refusal('account_suspended', 'An account above this reseller account is suspended.', {
    facts: { suspended: 'parent' },
  });
}

export function unauthorized(): Refusal {
  return new WireRefusal('unauthorized', undefined, challenge);
}
