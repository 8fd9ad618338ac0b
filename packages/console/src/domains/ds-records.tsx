import { useState } from 'preact/hooks';
import { type CallOptions, call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { TextArea } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Table } from '../components/table.tsx';
import { StepLine } from '../operations/step-line.tsx';
import { may } from '../session/current-session.ts';
import { useChange } from './change.ts';
import { messages } from './messages.ts';
import { readKey } from './parse-ds.ts';
import { removal } from './removal.tsx';

type Ds = Schema<'DsRecord'>;

interface Props {
  readonly domain: Schema<'DomainDetail'>;
  readonly keys: readonly Ds[];
}

const removeKey = (domain_id: string, { keytag, algorithm, digesttype, digest }: Ds, options: CallOptions) =>
  call(
    'delete',
    '/domains/{domain_id}/dnssec/{keytag}/{algorithm}/{digesttype}/{digest}',
    { path: { domain_id, keytag, algorithm, digesttype, digest } as never },
    options,
  );

/** DS records at the registry. */
export function Keys({ domain, keys }: Props) {
  const t = messages();
  const change = useChange();
  const [text, setText] = useState('');
  const path = { domain_id: domain.domain_id };
  const read = readKey(text);
  const add = async () => {
    if (!read) return;
    const done = await change.run((options) =>
      call('post', '/domains/{domain_id}/dnssec', { path, body: read as never }, options),
    );
    if (done) setText('');
  };
  const type = (typed: string) => {
    change.reset();
    setText(typed);
  };
  const remove = (row: Ds) => change.run((options) => removeKey(domain.domain_id, row, options));
  const labels = { keytag: t.keyTag, algorithm: t.algorithm, digesttype: t.digestType, digest: t.digest };
  return (
    <Card title={t.keys}>
      <p class="faint">{keys.length > 0 ? t.signed : t.unsigned}</p>
      {keys.length > 0 && (
        <Table
          label={t.keys}
          rows={keys}
          keyOf={({ keytag, algorithm, digesttype, digest }) => `${keytag} ${algorithm} ${digesttype} ${digest}`}
          empty={null}
          columns={[
            { key: 'tag', title: t.keyTag, isTitle: true, cell: ({ keytag }) => String(keytag) },
            { key: 'algorithm', title: t.algorithm, cell: ({ algorithm }) => String(algorithm) },
            { key: 'type', title: t.digestType, cell: ({ digesttype }) => String(digesttype) },
            { key: 'digest', title: t.digest, cell: ({ digest }) => <code class="long">{digest}</code> },
            ...removal<Ds>(
              ({ keytag }) => String(keytag),
              t.removeKeyText,
              (row) => void remove(row),
            ),
          ]}
        />
      )}
      {may('domains:write') && (
        <Form onSubmit={() => void add()} error={change.error} labels={labels}>
          <TextArea
            name="ds"
            label={t.addKey}
            hint={text.trim() !== '' && !read ? t.invalidKey : t.addKeyHint}
            rows={2}
            value={text}
            onText={type}
          />
          <div class="actions">
            <Button type="submit" busy={change.busy} disabled={!read}>
              {t.addKey}
            </Button>
          </div>
        </Form>
      )}
      {change.operationId && <StepLine id={change.operationId} />}
    </Card>
  );
}
