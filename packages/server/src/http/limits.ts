/** Limits on a request as it comes in; those on bodies stand with their parsers. */
export const httpLimits = {
  headerBytes: 16_384,
  urlLength: 8_192,
  /** From the first byte of a request to its last. */
  requestTimeoutMs: 30_000,
  /** From the first byte of a connection or request to the end of its headers; TLS handshakes have as long. */
  headersTimeoutMs: 10_000,
  /** How often both are checked. */
  connectionsCheckMs: 2_000,
  /** A body that takes longer than this is a slow one: its sender is authenticated and authorised again once it has arrived. */
  bodyAtOnceMs: 250,
  keepAliveMs: 72_000,
  connections: 10_000,
  /** Bodies on their way, of all accounts together and of each. */
  openBodyBytes: 134_217_728,
  openBodyBytesOfAccount: 33_554_432,
  /** Of that, for one key or session, and for all customers of the account together; each holds the largest zone file. */
  openBodyBytesOfPrincipal: 25_165_824,
  openBodyBytesOfCustomers: 16_777_216,
  /** A body takes this much room when it begins, or as much as it announces if that is less; beyond that it takes what has arrived. */
  bodyReservationBytes: 16_384,
  bodyGrowthBytes: 65_536,
  /** Calls without credentials that send a body: together, of all networks of one site, and of each network. */
  anonymousBodies: 128,
  strangerBodiesOfSite: 64,
  anonymousBodiesOfNetwork: 16,
};
