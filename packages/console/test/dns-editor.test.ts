import { Resolver } from 'node:dns/promises';
import { allTenants, sql } from '@namehold/postgres';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestService } from '../../../test/support/service.ts';
import { makeDomain, patch, recordsAt } from '../../server/test/zones/support.ts';
import { type ConsoleTest, expectAccessible, openConsole, pressEnter, takePictures } from './support/console.ts';

let c: ConsoleTest;
let id: string;
beforeAll(async () => {
  // Includes the public nameserver.
  c = await openConsole(await startTestService({ env: { NAMEHOLD_DNS_PORT: '0' } }));
  id = await makeDomain(c.t, 'editor-shop.com');
  await patch(c.t, id, [
    { name: '@', type: 'A', records: ['192.0.2.1'] },
    { name: '@', type: 'MX', records: ['10 mail.example.net.', '20 backup.example.net.'] },
    { name: '@', type: 'TXT', records: ['"v=spf1 include:_spf.example.net -all"'] },
    { name: 'www', type: 'A', ttl: 300, records: ['192.0.2.1', '192.0.2.2'] },
    { name: '_dmarc', type: 'TXT', records: ['"v=DMARC1; p=none"'] },
  ]);
});
afterAll(async () => {
  await c.stop();
  await c.t.stop();
});

const openEditor = (name = 'editor-shop.com') => c.signIn('1000', { at: `/app/domains/${name}/dns` });

test('edits, reviews and publishes records, resolves a conflict and undoes a change', async () => {
  const page = await openEditor();
  const grid = page.getByRole('grid', { name: 'Records' });
  await grid.waitFor();
  await expectAccessible(page);
  await takePictures(page, 'dns-table');

  // Invalid input in a cell is kept and reported with its field.
  const cell = grid.getByRole('gridcell', { name: '192.0.2.2', exact: true });
  await cell.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('192.0.2.999');
  await takePictures(page, 'dns-cell');
  await page.keyboard.press('Enter');
  await grid.getByText('"192.0.2.999" is not an IPv4 address. Example: 192.0.2.1').waitFor();
  expect(await page.getByRole('button', { name: 'Review' }).isDisabled()).toBe(true);
  await page.keyboard.press('Enter');
  await page.keyboard.type('192.0.2.22');
  await page.keyboard.press('Enter');
  await page.getByText('1 changed').waitFor();

  // The draft survives a reload, also right after typing.
  await page.reload();
  await page.getByText('1 changed').waitFor();

  // Add a record with the first row.
  const fresh = page.getByRole('form', { name: 'New record' });
  await fresh.getByRole('textbox', { name: 'Name' }).fill('shop');
  await fresh.getByRole('textbox', { name: 'Content' }).fill('192.0.2.77');
  await page.getByText('shop.editor-shop.com resolves to 192.0.2.77 (cached for 1 hour).').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('1 changed, 1 added').waitFor();
  await takePictures(page, 'dns-draft');

  // Someone else changes the zone first: both versions are shown and the draft is kept.
  await patch(c.t, id, [{ name: 'www', type: 'A', ttl: 300, records: ['192.0.2.1', '192.0.2.50'] }], {
    body: { comment: 'their turn' },
  });
  await pressEnter(page.getByRole('button', { name: 'Review' }));
  const failed = page.getByRole('dialog', { name: 'Someone else changed this zone' });
  await failed.getByText('Comment: their turn').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'dns-conflict');
  await failed.getByRole('radio', { name: 'My version' }).press('Space');
  await pressEnter(failed.getByRole('button', { name: 'Continue to review' }));
  const review = page.getByRole('dialog', { name: 'Changes to editor-shop.com' });
  await review.getByText('Resolvers may return the old records for up to 5 minutes.').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'dns-review');
  await review.getByLabel('Comment').fill('a shop');
  await pressEnter(review.getByRole('button', { name: 'Publish' }), review.getByLabel('Comment'));
  await page.getByText('Changes published.').waitFor();
  expect(await recordsAt(c.t, id, 'www.editor-shop.com.', 'A')).toEqual(['192.0.2.1', '192.0.2.22']);
  expect(await recordsAt(c.t, id, 'shop.editor-shop.com.', 'A')).toEqual(['192.0.2.77']);
  const { body } = await c.t.call('GET', `/v1/domains/${id}/zone/history`, { query: { limit: '1' } });
  expect(body[0]).toMatchObject({ comment: 'a shop', actor: { kind: 'person' } });

  // Undo creates a draft.
  await pressEnter(page.getByRole('status').getByRole('button', { name: 'Undo' }));
  await page.getByText('1 changed, 1 deleted').waitFor();
  await pressEnter(page.getByRole('button', { name: 'Review' }));
  await review.getByRole('button', { name: 'Publish' }).click();
  await expect.poll(() => recordsAt(c.t, id, 'shop.editor-shop.com.', 'A')).toEqual([]);
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('edits as text, pastes records, shows the history and requires the name before large losses', async () => {
  const page = await openEditor();
  await page.getByRole('grid', { name: 'Records' }).waitFor();
  await page.getByRole('button', { name: 'Paste or import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Paste records' });
  await dialog.getByLabel('Paste records').fill('ftp IN A 192.0.2.9\nbad IN A 1.2.3\n');
  await dialog.getByText('1 record found').waitFor();
  await dialog.getByText('1 line not recognised').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'dns-paste');
  await dialog.getByRole('radio', { name: 'Add to the existing records' }).waitFor();
  await dialog.getByRole('button', { name: 'Add to draft' }).click();
  await page.getByText('1 added').waitFor();
  await page.getByRole('tab', { name: 'Zone file' }).click();
  const text = page.getByRole('textbox', { name: 'Zone file' });
  expect(await text.inputValue()).toContain('ftp\tIN\tA\t192.0.2.9');
  await text.fill((await text.inputValue()).replaceAll(/^.*\tMX\t.*\n/gm, ''));
  await page.getByRole('button', { name: 'Update draft' }).click();
  await page.getByText('1 added, 2 deleted').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'dns-text');
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByText('a shop').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'dns-history');
  await page.getByRole('button', { name: 'Review' }).click();
  const review = page.getByRole('dialog', { name: 'Changes to editor-shop.com' });
  await review.getByText('The domain will no longer receive email.').waitFor();
  expect(await review.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
  await review.getByLabel('Type editor-shop.com to confirm').fill('editor-shop.com');
  await review.getByRole('button', { name: 'Publish' }).click();
  await expect.poll(() => recordsAt(c.t, id, 'editor-shop.com.', 'MX')).toEqual([]);
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('repairs pasted text with a notice, and keeps ambiguous text for the user to decide', async () => {
  const name = 'copied-shop.com';
  const copied = await makeDomain(c.t, name);
  await patch(c.t, copied, [{ name: '@', type: 'TXT', records: ['"old"'] }]);
  const page = await openEditor(name);
  const grid = page.getByRole('grid', { name: 'Records' });
  await grid.waitFor();

  // The first row describes the record.
  const fresh = page.getByRole('form', { name: 'New record' });
  await fresh.getByRole('textbox', { name: 'Name' }).fill('ｗｗｗ\u200b');
  await fresh.getByRole('textbox', { name: 'Content' }).fill('\u00a0１９２．０．２．１');
  await fresh.getByText('www.copied-shop.com resolves to 192.0.2.1 (cached for 1 hour).').waitFor();
  await fresh.getByText('Full-width characters were replaced with regular ones.').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'dns-mended');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Full-width characters were replaced with regular ones.').waitFor();

  // Quotes inside a text are ambiguous in a cell, and the input is kept.
  await grid.getByRole('gridcell', { name: '"old"', exact: true }).focus();
  await page.keyboard.press('Enter');
  const cell = grid.getByRole('textbox', { name: 'Edit Content' });
  await cell.fill('it’s ours');
  await page.keyboard.press('Enter');
  await grid.getByText('Content: ’ may come from copying.', { exact: false }).waitFor();
  expect(await cell.inputValue()).toBe('it’s ours');
  await expectAccessible(page);
  await takePictures(page, 'dns-doubt');
  await cell.fill('“v=spf1 -all”');
  await page.keyboard.press('Enter');
  await grid.getByRole('gridcell', { name: '"v=spf1 -all"', exact: true }).waitFor();

  // A long text is shown as one and sent in strings of 255 bytes.
  const key = `v=DKIM1; k=rsa; p=${'A'.repeat(392)}`;
  await fresh.getByRole('textbox', { name: 'Name' }).fill('s1._domainkey');
  const types = fresh.getByRole('combobox', { name: 'Type' });
  expect(await types.locator('optgroup').first().locator('option').allTextContents()).toContain('MX');
  await types.selectOption('MX');
  expect(await fresh.getByRole('textbox', { name: 'Content' }).getAttribute('placeholder')).toBe('10 mail.example.com');
  await types.selectOption('TXT');
  await fresh.getByRole('textbox', { name: 'Content' }).fill(key);
  await fresh.getByText('split into several strings', { exact: false }).waitFor();
  await page.keyboard.press('Enter');
  await grid.getByRole('gridcell', { name: `"${key}"`, exact: true }).waitFor();

  // Paste a whole document.
  await page.getByRole('button', { name: 'Paste or import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Paste records' });
  await dialog.getByLabel('Paste records').fill('ftp\u00a0IN\u00a0A\u00a0１９２．０．２．９\nnote IN TXT "it’s"\n');
  await dialog.getByText('1 record found').waitFor();
  await dialog.getByText('Special spaces were replaced with regular ones.', { exact: false }).waitFor();
  await dialog.getByText('’ may come from copying', { exact: false }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add to draft' }).click();

  await page.getByRole('button', { name: 'Review' }).click();
  const review = page.getByRole('dialog', { name: `Changes to ${name}` });
  await review.getByRole('button', { name: 'Publish' }).click();
  await expect.poll(() => recordsAt(c.t, copied, `ftp.${name}.`, 'A')).toEqual(['192.0.2.9']);
  expect(await recordsAt(c.t, copied, `www.${name}.`, 'A')).toEqual(['192.0.2.1']);
  expect(await recordsAt(c.t, copied, `${name}.`, 'TXT')).toEqual(['"v=spf1 -all"']);
  expect(await recordsAt(c.t, copied, `s1._domainkey.${name}.`, 'TXT')).toEqual([
    `"${key.slice(0, 255)}" "${key.slice(255)}"`,
  ]);
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const at = `(() => {
    const here = document.activeElement;
    return here?.getAttribute('aria-label') ?? here?.labels?.[0]?.textContent ?? here?.textContent ?? '';
  })()`;
  for (let presses = 0; presses < 80; presses++) {
    if (String(await page.evaluate(at)).trim() === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} cannot be reached by keyboard`);
}

test('adds a record with the wizard by keyboard and serves it', async () => {
  const page = await openEditor();
  await page.getByRole('grid', { name: 'Records' }).waitFor();
  await tabTo(page, 'Record wizard');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Record wizard' });
  await dialog.waitFor();
  await tabTo(page, 'Record');
  await page.keyboard.type('DMARC');
  await tabTo(page, 'Policy');
  await page.keyboard.type('quar');
  await tabTo(page, 'Send reports to');
  await page.keyboard.type('reports@editor-shop.com');
  await dialog.getByText('_dmarc TXT "v=DMARC1; p=quarantine; rua=mailto:reports@editor-shop.com"').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'dns-helper');
  await tabTo(page, 'Add to draft');
  await page.keyboard.press('Enter');
  await page.getByText('1 changed').waitFor();
  await tabTo(page, 'Review and publish');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Changes to editor-shop.com' }).waitFor();
  await tabTo(page, 'Publish');
  await page.keyboard.press('Enter');
  await page.getByText('Changes published.').waitFor();
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${c.t.service.nameserver!.at.port}`]);
  await vi.waitFor(async () => {
    const [answer] = await resolver.resolveTxt('_dmarc.editor-shop.com');
    expect(answer?.join('')).toBe('v=DMARC1; p=quarantine; rua=mailto:reports@editor-shop.com');
  }, 300_000);
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('compares DS records with the zone and refuses to delete the last matching key', async () => {
  // RFC 4034 5.4.
  const key =
    'AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvxegXd/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==';
  const ds = [{ keytag: 60485, algorithm: 5, digesttype: 1, digest: '2BB183AF5F22588179A53B0A98631FAD1A292118' }];
  const signed = await makeDomain(c.t, 'dskey.example.com');
  await c.t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update domain set ds = ${JSON.stringify(ds)} where id = ${signed}`),
  );
  await patch(c.t, signed, [{ name: '@', type: 'DNSKEY', records: [`256 3 5 ${key}`] }]);
  const page = await openEditor('dskey.example.com');
  await page.getByText('DNSSEC is active. The DS record at the registry matches key 60485 in this zone.').waitFor();
  await page.getByRole('gridcell', { name: 'DNSKEY', exact: true }).focus();
  await page.keyboard.press('Delete');
  await page.getByRole('alert').getByText('Your changes delete key 60485').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'dns-signed');
  await page.getByRole('button', { name: 'Review' }).click();
  const review = page.getByRole('dialog', { name: 'Changes to dskey.example.com' });
  await review.getByText('Remove the DS record first', { exact: false }).first().waitFor();
  expect(await review.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('lets a user whose role lost write access see and discard the draft', async () => {
  const email = 'lowered@people.example';
  const page = await c.signIn('1000', {
    email,
    role: 'staff',
    scopes: ['dns:write', 'domains:read'],
    at: '/app/domains/editor-shop.com/dns',
  });
  const fresh = page.getByRole('form', { name: 'New record' });
  await fresh.getByRole('textbox', { name: 'Name' }).fill('late');
  await fresh.getByRole('textbox', { name: 'Content' }).fill('192.0.2.99');
  await page.keyboard.press('Enter');
  await page.getByText('1 added').waitFor();
  // The bar must not cover the menu: Playwright clicks only uncovered elements.
  await page.locator('.side-body').getByRole('button').last().click({ trial: true });

  await c.t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update membership set role = 'read_only', scopes = '{read}'
      where person_id = (select id from person where email = ${email})`),
  );
  await page.reload();
  await page.getByText('Your changes were not published.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await page.getByText('Your changes were not published.').waitFor({ state: 'detached' });
  expect(await page.getByText('192.0.2.99').count()).toBe(0);
});
