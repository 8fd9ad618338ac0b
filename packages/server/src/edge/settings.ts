import type { Config } from '../config.ts';
import { edgeAddresses, servesTls } from '../core/forwarding/target.ts';

/** What an edge needs of the settings. */
export interface EdgeSettings {
  readonly databaseUrl: string;
  readonly host: string;
  readonly port: number;
  /** Undefined: no HTTPS. */
  readonly tls: { readonly port: number } | undefined;
  readonly abuseAddress: string;
  /** Nothing leads to these, nor to names below them. */
  readonly deniedHosts: readonly string[];
  /** Of one network; 0: no limit. */
  readonly limits: { readonly requestsPerSecond: number; readonly connections: number };
  /** An authority may look here for a proof that they are ours. */
  readonly mailHosts: readonly string[];
}

/** Undefined: none is wanted. */
export function edgeSettings(config: Config, databaseUrl: string): EdgeSettings | undefined {
  if (config.redirectPort === undefined || edgeAddresses(config).length === 0) return undefined;
  return {
    databaseUrl,
    host: config.redirectHost,
    port: config.redirectPort,
    tls: servesTls(config) ? { port: config.redirectTlsPort! } : undefined,
    abuseAddress: config.abuseAddress,
    deniedHosts: config.redirectDeny,
    mailHosts: config.mailHosts,
    limits: { requestsPerSecond: config.redirectRateLimit, connections: config.redirectConnections },
  };
}
