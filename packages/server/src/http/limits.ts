/** Limits of incoming requests. Limits of bodies are with their parsers. */
export const httpLimits = {
  headerBytes: 16_384,
  urlLength: 8_192,
  /** From the first to the last byte of a request. */
  requestTimeoutMs: 30_000,
  /** From the first byte of a connection or request to the end of its headers. Also the limit of a TLS handshake. */
  headersTimeoutMs: 10_000,
  /** Interval of both checks. */
  connectionsCheckMs: 2_000,
  /** A body that takes longer is slow: its sender is authenticated and authorised again when it has arrived. */
  bodyAtOnceMs: 250,
  keepAliveMs: 72_000,
  connections: 10_000,
  /** Bytes of bodies being received, of all accounts together and of each. */
  openBodyBytes: 134_217_728,
  openBodyBytesOfAccount: 33_554_432,
  /** Of that, for one key or session, and for all customers of an account together. Each fits the largest zone file. */
  openBodyBytesOfCaller: 25_165_824,
  openBodyBytesOfCustomers: 16_777_216,
  /** Bytes charged when a body begins, or its announced length if that is less. Beyond that, bytes are charged as they arrive. */
  bodyReservationBytes: 16_384,
  bodyGrowthBytes: 65_536,
  /** Calls with a body but without credentials: in total, for all networks of one site, and for each network. */
  anonymousBodies: 128,
  anonymousBodiesOfSite: 64,
  anonymousBodiesOfNetwork: 16,
};
