import { useAddress } from '../data/address.ts';
import { useResource } from '../data/resource.ts';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty } from '../parts/empty.tsx';
import { TextFilter } from '../parts/filter.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Table } from '../parts/table.tsx';
import { words as common } from '../words/words.ts';
import './operator.css';
import { words } from './words.ts';

export default function Settings() {
  const w = words();
  const { query, go } = useAddress();
  const list = useResource('/operator/settings', {});
  const has = (query.has ?? '').toLowerCase();
  const isOwn = query.own === '1';
  const rows = list.data?.settings
    .filter(({ name, meaning }) => `${name} ${meaning}`.toLowerCase().includes(has))
    .filter((each) => !isOwn || (each.is_secret ? each.is_set : (each.value ?? '') !== each.default));
  return (
    <>
      <PageHead
        title={w.settings}
        lead={w.settingsLead}
        actions={<CopyCurl method="get" address="/v1/operator/settings" />}
      />
      <search class="row">
        <TextFilter label={w.searchSetting} value={query.has ?? ''} onText={(text) => go({ has: text })} />
        <label class="check">
          <input
            type="checkbox"
            checked={isOwn}
            onChange={(event) => go({ own: event.currentTarget.checked ? '1' : '' })}
          />
          {w.ownOnly}
        </label>
      </search>
      <Table
        label={w.settings}
        rows={rows}
        keyOf={(row) => row.name}
        trouble={list.trouble}
        onAgain={list.again}
        empty={<Empty title={common().noMatch} />}
        columns={[
          {
            key: 'setting',
            title: w.setting,
            isTitle: true,
            cell: (row) => (
              <>
                <code>{row.name}</code>
                <span class="setting-meaning">{row.meaning}</span>
              </>
            ),
          },
          {
            key: 'value',
            title: w.value,
            cell: (row) =>
              row.value === null ? (
                <span class="faint">{row.is_secret && row.is_set ? w.secret : w.unset}</span>
              ) : (
                <code class="setting-value">{row.value}</code>
              ),
          },
        ]}
      />
    </>
  );
}
