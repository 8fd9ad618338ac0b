import { addDays } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import type { Language } from '../notices/kinds.ts';
import { notifyRegistrant } from '../notices/notify-recipients.ts';
import { tldClassOf } from '../policy/tld-class.ts';
import { verificationPolicy } from '../policy/verification.ts';
import { contactsOf } from '../tables/contacts-of.sql.ts';
import { readDomain } from '../tables/domain.sql.ts';
import { dueForDataReminder, markDataReminded } from './verification.sql.ts';

const namesAtOnce = 200;
const roundsPerRun = 20;

const countryName = (code: string, language: Language): string =>
  new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(code) ?? code;

/** Sends each registrant the registration data once a year. One reminder covers all missed years. */
export async function remindOfData(ctx: AppContext): Promise<void> {
  for (let round = 0; round < roundsPerRun; round++) {
    const now = ctx.clock.now();
    const before = addDays(now, -verificationPolicy.dataReminderDays);
    const due = await dueForDataReminder(ctx.db.as(allTenants), before, namesAtOnce);
    for (const { id, tld } of due)
      await ctx.db.transaction(allTenants, async (tx) => {
        if (!(await markDataReminded(tx, id, before, now)) || tldClassOf(tld) === 'country') return;
        const domain = await readDomain(tx, id);
        const { registrant } = await contactsOf(tx, domain);
        if (!registrant) return;
        const { address_line_1, address_line_2, address_line_3, zipcode, city, state, country_code } = registrant;
        const lines = [
          registrant.name,
          registrant.company,
          address_line_1,
          address_line_2,
          address_line_3,
          `${zipcode} ${city}, ${state}`,
          country_code,
          `+${registrant.tel_cc_no} ${registrant.tel_no}`,
          registrant.email,
        ];
        const recordIn = (language: Language) =>
          lines
            .map((line) => (line === country_code ? countryName(line, language) : line))
            .filter((line) => line !== '')
            .join('\n');
        const record = { en: recordIn('en'), id: recordIn('id') };
        await notifyRegistrant(ctx, tx, domain, { kind: 'data_reminder', facts: { record } });
      });
    if (due.length < namesAtOnce) return;
  }
}
