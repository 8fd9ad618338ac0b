import { describe, expect, test } from 'vitest';
import NoticeList from '../../src/notices/list.tsx';
import { messages } from '../../src/notices/messages.ts';
import NoticePage from '../../src/notices/notice.tsx';
import { recipientText } from '../../src/notices/state.tsx';
import { example } from '../support/api.ts';
import { usePage } from '../support/dom.ts';

const page = usePage();

test.each([
  ['Sari', 'a@b.example', 'Sari <a@b.example>'],
  ['a@b.example', 'a@b.example', 'a@b.example'],
])('recipientText of %s at %s', (recipient, address, text) => {
  expect(recipientText({ recipient, address })).toBe(text);
});

describe('the list', () => {
  test('is filtered by the URL of the page', async () => {
    page.api.list('/notices', [example('Notice')]);
    await page.show(NoticeList, { at: '/app/notices?state=bounced&page=2' });
    expect(page.api.requests[0]!.query).toEqual({ limit: '25', page_no: '2', state: 'bounced' });
    expect(page.rows()).toHaveLength(1);
  });

  test('offers to clear an empty list only if it is filtered', async () => {
    page.api.list('/notices', []);
    await page.show(NoticeList, { at: '/app/notices' });
    expect(page.has('link', messages().clear)).toBe(false);
    await page.leave();
    await page.show(NoticeList, { at: '/app/notices?state=failed' });
    expect(page.get('link', messages().clear).getAttribute('href')).toBe('/app/notices');
  });
});

test('the text of an email is shown as text in its language, never as HTML', async () => {
  const text = '<img src=x onerror=alert(1)>\nنص عربي';
  page.api.answer('get', '/notices/{notice_id}', () => example('WholeNotice', { text, subject: '<b>Subject</b>' }));
  await page.show(NoticePage, { at: '/app/notices/ntc_1', route: '/app/notices/:id' });
  const shown = page.root.querySelector('pre')!;
  expect([shown.textContent, shown.lang, page.root.querySelector('pre img, h1 b')]).toEqual([text, 'id', null]);
  expect(document.title).toContain('<b>Subject</b>');
});
