import { BlockList, isIPv6 } from 'node:net';
import type { ActingUser, AppContext } from '../core/app-context.ts';
import type { Access } from '../core/customers/access.ts';
import { Refusal } from '../core/errors.ts';
import { type Credential, findCredential } from '../core/keys/key.sql.ts';
import { isOurMake } from '../core/keys/secret.ts';
import { WireRefusal } from './errors.ts';
import { knownForAWhile } from './identity/known.ts';

const headerBytes = 512;

interface Known {
  readonly credential: Credential;
  readonly whitelist: BlockList;
}

/** How well it is known who is in a session. */
export interface SessionStatus {
  readonly lacksFactor: boolean;
  readonly isProven: boolean;
  readonly methods: readonly string[];
}

/** Who calls, by a key or in a session: from here on there is no difference but in what it may do. */
export interface Identity {
  readonly resellerId: string;
  readonly keyId: string | null;
  readonly user: ActingUser | undefined;
  /** Set where a customer is signed in, with what it may do. */
  readonly customer?: { readonly id: string; readonly access: Access } | undefined;
  readonly scopes: readonly string[];
  readonly isOperator: boolean;
  readonly isAccountOpen: boolean;
  /** From where a key may be used; a person comes from anywhere. */
  readonly whitelist: BlockList | undefined;
  readonly address: string;
  /** Of a session. */
  readonly sessionStatus?: SessionStatus;
}

const challenge = { headers: { 'WWW-Authenticate': 'Basic realm="Namehold", charset="UTF-8"' } };

/** An id in its one form: 01000 is 1000. */
const canonicalId = (text: string) => (/^\d{1,18}$/.test(text) ? BigInt(text).toString() : text.slice(0, 40));

/** RFC 7617. A header that does not parse and one with wrong credentials get the same answer. */
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

/** `::ffff:192.0.2.1` is 192.0.2.1: dual-stack sockets report IPv4 callers that way. A zone index is no part of an address. */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address;
  const bare = address.split('%')[0]!;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare);
  return mapped ? mapped[1]! : bare;
}

export class Authenticator {
  readonly #ctx: AppContext;
  readonly #known = knownForAWhile<Known>();

  constructor(ctx: AppContext) {
    this.#ctx = ctx;
  }

  /** Who is calling, or undefined: unknown reseller, wrong, revoked and expired key are one case. */
  async identify(
    authorization: string | undefined,
    address: string,
    options: {
      readonly refuseThrottled?: (resellerId: string) => void;
      /** False: as the database has it now, for a caller that was admitted a while ago. */
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
      // Whoever is throttled does not reach the database with a key that we did not make.
      if (!isOurMake(this.#ctx.vault, basic.password)) options.refuseThrottled?.(basic.user);
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
      isAccountOpen: credential.reseller_status === 'Active',
      whitelist,
      address,
    };
  }

  /** After a change made through this process. */
  forget(): void {
    this.#known.clear();
  }
}

/** The key is right: may it be used from here, and is its account open? */
export function refuseAccountStatus({ isAccountOpen, whitelist, address }: Identity): void {
  if (whitelist && !whitelist.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) {
    throw new WireRefusal(
      'ip_not_allowed',
      `This API key may not be used from ${address}. Add the address to the whitelist of the key.`,
      { facts: { address } },
    );
  }
  if (!isAccountOpen) throw new Refusal('account_suspended');
}

export function unauthorized(): Refusal {
  return new WireRefusal('unauthorized', undefined, challenge);
}
