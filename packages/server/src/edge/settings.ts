import type { Config } from '../config.ts';
import { edgeAddresses, servesTls } from '../core/forwarding/target.ts';

/** Settings of an edge. */
export interface EdgeSettings {
  readonly databaseUrl: string;
  readonly host: string;
  readonly port: number;
  /** Undefined: no HTTPS. */
  readonly tls: { readonly port: number } | undefined;
  readonly abuseAddress: string;
  /** Forbidden targets, with all names below them. */
  readonly deniedHosts: readonly string[];
  /** For one network; 0: no limit. */
  readonly limits: { readonly requestsPerSecond: number; readonly connections: number };
  /** Mail hosts for which the edge answers http-01 validation. */
  readonly mailHosts: readonly string[];
}

/** Undefined: no metrics. */
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
