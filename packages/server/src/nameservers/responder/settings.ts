/** What the process of the nameserver is told by who starts it; as JSON, since it crosses to other processes and threads. */
export interface NameserverSettings {
  /** Keeps the zones, the state and the log of the process. */
  readonly folder: string;
  readonly databaseUrl: string;
  readonly hosts: readonly string[];
  readonly port: number;
  readonly threads: number;
  readonly logLevel: string;
  /** See NAMEHOLD_EVENT_LOOP_LIMIT_MS. */
  readonly eventLoopLimitMs: number;
  readonly metricsHost: string;
  readonly metricsPort?: number | undefined;
  readonly answering: AnsweringSettings;
}

export interface AnsweringSettings {
  /** Datagrams that wait are taken and answered together, by calls of the system that Node reaches by an experimental part. */
  readonly batches: boolean;
  /** Answers of one kind from one zone to one network a second; 0: no limit. */
  readonly ratePerSecond: number;
  readonly rateSlip: number;
  /** Addresses and ranges that are not limited. */
  readonly rateExempt: readonly string[];
  /** Hexadecimal, 16 octets each; the first makes new cookies. Empty: made by chance and changed daily. */
  readonly cookieSecrets: readonly string[];
  /** What the server answers about itself (RFC 4892, RFC 5001); empty: nothing. */
  readonly version: string;
  readonly serverId: string;
  readonly tcpConnections: number;
  readonly tcpConnectionsPerAddress: number;
  readonly tcpIdleMs: number;
  /** Questions on one connection before it is closed. */
  readonly tcpQuestions: number;
}

/** What the process writes about itself once it answers. */
export interface NameserverState {
  readonly pid: number;
  readonly host: string;
  readonly port: number;
  /** True when an operator runs it by `namehold nameserver`: then nobody else ends it. */
  readonly is_own: boolean;
}

export const stateFile = 'nameserver.json';
