import { isIPv4, type Server, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IPv4 address, or the /64 of an IPv6 address, which belongs to a single subscriber. */
export function networkOf(address: string | undefined): string {
  if (address !== undefined && isIPv4(address)) return address;
  if (address === undefined || !ipaddr.isValid(address)) return 'none';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : rangeAround(parsed, 64);
}

/** Networks that may belong to one subscriber: a /24 of IPv4, a /48 of IPv6. */
export function siteOf(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'none';
  const parsed = ipaddr.process(address);
  return rangeAround(parsed, parsed.kind() === 'ipv4' ? 24 : 48);
}

function rangeAround(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const version = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${version.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`;
}

/** Part of all connections for one site: a sender with many networks leaves room for others. */
export const shareOfSite = 0.25;

/** Open connections by network and by site. Memory is bounded by the number of open connections. */
export class ConnectionLimits {
  readonly #perNetwork: number;
  readonly #perSite: number;
  readonly #exempt: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];
  readonly #open = new Map<string, number>();

  /** `perNetwork` 0: no limit, also of a site. `inAll`: of the server. `exempt`: addresses or ranges that are not counted. */
  constructor({
    perNetwork,
    inAll,
    exempt = [],
  }: {
    readonly perNetwork: number;
    readonly inAll: number;
    readonly exempt?: readonly string[];
  }) {
    this.#perNetwork = perNetwork;
    this.#perSite = Math.max(perNetwork, Math.floor(inAll * shareOfSite));
    this.#exempt = exempt.map(rangeOf);
  }

  /** Counts a connection until it is closed. False: its network or site has too many, and the connection was closed. */
  admit(socket: Socket): boolean {
    const { remoteAddress } = socket;
    if (this.#perNetwork === 0 || this.#isExempt(remoteAddress)) return true;
    const [network, site] = [networkOf(remoteAddress), `site ${siteOf(remoteAddress)}`];
    if (this.#count(network) >= this.#perNetwork || this.#count(site) >= this.#perSite) {
      socket.destroy();
      return false;
    }
    for (const whose of [network, site]) this.#open.set(whose, this.#count(whose) + 1);
    socket.once('close', () => {
      for (const whose of [network, site]) {
        const left = this.#count(whose) - 1;
        if (left > 0) this.#open.set(whose, left);
        else this.#open.delete(whose);
      }
    });
    return true;
  }

  #count(whose: string): number {
    return this.#open.get(whose) ?? 0;
  }

  #isExempt(address: string | undefined): boolean {
    if (this.#exempt.length === 0 || address === undefined || !ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return this.#exempt.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits));
  }
}

/** An IPv4 range written as IPv6 (`::ffff:10.0.0.0/104`) is the IPv4 range. */
function rangeOf(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [base, bits] = ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : wholeAddress(text);
  const mapped = base.kind() === 'ipv6' && (base as ipaddr.IPv6).isIPv4MappedAddress() && bits >= 96;
  return mapped ? [(base as ipaddr.IPv6).toIPv4Address(), bits - 96] : [base, bits];
}

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Node's handshake timeout restarts with every byte: a client that sends one byte a second would keep its connection. */
export function limitHandshakes(server: Server, deadlineMs: number): void {
  const begun = new Map<string, NodeJS.Timeout>();
  const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  const end = (key: string) => {
    clearTimeout(begun.get(key));
    begun.delete(key);
  };
  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket);
    begun.set(
      key,
      setTimeout(() => socket.destroy(), deadlineMs),
    );
    socket.once('close', () => end(key));
  });
  server.on('secureConnection', (socket: Socket) => end(keyOf(socket)));
}
