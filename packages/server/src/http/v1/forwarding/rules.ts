import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { badField, inEntry } from '../../../core/errors.ts';
import { readForwarding } from '../../../core/forwarding/read.ts';
import { type ReadRules, readRuleName, readRules } from '../../../core/forwarding/read-rule.ts';
import { keyOf, type Rule } from '../../../core/forwarding/rule.ts';
import { changedOf, type ForwardingChanged, setForwarding } from '../../../core/forwarding/set-forwarding.ts';
import type { Edited } from '../../../core/zones/change/change-zone.ts';
import { Answer, route } from '../../route.ts';
import { domain_id } from '../domains/buy/order-fields.ts';
import * as fields from './forwarding-fields.ts';
import { etag, forwardingExample, forwardingView, showChanged, showForwarding } from './forwarding-view.ts';

const path = '/domains/{domain_id}/forwarding';
const changedExample = { ...forwardingExample, dry_run: false, warnings: [] };
const endedExample = { ...changedExample, rules: [], dns: { state: 'ours', records: [], displaced: [] } };

const showEdited = (edited: Edited<ForwardingChanged>) => showChanged(changedOf(edited));
const answerOf = (changed: ForwardingChanged) =>
  new Answer(showChanged(changed), { headers: etag(changed.status.row.version) });

export const readForwardingRoute = route({
  method: 'GET',
  customer: 'read',
  path,
  area: 'domains',
  style: 'own',
  hasETag: true,
  summary: 'Read the forwarding rules of a domain',
  description: 'All rules with their state and records. `ETag` is the version.',
  input: z.object({ domain_id }),
  output: forwardingView,
  errors: ['not_found'],
  example: { input: { domain_id: '5001' }, output: forwardingExample },
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id);
    const status = await readForwarding(ctx, domain);
    return new Answer(showForwarding(status), { headers: etag(status.row.version) });
  },
});

export const replaceForwardingRoute = route({
  method: 'PUT',
  customer: 'manage',
  path,
  area: 'domains',
  style: 'own',
  hasETag: true,
  bodyValues: fields.bodyValues,
  summary: 'Replace the forwarding rules of a domain',
  description:
    'Replaces all rules; an empty list ends forwarding. Requires If-Match with the version that you read, or *. A dry run does not.',
  input: z.object({
    domain_id,
    rules: fields.ruleList(fields.ruleInput),
    replace_records: fields.replace_records.optional(),
    dry_run: fields.dry_run.optional(),
  }),
  output: forwardingView,
  errors: ['not_found', 'conflict', 'precondition_failed', 'precondition_required', 'not_available_yet'],
  example: {
    input: { domain_id: '5001', rules: [] },
    output: endedExample,
  },
  render: showEdited,
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id);
    const isDryRun = input.dry_run ?? false;
    const changed = await setForwarding(ctx, caller, domain, {
      edit: () => readRules(input.rules.map(fields.draftOf), domain.name, ctx.config),
      expected: fields.expectedOfReplacement(caller, isDryRun),
      replacesRecords: input.replace_records ?? false,
      isDryRun,
    });
    return answerOf(changed);
  },
});

export const patchForwardingRoute = route({
  method: 'PATCH',
  customer: 'manage',
  path,
  area: 'domains',
  style: 'own',
  hasETag: true,
  bodyValues: fields.bodyValues,
  summary: 'Change forwarding rules of a domain',
  description:
    'Creates, changes or deletes the rules with the given host, path and match; others stay. Either all changes are made or none.',
  input: z.object({
    domain_id,
    rules: fields.ruleList(fields.ruleEditInput).min(1),
    replace_records: fields.replace_records.optional(),
    dry_run: fields.dry_run.optional(),
  }),
  output: forwardingView,
  errors: ['not_found', 'conflict', 'precondition_failed', 'not_available_yet'],
  example: {
    input: { domain_id: '5001', rules: [{ host: 'go', target: 'https://example.net/' }] },
    output: changedExample,
  },
  render: showEdited,
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id);
    const isGone = (edit: { action?: string | undefined }) => edit.action === 'delete';
    const edit = (present: readonly Rule[]): ReadRules => {
      const former = new Map(present.map((rule) => [keyOf(rule), rule]));
      const drafts = input.rules.map(({ action: _, ...rule }) => fields.draftOf(rule));
      const named = drafts.map((draft, at) => inEntry('rules', at, () => keyOf(readRuleName(draft, domain.name))));
      for (const [at, one] of input.rules.entries())
        if (isGone(one) && !former.has(named[at]!))
          throw badField(`rules.${at}.host`, 'This host has no such rule.', 'not_found');
      const kept = drafts.map((draft, at) => (isGone(input.rules[at]!) ? undefined : draft));
      const read = readRules(kept, domain.name, ctx.config, (key) => former.get(key));
      const written = new Map(read.rules.map((rule) => [keyOf(rule), rule]));
      const stay = present.filter((rule) => !named.includes(keyOf(rule)) || written.has(keyOf(rule)));
      const rules = [
        ...stay.map((rule) => written.get(keyOf(rule)) ?? rule),
        ...read.rules.filter((rule) => !former.has(keyOf(rule))),
      ];
      return { ...read, rules };
    };
    const changed = await setForwarding(ctx, caller, domain, {
      edit,
      expected: fields.expectedVersions(caller),
      replacesRecords: input.replace_records ?? false,
      isDryRun: input.dry_run ?? false,
    });
    return answerOf(changed);
  },
});
