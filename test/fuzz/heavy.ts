import type { Called, CallOptions } from '../support/service.ts';
import type { Target } from './target.ts';

/** Bodies of up to one megabyte, the limit, each with many elements of one kind. */
const million = 1_000_000;
const json = (body: string): CallOptions => ({ raw: { type: 'application/json', body } });
const form = (body: string): CallOptions => ({ raw: { type: 'application/x-www-form-urlencoded', body } });
const many = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => one(i)).join(',');
const parts = (count: number, value: string): CallOptions => ({
  raw: {
    type: 'multipart/form-data; boundary=b',
    body: `${`--b\r\nContent-Disposition: form-data; name="f"\r\n\r\n${value}\r\n`.repeat(count)}--b--\r\n`,
  },
});

const bodies: Record<string, CallOptions> = {
  'many fields': json(`{${many(75_000, (i) => `"${i.toString(16)}":0`)}}`),
  'as many fields as may be': json(`{${many(1_900, (i) => `"${'x'.repeat(400)}${i}":0`)}}`),
  'one field again and again': json(`{${many(200_000, () => '"":0')}}`),
  'a list of numbers': json(`{"a":[${many(400_000, () => '1')}]}`),
  'a list of objects': json(`{"a":[${many(300_000, () => '{}')}]}`),
  'depth alone': json('['.repeat(million)),
  'depth and width': json(`{"a":${'['.repeat(18)}${many(300_000, () => '[]')}${']'.repeat(18)}}`),
  'a long name': json(`{"${'x'.repeat(million)}":0}`),
  'a long text': json(`{"label":"${'\\u0001'.repeat(160_000)}","token":"x"}`),
  'a form of blanks': form(`label=${'+'.repeat(million)}`),
  'a form of broken escapes': form(`label=${'%ff%'.repeat(250_000)}`),
  'a form of nothing': form('&'.repeat(million)),
  'a form of many fields': form('a=1&'.repeat(250_000)),
  'many parts': parts(5_000, 'x'.repeat(100)),
  'a large part': parts(1, 'x'.repeat(million)),
};

const calls = [
  ['POST', '/v1/invitations/accept'],
  ['POST', '/v1/quotes'],
  ['POST', '/v1/customers'],
] as const;

/** Lists of a bulk call: each as long as a body allows. */
const lists: Record<string, (list: string) => string> = {
  'PATCH /v1/domains/a.com/zone/rrsets': (list) => `{"rrsets":[${list}]}`,
  'PUT /v1/account/price_list': (list) => `{"target":"customer","prices":[${list}]}`,
  'PUT /v1/account/price_rules': (list) => `{"audience":"customer","rules":[${list}]}`,
};
const entries: Record<string, string> = {
  'nothing in each': many(8_000, () => '{}'),
  'as many as may be, all wrong': many(1_000, () => '{"name":[],"type":[],"records":[0],"tld":[],"action":[]}'),
  'all with unknown fields': many(1_000, () => `{"a":0,"b":0,"c":0,"d":0,"e":0,"f":0}`),
  'no objects': many(9_000, () => '0'),
};

function heavyRequests(): [name: string, method: string, path: string, options: CallOptions][] {
  const made: [string, string, string, CallOptions][] = [];
  for (const [name, options] of Object.entries(bodies)) made.push([name, 'POST', '/v1/account/keys', options]);
  for (const [method, path] of calls)
    for (const name of ['as many fields as may be', 'a form of blanks']) made.push([name, method, path, bodies[name]!]);
  for (const [call, around] of Object.entries(lists)) {
    const [method, path] = call.split(' ') as [string, string];
    for (const [name, list] of Object.entries(entries)) made.push([name, method, path, json(around(list))]);
  }
  const rrset = `{"name":"a","type":"TXT","records":[${many(16_900, () => '0')}]}`;
  made.push(['many records', 'PATCH', '/v1/domains/a.com/zone/rrsets', json(`{"rrsets":[${rrset}]}`)]);
  const csv = `tld,action,amount\\n${'x,y,z\\n'.repeat(100_000)}`;
  made.push([
    'a long price list',
    'POST',
    '/v1/account/price_list/import',
    json(`{"target":"customer","csv":"${csv}"}`),
  ]);
  for (const [name, line] of [
    ['as many prices as may be, all wrong', 'x,y,z'],
    ['as many prices as may be', 'com,create,12.00'],
  ] as const) {
    const file = `tld,action,amount\\n${`${line}\\n`.repeat(19_000)}`;
    made.push([name, 'POST', '/v1/account/price_list/import', json(`{"target":"customer","csv":"${file}"}`)]);
  }
  const records = many(5_000, () => '0');
  made.push([
    'as many records as may be',
    'PATCH',
    '/v1/domains/a.com/zone/rrsets',
    json(`{"rrsets":[{"records":[${records}]}]}`),
  ]);
  const names = many(1_900, (i) => `"${'x'.repeat(300)}${i}"`);
  made.push(['many whitelists', 'POST', '/v1/account/keys', json(`{"label":"x","ip_whitelist":[${names}]}`)]);
  made.push(['a query of many fields', 'GET', '/v1/customers', { query: 'a=1&'.repeat(2_000) }]);
  made.push(['a query of blanks', 'GET', '/v1/customers', { query: `name=${'+'.repeat(8_000)}` }]);
  made.push(['many names', 'GET', '/v1/domains/availability', { query: `domain_name=${'a,'.repeat(3_500)}` }]);
  const headers = { 'Idempotency-Key': 'x'.repeat(14_000) };
  made.push(['a long key', 'POST', '/v1/quotes', { json: {}, headers }]);
  made.push(['a long user', 'GET', '/v1/account/profile', { as: `1000:${'x'.repeat(9_000)}` }]);
  return made;
}

/** The largest answer to a refusal. */
const answerBytes = 65_536;

/**
 * Each separately, so that an event-loop block can be attributed. The least of three measurements counts: other processes on the same
 * core make the same work use more processor time, never less.
 */
export async function sendHeavy(t: Target, blockMs: number): Promise<string[]> {
  const failures: string[] = [];
  const requests = heavyRequests();
  // Code that runs for the first time is compiled in that tick.
  for (const [, method, path, options] of requests) await t.call(method, path, options);
  for (const [name, method, path, options] of requests) {
    let blockedMs = Number.POSITIVE_INFINITY;
    let called: Called | undefined;
    for (let tries = 0; tries < 3 && blockedMs > blockMs; tries += 1) {
      await t.service.watchStalls();
      called = await t.call(method, path, options);
      blockedMs = Math.min(blockedMs, t.service.worstTurnMs);
    }
    const { status, text, body } = called!;
    const what = `${name}: ${method} ${path}: ${status} ${body?.code}, ${text.length} characters, ${blockedMs.toFixed(0)} ms`;
    if (process.env.SHOW_HEAVY) console.log(what);
    if (status >= 500 || (status >= 400 && text.length > answerBytes) || blockedMs > blockMs) failures.push(what);
  }
  return failures;
}
