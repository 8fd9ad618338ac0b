import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyFor, makeReseller } from '../../../test/support/resellers.ts';
import { makeDomain, patch, recordsAt } from '../../server/test/zones/support.ts';
import { indexed } from '../src/zones/draft.ts';
import { asLines, editsOfChange, namesIn, readTemplateLines, variablesIn } from '../src/zones/template-lines.ts';
import {
  type ConsoleTest,
  expectAccessible,
  openConsole,
  openMenu,
  pressEnter,
  takePictures,
} from './support/console.ts';

describe('template lines', () => {
  test('converts records to lines and back, with one RRset per name and type', () => {
    const lines = '@ 300 MX 10 mail.{domain}.\n@ MX 20 {backup}.\n; a remark\n\nWWW in a １９２．０．２．１';
    const { rrsets, unread } = readTemplateLines(lines);
    expect(rrsets).toEqual([
      { name: '@', type: 'MX', ttl: 300, records: ['10 mail.{domain}.', '20 {backup}.'] },
      { name: 'WWW', type: 'A', records: ['192.0.2.1'] },
    ]);
    expect(unread).toEqual([]);
    expect(asLines([{ name: '@', type: 'MX', ttl: 300, records: ['10 a.', '20 b.'] }])).toBe(
      '@ 300 MX 10 a.\n@ 300 MX 20 b.',
    );
    expect(variablesIn(`${lines} %{i} {backup}`)).toEqual(['backup']);
    expect(readTemplateLines('www A').unread).toEqual([1]);
    expect(readTemplateLines('www TXT "it’s"').doubt).toBe('’');
  });
  test('reads lists of domain names', () => {
    expect(namesIn(' One.com, two.com.\n\u200btwo.com;three.com ')).toEqual(['one.com', 'two.com', 'three.com']);
  });
  test('converts a change to edits of RRsets', () => {
    const name = 'example.com.';
    const base = indexed([{ name, type: 'TXT', ttl: 300, records: ['"a"', '"b"'] }]);
    const set = (type: string, records: string[], ttl = 300) => ({ name, type, ttl, records });
    const applied = { added: [set('TXT', ['"c"']), set('MX', ['0 .'], 3_600)], deleted: [set('TXT', ['"b"'])] };
    expect(editsOfChange(base, applied)).toEqual({
      'example.com. TXT': set('TXT', ['"a"', '"c"']),
      'example.com. MX': set('MX', ['0 .'], 3_600),
    });
  });
});

describe('template pages', () => {
  let c: ConsoleTest;
  let id: string;
  beforeAll(async () => {
    c = await openConsole();
    id = await makeDomain(c.t, 'pattern-one.com');
    await makeDomain(c.t, 'pattern-two.com');
    await patch(c.t, id, [
      { name: '@', type: 'MX', records: ['10 mail.example.net.'] },
      { name: '@', type: 'TXT', records: ['"google-site-verification=abc"', '"v=spf1 include:old.example.net ~all"'] },
    ]);
  });
  afterAll(() => c.stop());

  test('applies a template after conflicts are decided and records it in the history', async () => {
    const page = await c.signIn('1000', { at: '/app/domains/pattern-one.com/dns' });
    await page.getByRole('grid', { name: 'Records' }).waitFor();
    await openMenu(page.getByRole('button', { name: 'Templates' }));
    await page.getByRole('menuitem', { name: 'Apply template …' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Apply template to pattern-one.com' });
    await dialog.getByLabel('Template').selectOption('No mail');
    await dialog.getByText('Forged email is rejected', { exact: false }).waitFor();
    await pressEnter(dialog.getByRole('button', { name: 'Review changes' }));
    await dialog.getByText('The zone already has other records.', { exact: false }).waitFor();
    await expectAccessible(page);
    await takePictures(page, 'template-conflicts');
    // TXT records are kept together by default; the mail host is replaced.
    expect(await dialog.getByLabel('Action for pattern-one.com TXT').inputValue()).toBe('merge');
    expect(await dialog.getByLabel('Action for pattern-one.com MX').inputValue()).toBe('replace');
    await pressEnter(dialog.getByRole('button', { name: 'Review changes' }));
    const review = page.getByRole('dialog', { name: 'Changes to pattern-one.com' });
    await review.getByText('"v=spf1 -all"', { exact: false }).first().waitFor();
    await expectAccessible(page);
    await takePictures(page, 'template-review');
    await review.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Changes published.').waitFor();
    expect(await recordsAt(c.t, id, 'pattern-one.com.', 'MX')).toEqual(['0 .']);
    expect((await recordsAt(c.t, id, 'pattern-one.com.', 'TXT')).sort()).toEqual([
      '"google-site-verification=abc"',
      '"v=spf1 -all"',
    ]);
    const { body } = await c.t.call('GET', `/v1/domains/${id}/zone/history`, { query: { limit: '1' } });
    expect(body[0]).toMatchObject({ kind: 'template', comment: 'No mail', actor: { kind: 'person' } });

    // Add to the draft to edit first; an invalid value is reported at its field.
    await openMenu(page.getByRole('button', { name: 'Templates' }));
    await page.getByRole('menuitem', { name: 'Apply template …' }).press('Enter');
    await dialog.getByLabel('Template').selectOption('Website at an address');
    const address = dialog.getByLabel('IPv4 address of the server');
    await address.fill('192.0.2');
    await dialog.getByRole('button', { name: 'Add to draft' }).click();
    await dialog.getByText('{ip} must be an IPv4 address').first().waitFor();
    await expectAccessible(page);
    await address.fill('１９２．０．２．８０');
    await dialog.getByRole('button', { name: 'Add to draft' }).click();
    await page.getByText('2 added').waitFor();
    await page.getByRole('gridcell', { name: '192.0.2.80', exact: true }).waitFor();
    await c.leave(page);
    expect(c.complaints).toEqual([]);
  });

  /** In Indonesian, as a user of a sub-reseller: inherited templates are marked and read-only. */
  async function seenBelow(name: string, child: string) {
    const email = 'below@people.example';
    const page = await c.signIn(child.split(':')[0]!, { email, at: '/app/operations' });
    await c.t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update person set language = 'id' where email = ${email}`),
    );
    await page.goto(`${c.t.url}/app/templates`);
    const row = page.getByRole('row', { name });
    await row.getByText('Penyedia Anda').waitFor();
    await expectAccessible(page);
    await takePictures(page, 'templates-from-above');
    await openMenu(row.getByRole('button', { name: `Tindakan untuk ${name}` }));
    await page.getByRole('menuitem', { name: 'Gandakan' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Ubah' }).count()).toBe(0);
    await c.leave(page);
  }

  test('saves a zone as a template, edits it, applies it to many domains and deletes it', async () => {
    const page = await c.signIn('1000', { at: '/app/domains/pattern-one.com/dns' });
    await page.getByRole('grid', { name: 'Records' }).waitFor();
    await openMenu(page.getByRole('button', { name: 'Templates' }));
    await page.getByRole('menuitem', { name: 'Save as template …' }).press('Enter');
    const saving = page.getByRole('dialog', { name: 'Save pattern-one.com as template' });
    await saving.getByLabel('Name').fill('No mail');
    await takePictures(page, 'template-save');
    await expectAccessible(page);
    await saving.getByLabel('Name').fill('Our quiet names');
    await page.keyboard.press('Enter');
    await page.getByText('Template “Our quiet names” saved').waitFor();

    await openMenu(page.getByRole('button', { name: 'Templates' }));
    await page.getByRole('menuitem', { name: 'All templates' }).press('Enter');
    const table = page.getByRole('table', { name: 'Templates' });
    await table.getByText('Our quiet names').waitFor();
    await expectAccessible(page);
    await takePictures(page, 'templates');
    await openMenu(page.getByRole('button', { name: 'Actions for Our quiet names' }));
    await page.getByRole('menuitem', { name: 'Edit' }).press('Enter');
    const editing = page.getByRole('dialog', { name: 'Edit Our quiet names' });
    const lines = editing.getByLabel('Records');
    expect(await lines.inputValue()).toContain('_dmarc 3600 TXT "v=DMARC1; p=reject; adkim=s; aspf=s"');
    await lines.fill('@ MX 0 .\n@ A {ip}\nwww CNAME {domain}.\n');
    await editing.getByLabel('Type of {ip}').selectOption('IPv4 address');
    await editing.getByLabel('Label of {ip}').fill('Address of the page');
    await editing.getByLabel('Share with sub-resellers').check();
    await expectAccessible(page);
    await takePictures(page, 'template-edit');
    await pressEnter(editing.getByRole('button', { name: 'Save' }));
    await editing.waitFor({ state: 'detached' });
    await table.getByText('Shared').waitFor();
    await seenBelow('Our quiet names', await makeReseller(c.t, await keyFor(c.t, '1000')));

    await openMenu(page.getByRole('button', { name: 'Actions for Our quiet names' }));
    await page.getByRole('menuitem', { name: 'Apply to domains …' }).press('Enter');
    const many = page.getByRole('dialog', { name: 'Apply Our quiet names to domains' });
    await many.getByLabel('Address of the page').fill('192.0.2.80');
    await many.getByRole('textbox', { name: 'Domains' }).fill('pattern-one.com\npattern-two.com\nnobody-has-this.com');
    await many.getByRole('button', { name: 'Preview' }).click();
    await many.getByText('pattern-two.com will add 3 records', { exact: false }).waitFor();
    await many.getByText('nobody-has-this.com', { exact: false }).last().waitFor();
    // Changes since the preview are not overwritten.
    const meanwhile = [{ name: 'www', type: 'A', records: ['198.51.100.5'] }];
    await c.t.call('PATCH', '/v1/domains/pattern-one.com/zone/rrsets', { json: { rrsets: meanwhile } });
    await many.getByRole('button', { name: 'Apply to 2 domains' }).click();
    await many.getByText('pattern-one.com The zone or the template changed since the preview').waitFor();
    await many.getByText('pattern-two.com added 3 records', { exact: false }).waitFor();
    expect(await recordsAt(c.t, 'pattern-one.com', 'www.pattern-one.com.', 'A')).toEqual(['198.51.100.5']);
    await many.getByRole('button', { name: 'Preview' }).click();
    await many.getByText(/^pattern-one\.com will add \d records and delete \d/).waitFor();
    // The preview continues with the other domains.
    const apply = many.getByRole('button', { name: 'Apply to 1 domain' });
    await expect.poll(() => apply.isEnabled(), { timeout: 300_000 }).toBe(true);
    // The change is applied but its response is lost: the status can be checked, also after leaving the page.
    await page.route('**/zone/apply_template', async (route) => {
      await route.fetch();
      await route.abort();
      await page.unroute('**/zone/apply_template');
    });
    await apply.click();
    await many.getByText('status unknown').waitFor();
    await page.reload();
    await openMenu(page.getByRole('button', { name: 'Actions for Our quiet names' }));
    await page.getByRole('menuitem', { name: 'Apply to domains …' }).press('Enter');
    await many.getByRole('button', { name: 'Check status' }).click();
    await many.getByText(/^pattern-one\.com added \d records/).waitFor();
    await expectAccessible(page);
    await takePictures(page, 'template-many');
    for (const name of ['pattern-one.com', 'pattern-two.com'])
      expect(await recordsAt(c.t, name, `${name}.`, 'A')).toEqual(['192.0.2.80']);
    await many.getByRole('button', { name: 'Close' }).click();

    // New domains start with the template and its stored values. If the template is missing, the page shows a problem.
    await page.getByText('New domains start without a template.').waitFor();
    await openMenu(page.getByRole('button', { name: 'Actions for Our quiet names' }));
    await page.getByRole('menuitem', { name: 'Set as default …' }).press('Enter');
    const beginning = page.getByRole('dialog', { name: 'Set Our quiet names as default' });
    await beginning.getByLabel('Address of the page').fill('192.0.2');
    await page.keyboard.press('Enter');
    await beginning.getByText('{ip} must be an IPv4 address').first().waitFor();
    await beginning.getByLabel('Address of the page').fill('192.0.2.81');
    await expectAccessible(page);
    await takePictures(page, 'template-default');
    await pressEnter(beginning.getByRole('button', { name: 'Set as default' }));
    await table.getByText('Default', { exact: true }).waitFor();

    await openMenu(page.getByRole('button', { name: 'Actions for Our quiet names' }));
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    const removing = page.getByRole('dialog', { name: 'Delete template Our quiet names?' });
    await expectAccessible(page);
    await pressEnter(removing.getByRole('button', { name: 'Delete' }));
    await page.getByText('Template “Our quiet names” deleted').waitFor();
    await page.getByText('The template is not applied at present', { exact: false }).waitFor();
    await expectAccessible(page);
    await pressEnter(page.getByRole('button', { name: 'Remove default' }));
    await page.getByText('New domains start without a template.').first().waitFor();
    const { body } = await c.t.call('GET', '/v1/zone_templates');
    expect((body as { is_built_in: boolean }[]).every((each) => each.is_built_in)).toBe(true);
    await c.leave(page);
    expect(c.complaints).toEqual([]);
  });
});
