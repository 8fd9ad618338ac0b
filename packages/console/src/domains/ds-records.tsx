import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { StepLine } from '../operations/step-line.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { TextArea } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Table } from '../parts/table.tsx';
import { may } from '../session/who.ts';
import { useChange } from './change.ts';
import { readKey } from './ds.ts';
import { removal } from './removal.tsx';
import { words } from './words.ts';

type Ds = Shape<'DsRecord'>;

interface Given {
  readonly domain: Shape<'DomainDetail'>;
  readonly keys: readonly Ds[];
}

/** What the registry hands out for checking answers. */
export function Keys({ domain, keys }: Given) {
  const w = words();
  const change = useChange();
  const [text, setText] = useState('');
  const path = { domain_id: domain.domain_id };
  const read = readKey(text);
  const add = async () => {
    if (!read) return;
    const done = await change.run((manner) =>
      call('post', '/domains/{domain_id}/dnssec', { path, body: read as never }, manner),
    );
    if (done) setText('');
  };
  const remove = ({ keytag, algorithm, digesttype, digest }: Ds) =>
    change.run((manner) =>
      call(
        'delete',
        '/domains/{domain_id}/dnssec/{keytag}/{algorithm}/{digesttype}/{digest}',
        { path: { ...path, keytag, algorithm, digesttype, digest } as never },
        manner,
      ),
    );
  const isWriter = may('domains:write');
  return (
    <Card title={w.keys}>
      <p class="faint">{keys.length > 0 ? w.signed : w.unsigned}</p>
      {keys.length > 0 && (
        <Table
          label={w.keys}
          rows={keys}
          keyOf={({ keytag, algorithm, digesttype, digest }) => `${keytag} ${algorithm} ${digesttype} ${digest}`}
          empty={null}
          columns={[
            { key: 'tag', title: w.keyTag, isTitle: true, cell: ({ keytag }) => String(keytag) },
            { key: 'algorithm', title: w.algorithm, cell: ({ algorithm }) => String(algorithm) },
            { key: 'type', title: w.digestType, cell: ({ digesttype }) => String(digesttype) },
            { key: 'digest', title: w.digest, cell: ({ digest }) => <code class="long">{digest}</code> },
            ...removal<Ds>(
              ({ keytag }) => String(keytag),
              (row) => void remove(row),
            ),
          ]}
        />
      )}
      {isWriter && (
        <Form onSubmit={() => void add()} trouble={change.trouble}>
          <TextArea
            name="ds"
            label={w.addKey}
            hint={text.trim() !== '' && !read ? w.unreadKey : w.addKeyHint}
            rows={2}
            value={text}
            onText={setText}
          />
          <div class="actions">
            <Button type="submit" busy={change.busy} disabled={!read}>
              {w.addKey}
            </Button>
          </div>
        </Form>
      )}
      {change.operationId && <StepLine id={change.operationId} />}
    </Card>
  );
}
