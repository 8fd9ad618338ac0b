import { CopyCurl } from '../components/copy-curl.tsx';
import { Empty } from '../components/empty.tsx';
import { TextFilter } from '../components/filter.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Table } from '../components/table.tsx';
import { usePageUrl } from '../data/page-url.ts';
import { useResource } from '../data/resource.ts';
import { messages as common } from '../messages/common.ts';
import './operator.css';
import { messages } from './messages.ts';

export default function Settings() {
  const t = messages();
  const { query, go } = usePageUrl();
  const list = useResource('/operator/settings', {});
  const has = (query.has ?? '').toLowerCase();
  const isOwn = query.own === '1';
  const rows = list.data?.settings
    .filter(({ name, meaning }) => `${name} ${meaning}`.toLowerCase().includes(has))
    .filter((each) => !isOwn || (each.is_secret ? each.is_set : (each.value ?? '') !== each.default));
  return (
    <>
      <PageHead
        title={t.settings}
        lead={t.settingsLead}
        actions={<CopyCurl method="get" address="/v1/operator/settings" />}
      />
      <search class="row">
        <TextFilter label={t.searchSetting} value={query.has ?? ''} onText={(text) => go({ has: text })} />
        <label class="check">
          <input
            type="checkbox"
            checked={isOwn}
            onChange={(event) => go({ own: event.currentTarget.checked ? '1' : '' })}
          />
          {t.ownOnly}
        </label>
      </search>
      <Table
        label={t.settings}
        rows={rows}
        keyOf={(row) => row.name}
        error={list.error}
        onRetry={list.refetch}
        empty={<Empty title={common().noMatch} />}
        columns={[
          {
            key: 'setting',
            title: t.setting,
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
            title: t.value,
            cell: (row) =>
              row.value === null ? (
                <span class="faint">{row.is_secret && row.is_set ? t.secret : t.unset}</span>
              ) : (
                <code class="setting-value">{row.value}</code>
              ),
          },
        ]}
      />
    </>
  );
}
