/** Settings of the nameserver process. JSON-compatible, because they are passed to other processes and threads. */
export interface NameserverSettings {
  /** Folder for the zones, the state and the log. */
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
  /** Receives and sends datagrams in batches by system calls, through an experimental feature of Node. */
  readonly batches: boolean;
  /** Responses of one kind from one zone to one network a second; 0: no limit. */
  readonly ratePerSecond: number;
  readonly rateSlip: number;
  /** Addresses and ranges without rate limit. */
  readonly rateExempt: readonly string[];
  /** Hexadecimal, 16 bytes each; the first signs new cookies. Empty: random and rotated daily. */
  readonly cookieSecrets: readonly string[];
  /** Identity of the server (RFC 4892, RFC 5001). Empty: not answered. */
  readonly version: string;
  readonly serverId: string;
  readonly tcpConnections: number;
  readonly tcpConnectionsPerAddress: number;
  readonly tcpIdleMs: number;
  /** Maximum queries on one connection. */
  readonly tcpQuestions: number;
}

/** State file of the process, written once it answers. */
export interface NameserverState {
  readonly pid: number;
  readonly host: string;
  readonly port: number;
  /** True: started by an operator with `namehold nameserver` and never stopped by a service. */
  readonly is_own: boolean;
}

export const stateFile = 'nameserver.json';
