import type { AnsweringSettings } from '../../../packages/server/src/nameservers/responder/settings.ts';

/** Without rate limits, because tests query as fast as possible. */
export const plainAnswering: AnsweringSettings = {
  batches: true,
  ratePerSecond: 0,
  rateSlip: 2,
  rateExempt: [],
  cookieSecrets: [],
  tcpConnections: 512,
  tcpConnectionsPerAddress: 64,
  tcpIdleMs: 10_000,
  tcpQuestions: 1_000,
  version: '',
  serverId: '',
};
