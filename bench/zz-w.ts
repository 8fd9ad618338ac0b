import { writeFileSync } from 'node:fs';
import pg from 'pg';
import { buy, makeBuyers } from './domains/buyers.ts';
import { processorTimes } from './domains/processor.ts';
import { measure, measureFor, rounded } from './domains/rate.ts';
import { openStage } from './domains/stage.ts';

// zz-w.ts <warm> <rounds> <perRound> [what: service|registry|tables|none] [out]
const [warm = '600', rounds = '3', per = '300', what = 'none', out = '/work/h/tmp/cheap'] = process.argv.slice(2);
const width = Number(process.env.WIDTH ?? 12);
async function profiler(pid: number) {
  process.kill(pid, 'SIGUSR1');
  let list: any;
  for (let i = 0; i < 100 && !list; i++) { await new Promise((r) => setTimeout(r, 100)); list = await fetch('http://127.0.0.1:9229/json').then((r) => r.json(), () => undefined); }
  const ws = new WebSocket(list[0].webSocketDebuggerUrl);
  await new Promise((r) => ws.addEventListener('open', r));
  let id = 0; const waits = new Map<number, (v: any) => void>();
  ws.addEventListener('message', (m: any) => { const d = JSON.parse(m.data); waits.get(d.id)?.(d.result ?? d); });
  const post = (method: string, params = {}) => new Promise<any>((r) => { waits.set(++id, r); ws.send(JSON.stringify({ id, method, params })); });
  await post('Profiler.enable'); await post('Profiler.setSamplingInterval', { interval: 250 }); await post('Profiler.start');
  return async (file: string, n: number) => {
    const { profile } = await post('Profiler.stop'); writeFileSync(file, JSON.stringify({ ...profile, orders: n }));
    void post('Runtime.evaluate', { expression: `process.getBuiltinModule('inspector').close()` }); await new Promise((r) => setTimeout(r, 300)); ws.close();
  };
}
const stage = await openStage({ countStatements: what === 'tables' || what === 'stmts' });
try {
  const server = new pg.Client({ connectionString: stage.databaseUrl }); await server.connect();
  const buyers = await makeBuyers(stage, 8);
  let n = 0;
  const go = (count: number) => { const from = n; n += count; return measure(count, width, (i) => buy(stage, buyers[(from + i) % 8]!, `w-${from + i}.com`)); };
  await go(Number(warm)); await server.query('analyze');
  for (let round = 0; round < Number(rounds); round++) {
    const used = await processorTimes(stage, server); const me = process.cpuUsage();
    const c = Number(per); const m = await go(c);
    const u = await used(); const mine = process.cpuUsage(me);
    console.log(round, c, rounded(m.perSecond), 'ms', rounded(m.p50Ms), 'service', rounded(u.service / c, 2), 'db', rounded(u.database / c, 2), 'reg', rounded(u.registry / c, 2), 'bench', rounded((mine.user + mine.system) / 1000 / c, 2), 'sum', rounded((u.service + u.database + u.registry) / c, 2));
  }
  for (const part of what.split(',')) {
    if (part === 'service' || part === 'registry') {
      const stop = await profiler(part === 'service' ? stage.pids()[0]! : stage.registry().pid);
      await go(Number(per)); await stop(`${out}/${part}.cpuprofile`, Number(per)); console.log('profiled', part);
    }
    if (part === 'stmts') {
      const c = Number(per);
      await server.query('create extension if not exists pg_stat_statements');
      await server.query(`alter system set pg_stat_statements.track='all'`); await server.query(`alter system set pg_stat_statements.track_planning=on`); await server.query('select pg_reload_conf()');
      await go(100); await server.query('select pg_stat_statements_reset()'); await go(c);
      const { rows } = await server.query(`select toplevel, round(calls::numeric/${c},2) calls, round(plans::numeric/${c},2) plans, round((total_plan_time/${c})::numeric,3) plan_ms, round((total_exec_time/${c})::numeric,3) ms, regexp_replace(query,'\\s+',' ','g') q from pg_stat_statements where dbid=(select oid from pg_database where datname=current_database()) and calls > ${c / 10} order by total_plan_time desc, calls desc`);
      for (const r of rows) console.log(r.toplevel ? 'T' : 'n', r.calls, r.plans, r.plan_ms, r.ms, r.q.slice(0, 150));
      console.log('rows', rows.length, 'calls', rows.reduce((a: number, r: any) => a + Number(r.calls), 0), 'plan', rows.reduce((a: number, r: any) => a + Number(r.plan_ms), 0));
    }
    if (part === 'tables') {
      const root = new pg.Client({ connectionString: stage.databaseUrl }); await root.connect();
      await root.query(`alter system set track_functions='all'`); await root.query('select pg_reload_conf()');
      await go(100);
      const c = Number(per);
      await server.query('create extension if not exists pg_stat_statements');
      await new Promise((r) => setTimeout(r, 2000)); await server.query('select pg_stat_reset()'); await server.query('select pg_stat_statements_reset()');
      await go(c); await new Promise((r) => setTimeout(r, 2500));
      const show = async (q: string) => { const { rows } = await server.query(q); console.table(rows); };
      await show(`select relname, round(n_tup_ins::numeric/${c},2) ins, round(n_tup_upd::numeric/${c},2) upd, round(n_tup_hot_upd::numeric/${c},2) hot, round(n_tup_del::numeric/${c},2) del, round(coalesce(seq_scan,0)::numeric/${c},2) seq, round(coalesce(idx_scan,0)::numeric/${c},2) idx from pg_stat_user_tables where n_tup_ins+n_tup_upd+n_tup_del+coalesce(seq_scan,0)+coalesce(idx_scan,0) > ${c / 5} order by n_tup_ins+n_tup_upd desc, idx_scan desc`);
      await show(`select relname, indexrelname, round(idx_scan::numeric/${c},2) scans, pg_relation_size(indexrelid)/1024 kb from pg_stat_user_indexes i where relname in (select relname from pg_stat_user_tables where n_tup_ins+n_tup_upd > ${c / 2}) order by 1,2`);
      await show(`select funcname, round(calls::numeric/${c},2) calls, round((total_time/${c})::numeric,3) total_ms, round((self_time/${c})::numeric,3) self_ms from pg_stat_user_functions where calls > ${c / 5} order by self_time desc limit 60`);
      await show(`select round(calls::numeric/${c},2) calls, round((total_exec_time/${c})::numeric,3) ms, left(regexp_replace(query,'\\s+',' ','g'),140) q from pg_stat_statements where dbid=(select oid from pg_database where datname=current_database()) and calls > ${c / 10} order by total_exec_time desc limit 50`);
      await root.end();
    }
  }
  await server.end();
} finally { await stage.stop(); }
process.exit(0);
