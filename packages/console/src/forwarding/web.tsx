import { call, type Manner } from '../api/call.ts';
import type { Inputs, Shape } from '../api/shapes.ts';
import { useDraft } from '../data/draft.ts';
import { useResource } from '../data/resource.ts';
import { useChange } from '../domains/change.ts';
import { removal } from '../domains/removal.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Checkbox, SelectField, TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Light } from '../parts/light.tsx';
import { Table } from '../parts/table.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { may } from '../session/who.ts';
import { words } from './words.ts';

type Rules = Shape<'ForwardingRules'>;
type Rule = Shape<'ForwardingRule'>;
type Sent = Inputs<'/domains/{domain_id}/forwarding', 'put'>['body']['rules'][number];

const kinds = { live: 'good', waiting_dns: 'half', blocked: 'bad', off: 'none' } as const;
const codes = ['301', '302', '307', '308'] as const;

const emptyRule = { host: '@', target: '', code: '301', isAppended: true, isReplacing: false };
type NewRule = typeof emptyRule;

const fullHost = (host: string, name: string) => (host === '@' || host === '' ? name : `${host}.${name}`);

/** What is kept of a rule when all of them are sent again. */
const asSent = ({ state: _s, reason: _r, warnings: _w, checked_at: _c, clicks_30d: _k, ...rule }: Rule): Sent =>
  rule as unknown as Sent;

function State({ rule }: { readonly rule: Rule }) {
  const w = words();
  return (
    <>
      <Light kind={kinds[rule.state]}>{w.states[rule.state]}</Light>
      {rule.reason && <p class="faint">{rule.reason}</p>}
    </>
  );
}

function Ticks({ value, onValue }: { readonly value: NewRule; readonly onValue: (change: Partial<NewRule>) => void }) {
  const w = words();
  return (
    <>
      <Checkbox
        name="path_mode"
        label={w.append}
        hint={w.appendText}
        checked={value.isAppended}
        onChange={(is) => onValue({ isAppended: is })}
      />
      <Checkbox
        name="replace_records"
        label={w.replace}
        hint={w.replaceText}
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
  readonly onSend: (rules: Sent[], isReplacing: boolean) => Promise<boolean>;
  readonly change: ReturnType<typeof useChange>;
}) {
  const w = words();
  const draft = useDraft(`domains/${name}/forwarding/new`, emptyRule);
  const { host, target, code, isAppended, isReplacing } = draft.value;
  const submit = async () => {
    const sent = draft.value;
    const rule = {
      host: host.trim(),
      target: target.trim(),
      code: Number(code),
      path_mode: isAppended ? 'append' : 'drop',
    };
    if (await onSend([...rules.rules.map(asSent), rule as Sent], isReplacing)) draft.settle(sent);
  };
  const field = (each: string) => `rules.${rules.rules.length}.${each}`;
  return (
    <Form
      onSubmit={() => void submit()}
      trouble={change.trouble}
      labels={{ [field('target')]: w.target, [field('host')]: w.host }}
    >
      <TextField
        name={field('host')}
        label={w.host}
        hint={fullHost(host.trim(), name)}
        value={host}
        onText={(text) => draft.put({ host: text })}
      />
      <TextField
        name={field('target')}
        label={w.target}
        placeholder="https://"
        value={target}
        onText={(text) => draft.put({ target: text })}
        spellcheck={false}
      />
      <SelectField
        name={field('code')}
        label={w.code}
        value={code}
        choices={codes.map((value) => ({ value, label: w.codes[value] }))}
        onChoice={(value) => draft.put({ code: value })}
      />
      <Ticks value={draft.value} onValue={draft.put} />
      <div class="actions">
        <Button kind="primary" type="submit" busy={change.busy} disabled={target.trim() === ''}>
          {w.addRule}
        </Button>
      </div>
    </Form>
  );
}

/** Web addresses of the name that lead elsewhere. All rules are sent together, on the version that is shown. */
export function Web({ name }: { readonly name: string }) {
  const w = words();
  const path = { domain_id: name };
  const said = useResource('/domains/{domain_id}/forwarding', { path });
  const change = useChange();
  const rules = said.data;
  const send = (next: Sent[], isReplacing: boolean) => {
    const body = { rules: next, ...(isReplacing ? { replace_records: true } : {}) };
    const ifMatch = said.headers?.get('ETag') ?? undefined;
    const act = (manner: Manner) =>
      call('put', '/domains/{domain_id}/forwarding', { path, body }, { ...manner, ...(ifMatch ? { ifMatch } : {}) });
    return change.run(act);
  };
  const remove = (rule: Rule) => send((rules?.rules ?? []).filter((each) => each !== rule).map(asSent), false);
  return (
    <Card title={w.web}>
      <p class="faint">{w.webText}</p>
      {said.trouble && <TroubleNote trouble={said.trouble} onAgain={said.again} />}
      {said.isLoading && <Waiting />}
      {rules && (
        <>
          {rules.dns.state === 'elsewhere' && rules.rules.length > 0 && <p class="note warn">{w.elsewhere}</p>}
          <Table
            label={w.web}
            rows={rules.rules}
            keyOf={({ host, path: at }) => `${host} ${at}`}
            empty={<p>{w.noRules}</p>}
            columns={[
              {
                key: 'from',
                title: w.from,
                isTitle: true,
                cell: (row) => `${fullHost(row.host, name)}${row.path === '/' ? '' : row.path}`,
              },
              { key: 'to', title: w.target, cell: (row) => <code class="long">{row.target}</code> },
              { key: 'code', title: w.code, cell: (row) => String(row.code) },
              { key: 'state', title: w.state, cell: (row) => <State rule={row} /> },
              { key: 'clicks', title: w.clicks, isNumber: true, cell: (row) => String(row.clicks_30d) },
              ...removal<Rule>(
                ({ host, path: at }) => `${host} ${at}`,
                (row) => void remove(row),
              ),
            ]}
          />
          {rules.certificate && (
            <p class="faint">
              {w.certificate}: {w.certificates[rules.certificate.state]}
              {rules.certificate.reason && ` (${rules.certificate.reason})`}
            </p>
          )}
          {may('domains:write') && <Add name={name} rules={rules} onSend={send} change={change} />}
        </>
      )}
    </Card>
  );
}
