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
    text: z.string().describe('For browsers without frames, written anew from what was sent.'),
  })
  .meta({ id: 'Masking', description: 'The page around the frame.' });

const ruleView = z
  .object({
    host: z.string().describe('@ for the name itself, * for every host that has no rule of its own.'),
    path: z.string().describe('Where it begins.'),
    match: z.enum(['prefix', 'exact']).describe('Also what is below the path, or the path alone.'),
    target: z.string().describe('Where requests go.'),
    code: z.number(),
    path_mode: z.enum(['drop', 'append']).describe('The rest of the path.'),
    query_mode: z.enum(['drop', 'append', 'merge']).describe('The query.'),
    masking: maskingView.nullable().describe('Shown in a frame.'),
    hsts: z.boolean().describe('Browsers are told to come by https alone.'),
    enabled: z.boolean().describe('Not switched off.'),
    state: z
      .enum(['waiting_dns', 'live', 'blocked', 'off'])
      .describe('live: every nameserver answers its records. blocked: `reason` tells why.'),
    reason: z.string().nullable().describe('Why it is not live.'),
    warnings: z.array(z.string()).describe('About the target.'),
    checked_at: z.string().nullable().describe('When it was looked at.'),
    clicks_30d: z.number().describe('Requests in 30 days.'),
  })
  .meta({ id: 'ForwardingRule', description: 'Where requests for a host and path go.' });

const certificateView = z
  .object({
    state: z
      .enum(['waiting', 'ordering', 'live', 'blocked'])
      .describe('blocked: by records of the name, or by too many orders.'),
    reason: z.string().nullable().describe('What it waits for, or what is in its way.'),
    names: z.array(z.string()).describe('Its names.'),
    not_after: z.string().nullable().describe('When it ends.'),
    renew_at: z.string().nullable().describe('When the next is ordered.'),
  })
  .meta({ id: 'ForwardingCertificate', description: 'The certificate of a forwarded name.' });

export const forwardingView = z
  .object({
    domain_id: z.string(),
    domain_name: z.string(),
    version: z.number().describe('Grows with every change; also in ETag.'),
    changed_at: z.string().nullable(),
    rules: z.array(ruleView),
    schemes: z.array(z.string()).describe('What the edge answers.'),
    certificate: certificateView.nullable().describe('null: none is made here.'),
    dns: z
      .object({
        state: z
          .enum(['ours', 'elsewhere'])
          .describe('elsewhere: other nameservers answer for the name; set the records there.'),
        records: z.array(rrsetView).describe('What leads requests to the edge.'),
        displaced: z.array(rrsetView).describe('What gave way, and comes back when forwarding ends.'),
      })
      .meta({ id: 'ForwardingDns', description: 'The records of forwarding.' }),
    dry_run: z.boolean().optional(),
    warnings: z.array(z.string()).optional().describe('What was left out.'),
  })
  .meta({ id: 'ForwardingRules', description: 'All rules by which web requests for a name are forwarded.' });
export type ForwardingView = z.output<typeof forwardingView>;

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
