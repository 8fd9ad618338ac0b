import { z } from 'zod';
import { type ForwardingStatus, stateOf } from '../../../core/forwarding/read.ts';
import { keyOf, type Rule } from '../../../core/forwarding/rule.ts';
import type { ForwardingChanged } from '../../../core/forwarding/set-forwarding.ts';
import { instantOrNull } from '../../wire.ts';
import { rrsetView, showRecords } from '../zones/zone-view.ts';

const maskingView = z
  .object({
    title: z.string(),
    meta: z.record(z.string(), z.string()).describe('Meta tags by name.'),
    text: z.string().describe('For browsers without frames. Rewritten from the markup that was sent.'),
  })
  .meta({ id: 'Masking', description: 'The masking page around the frame.' });

const ruleView = z
  .object({
    host: z.string().describe('@ for the domain itself, * for every host without its own rule.'),
    path: z.string().describe('Beginning of the path.'),
    match: z.enum(['prefix', 'exact']).describe('The path and everything below it, or only the path.'),
    target: z.string().describe('Where requests are sent.'),
    code: z.number(),
    path_mode: z.enum(['drop', 'append']).describe('Handling of the rest of the path.'),
    query_mode: z.enum(['drop', 'append', 'merge']).describe('Handling of the query.'),
    masking: maskingView.nullable().describe('Shown in a frame.'),
    hsts: z.boolean().describe('Browsers are instructed to use only HTTPS.'),
    enabled: z.boolean().describe('Whether the rule is switched on.'),
    state: z
      .enum(['waiting_dns', 'live', 'blocked', 'off'])
      .describe('live: every nameserver serves its records. blocked: see `reason`.'),
    reason: z.string().nullable().describe('Why it is not live.'),
    warnings: z.array(z.string()).describe('Warnings about the target.'),
    checked_at: z.string().nullable().describe('Last check.'),
    clicks_30d: z.number().describe('Requests in 30 days.'),
  })
  .meta({ id: 'ForwardingRule', description: 'A rule: where requests for a host and path are sent.' });

const certificateView = z
  .object({
    state: z
      .enum(['waiting', 'ordering', 'live', 'blocked'])
      .describe('blocked: by records of the domain, or by too many orders.'),
    reason: z.string().nullable().describe('The reason for a wait or a block.'),
    names: z.array(z.string()).describe('Its host names.'),
    not_after: z.string().nullable().describe('When it expires.'),
    renew_at: z.string().nullable().describe('When the next one is ordered.'),
  })
  .meta({ id: 'ForwardingCertificate', description: 'The certificate of a forwarded domain.' });

export const forwardingView = z
  .object({
    domain_id: z.string(),
    domain_name: z.string(),
    version: z.number().describe('Increases with every change. Also in ETag.'),
    changed_at: z.string().nullable(),
    rules: z.array(ruleView),
    schemes: z.array(z.string()).describe('Schemes that the edge serves.'),
    certificate: certificateView.nullable().describe('Null: this service orders none.'),
    dns: z
      .object({
        state: z
          .enum(['ours', 'elsewhere'])
          .describe('elsewhere: the domain uses other nameservers; set the records there.'),
        records: z.array(rrsetView).describe('Records that direct requests to the edge.'),
        displaced: z.array(rrsetView).describe('Records that were replaced, and return when forwarding ends.'),
      })
      .meta({ id: 'ForwardingDns', description: 'The records of forwarding.' }),
    dry_run: z.boolean().optional(),
    warnings: z.array(z.string()).optional().describe('Omitted parts.'),
  })
  .meta({ id: 'ForwardingRules', description: 'All web forwarding rules of a domain.' });
type ForwardingView = z.output<typeof forwardingView>;

export function showForwarding(status: ForwardingStatus): ForwardingView {
  const { domain, row, isElsewhere, records, displaced } = status;
  return {
    domain_id: domain.id,
    domain_name: domain.name,
    version: row.version,
    changed_at: instantOrNull(row.changed_at),
    rules: row.rules.map((rule) => ({
      ...rule,
      hsts: rule.hsts ?? false,
      ...stateOf(status, rule),
      ...showFound(status, rule),
      clicks_30d: status.clicks.get(keyOf(rule)) ?? 0,
    })),
    schemes: [...status.schemes],
    certificate: showCertificate(status),
    dns: {
      state: isElsewhere ? 'elsewhere' : 'ours',
      records: showRecords(records),
      displaced: showRecords(displaced),
    },
  };
}

function showFound({ targets }: ForwardingStatus, { target, enabled }: Rule) {
  const found = enabled ? targets.find((one) => one.target === target) : undefined;
  return { warnings: [...(found?.warnings ?? [])], checked_at: instantOrNull(found?.checked_at ?? null) };
}

function showCertificate({ certificate, row }: ForwardingStatus): ForwardingView['certificate'] {
  if (!certificate || row.rules.length === 0) return null;
  const { state, reason, names, not_after, renew_at } = certificate;
  return { state, reason, names: [...names], not_after: instantOrNull(not_after), renew_at: instantOrNull(renew_at) };
}

export function showChanged({ status, isDryRun, warnings }: ForwardingChanged): ForwardingView {
  return { ...showForwarding(status), dry_run: isDryRun, warnings: [...warnings] };
}

export const etag = (version: number): Record<string, string> => ({ ETag: `"${version}"` });

export const forwardingExample: ForwardingView = {
  domain_id: '5001',
  domain_name: 'example-shop.com',
  version: 1,
  changed_at: '2026-11-16T11:00:00Z',
  rules: [
    {
      host: 'go',
      path: '/',
      match: 'prefix',
      target: 'https://example.net/',
      code: 301,
      path_mode: 'append',
      query_mode: 'append',
      masking: null,
      hsts: false,
      enabled: true,
      state: 'live',
      reason: null,
      warnings: [],
      checked_at: '2026-11-16T11:00:04Z',
      clicks_30d: 12,
    },
  ],
  schemes: ['http', 'https'],
  certificate: {
    state: 'live',
    reason: null,
    names: ['example-shop.com', '*.example-shop.com'],
    not_after: '2027-02-14T11:00:00Z',
    renew_at: '2027-01-14T05:00:00Z',
  },
  dns: {
    state: 'ours',
    records: [{ name: 'go.example-shop.com.', type: 'A', ttl: 300, records: ['192.0.2.80'] }],
    displaced: [],
  },
};
