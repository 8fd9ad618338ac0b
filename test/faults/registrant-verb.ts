import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { RealService } from '../support/process.ts';
import { detail, order, paidFor, type Verb } from './verb.ts';

const party = {
  company: 'Firm',
  address_line_1: '1 Road',
  city: 'Singapore',
  state: 'Not Applicable',
  country_code: 'SG',
  zipcode: '068808',
  tel_cc_no: '65',
  tel_no: '61234567',
};

/** The link in the mail that requests confirmation from the single address of both sides. */
async function confirmationLink(service: RealService, address: string): Promise<string> {
  for (let waited = 0; waited < 300_000; waited += 50) {
    const mails = (await service.call('GET', '/v1/sandbox/mail?limit=100')).body as { to: string; text: string }[];
    const mail = mails.find(({ to, text }) => to.includes(address) && text.includes('From then on'));
    const link = /^https?:\/\/\S+\/confirm\/\S+$/m.exec(mail?.text ?? '')?.[0];
    if (link) return link;
    await sleep(50);
  }
  throw new Error('no confirmation was requested');
}

/** Both registrants have confirmed, and the service dies before the change is executed. */
export const confirmRegistrant: Verb = {
  name: 'holder',
  kind: 'update',
  step: 'update',
  isRepeatable: false,
  points: ['holder-change:after-answer', 'holder-change:after-begin'],
  async prepare(service, domain) {
    const holder = async (name: string) => {
      const form = { ...party, name, email: `holder@${domain}` };
      return (await service.call('POST', '/v1/customers/2001/contacts', { form })).body.contact_id as string;
    };
    const registrant_contact_id = await holder('Before');
    const bought = { ...order(domain), registrant_contact_id };
    expect((await service.call('POST', '/v1/domains', { form: bought })).status).toBe(200);
    const form = { ...order(domain), registrant_contact_id: await holder('After'), designated_agent: 'false' };
    expect((await service.call('PUT', `/v1/domains/${domain}/contacts`, { form })).status).toBe(202);
  },
  call: (domain) => async (service) => {
    const link = await confirmationLink(service, `holder@${domain}`);
    const answer = { method: 'POST', body: new URLSearchParams({ answer: 'yes' }) };
    return fetch(link, answer).then(
      ({ status }) => ({ status, body: undefined }),
      () => ({ status: 0, body: undefined }),
    );
  },
  async finish(service, domain) {
    for (let waited = 0; waited < 300_000; waited += 50) {
      if ((await detail(service, domain)).registrant_contact?.name === 'After') return;
      await sleep(50);
    }
  },
  async check(service, domain) {
    expect((await detail(service, domain)).registrant_contact).toMatchObject({ name: 'After' });
    expect(await paidFor(service, domain)).toHaveLength(1);
  },
};
