import { type CallOptions, call } from '../api/call.ts';
import type { Inputs, Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Checkbox, SelectField, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { StatusIcon } from '../components/status-icon.tsx';
import { Table } from '../components/table.tsx';
import { useDraft } from '../data/draft.ts';
import { useResource } from '../data/resource.ts';
import { useChange } from '../domains/change.ts';
import { removal } from '../domains/removal.tsx';
import { asSentence, translated } from '../messages/sentence.ts';
import { may } from '../session/current-session.ts';
import { namingCheckbox } from './in-the-way.ts';
import { messages } from './messages.ts';

type Rules = Schema<'ForwardingRules'>;
type Rule = Schema<'ForwardingRule'>;
type RuleInput = Inputs<'/domains/{domain_id}/forwarding', 'put'>['body']['rules'][number];

const kinds = { live: 'good', waiting_dns: 'warning', blocked: 'bad', off: 'none' } as const;
const codes = ['301', '302', '307', '308'] as const;

const emptyRule = { host: '@', target: '', code: '301', isAppended: true, isReplacing: false };
type NewRule = typeof emptyRule;

/** The host as the API takes it. The full name, with or without a final dot, is accepted too. */
function hostOf(typed: string, name: string): string {
  const host = typed.trim().toLowerCase().replace(/\.$/, '');
  if (host === '' || host === name) return '@';
  return host.endsWith(`.${name}`) ? host.slice(0, -name.length - 1) : host;
}

const fullHost = (host: string, name: string) => (host === '@' ? name : `${host}.${name}`);

/** The fields of a rule that are sent when all rules are replaced. */
const asSent = ({ state: _s, reason: _r, warnings: _w, checked_at: _c, clicks_30d: _k, ...rule }: Rule): RuleInput =>
  rule as unknown as RuleInput;

function State({ rule }: { readonly rule: Rule }) {
  const t = messages();
  return (
    <>
      <StatusIcon kind={kinds[rule.state]}>{t.states[rule.state]}</StatusIcon>
      {rule.reason && <p class="faint">{asSentence(translated(rule.reason, t.reasons))}</p>}
    </>
  );
}

function RuleOptions({
  value,
  onValue,
}: {
  readonly value: NewRule;
  readonly onValue: (change: Partial<NewRule>) => void;
}) {
  const t = messages();
  return (
    <>
      <Checkbox
        name="path_mode"
        label={t.append}
        hint={t.appendText}
        checked={value.isAppended}
        onChange={(is) => onValue({ isAppended: is })}
      />
      <Checkbox
        name="replace_records"
        label={t.replace}
        hint={t.replaceText}
        checked={value.isReplacing}
        onChange={(is) => onValue({ isReplacing: is })}
      />
    </>
  );
}

function Add({
  name,
  rules,
  onSend,
  change,
}: {
  readonly name: string;
  readonly rules: Rules;
  readonly onSend: (rules: RuleInput[], isReplacing: boolean) => Promise<boolean>;
  readonly change: ReturnType<typeof useChange>;
}) {
  const t = messages();
  const draft = useDraft(`domains/${name}/forwarding/new`, emptyRule);
  const { host, target, code, isAppended, isReplacing } = draft.value;
  const submit = async () => {
    const sent = draft.value;
    const rule = {
      host: hostOf(host, name),
      target: target.trim(),
      code: Number(code),
      path_mode: isAppended ? 'append' : 'drop',
    };
    if (await onSend([...rules.rules.map(asSent), rule as RuleInput], isReplacing)) draft.settle(sent);
  };
  const field = (each: string) => `rules.${rules.rules.length}.${each}`;
  return (
    <Form
      onSubmit={() => void submit()}
      error={namingCheckbox(change.error, t.replace)}
      labels={{ [field('target')]: t.target, [field('host')]: t.host }}
    >
      <TextField
        name={field('host')}
        label={t.host}
        hint={fullHost(hostOf(host, name), name)}
        value={host}
        onText={(text) => draft.put({ host: text })}
      />
      <TextField
        name={field('target')}
        label={t.target}
        placeholder="https://"
        value={target}
        onText={(text) => draft.put({ target: text })}
        spellcheck={false}
      />
      <SelectField
        name={field('code')}
        label={t.code}
        value={code}
        choices={codes.map((value) => ({ value, label: t.codes[value] }))}
        onChoice={(value) => draft.put({ code: value })}
      />
      <RuleOptions value={draft.value} onValue={draft.put} />
      <div class="actions">
        <Button kind="primary" type="submit" busy={change.busy} disabled={target.trim() === ''}>
          {t.addRule}
        </Button>
      </div>
    </Form>
  );
}

/** Web forwarding. All rules are sent together with the version that was read. */
export function Web({ name }: { readonly name: string }) {
  const t = messages();
  const path = { domain_id: name };
  const resource = useResource('/domains/{domain_id}/forwarding', { path });
  const change = useChange();
  const rules = resource.data;
  const send = (next: RuleInput[], isReplacing: boolean) => {
    const body = { rules: next, ...(isReplacing ? { replace_records: true } : {}) };
    const ifMatch = resource.headers?.get('ETag') ?? undefined;
    const act = (options: CallOptions) =>
      call('put', '/domains/{domain_id}/forwarding', { path, body }, { ...options, ...(ifMatch ? { ifMatch } : {}) });
    return change.run(act);
  };
  const remove = (rule: Rule) => send((rules?.rules ?? []).filter((each) => each !== rule).map(asSent), false);
  return (
    <Card title={t.web}>
      <p class="faint">{t.webText}</p>
      {resource.error && <ErrorBanner error={resource.error} onRetry={resource.refetch} />}
      {resource.isLoading && <Skeleton />}
      {rules && (
        <>
          {rules.dns.state === 'elsewhere' && rules.rules.length > 0 && <p class="note warn">{t.elsewhere}</p>}
          <Table
            label={t.web}
            rows={rules.rules}
            keyOf={({ host, path: at }) => `${host} ${at}`}
            empty={<p>{t.noRules}</p>}
            columns={[
              {
                key: 'from',
                title: t.from,
                isTitle: true,
                cell: (row) => `${fullHost(row.host, name)}${row.path === '/' ? '' : row.path}`,
              },
              { key: 'to', title: t.target, cell: (row) => <code class="long">{row.target}</code> },
              { key: 'code', title: t.code, cell: (row) => String(row.code) },
              { key: 'state', title: t.state, cell: (row) => <State rule={row} /> },
              { key: 'clicks', title: t.clicks, isNumber: true, cell: (row) => String(row.clicks_30d) },
              ...removal<Rule>(
                ({ host, path: at }) => `${host} ${at}`,
                t.removeRuleText,
                (row) => void remove(row),
              ),
            ]}
          />
          {rules.certificate && (
            <p class="faint">
              {t.certificate}: {t.certificates[rules.certificate.state]}
              {rules.certificate.reason && `. ${asSentence(translated(rules.certificate.reason, t.reasons))}`}
            </p>
          )}
          {may('domains:write') && <Add name={name} rules={rules} onSend={send} change={change} />}
        </>
      )}
    </Card>
  );
}
