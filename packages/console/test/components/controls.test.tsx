import { useState } from 'preact/hooks';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Combobox } from '../../src/components/combobox.tsx';
import { Menu } from '../../src/components/menu.tsx';
import { Pager, Table } from '../../src/components/table.tsx';
import { messages } from '../../src/messages/common.ts';
import { speak, usePage } from '../support/dom.ts';

const page = usePage();
const choices = ['Ani', 'Budi', 'Citra'].map((label, n) => ({ value: String(n), label }));

describe('a combobox', () => {
  const onChoice = vi.fn();
  function Example({ offered = choices }: { readonly offered?: typeof choices }) {
    const [text, setText] = useState('');
    return <Combobox name="who" label="Who" value={text} choices={offered} onText={setText} onChoice={onChoice} />;
  }
  const open = async (offered?: typeof choices) => {
    await page.show(<Example offered={offered ?? choices} />);
    page.field('who').focus();
  };
  const active = () => {
    const id = page.field('who').getAttribute('aria-activedescendant');
    return id === null ? undefined : page.text(document.getElementById(id)!);
  };
  const isOpen = () => page.field('who').getAttribute('aria-expanded') === 'true';
  beforeEach(() => onChoice.mockClear());

  test('opens with the arrows, which go round', async () => {
    await open();
    const seen: unknown[] = [];
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp']) {
      await page.press(key);
      seen.push(active());
    }
    expect(seen).toEqual(['Ani', 'Budi', 'Citra', 'Ani', 'Citra']);
  });

  test('takes the choice with Enter, and closes', async () => {
    await open();
    await page.press('ArrowDown');
    await page.press('ArrowDown');
    await page.press('Enter');
    expect([onChoice.mock.calls, isOpen()]).toEqual([[[choices[1]]], false]);
  });

  test('takes nothing with Enter while no choice is marked', async () => {
    await open();
    await page.type(page.field('who'), 'A');
    await page.press('Enter');
    expect([onChoice.mock.calls, isOpen()]).toEqual([[], true]);
  });

  test('closes with Escape, which does not close a dialog around it', async () => {
    await open();
    const onKey = vi.fn();
    page.root.addEventListener('keydown', onKey);
    await page.type(page.field('who'), 'A');
    await page.press('Escape');
    expect([isOpen(), onKey.mock.calls.length]).toEqual([false, 0]);
    await page.press('Escape');
    expect(onKey).toHaveBeenCalledTimes(1);
  });

  test('says that nothing matches, and the arrows do no harm', async () => {
    await open([]);
    await page.type(page.field('who'), 'Z');
    await page.press('ArrowDown');
    await page.press('ArrowUp');
    await page.press('Enter');
    expect([page.text(page.get('option')), onChoice.mock.calls]).toEqual([messages().noMatch, []]);
  });

  test('takes a choice with the mouse without losing the focus', async () => {
    await open();
    await page.type(page.field('who'), 'B');
    await page.click(page.get('option', 'Budi'));
    expect([onChoice.mock.calls, document.activeElement]).toEqual([[[choices[1]]], page.field('who')]);
  });
});

describe('a menu', () => {
  const act = vi.fn();
  const open = async () => {
    const items = [
      { key: 'a', label: 'First', act },
      { key: 'b', label: 'Second', href: '/app/second' },
      { key: 'c', label: 'Third', isChosen: true, act: vi.fn() },
    ];
    await page.show(
      <Menu label="More" items={items}>
        …
      </Menu>,
    );
    await page.click(page.button('More'));
  };
  const focused = () => page.text(document.activeElement!);

  test('has the focus in its first entry, and arrows, Home and End move it', async () => {
    await open();
    expect([page.button('More').getAttribute('aria-expanded'), focused()]).toEqual(['true', 'First']);
    const seen: string[] = [];
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Home', 'End']) {
      await page.press(key);
      seen.push(focused());
    }
    expect(seen).toEqual(['Second', 'Third', 'First', 'Third', 'First', 'Third']);
  });

  test('closes with its action, and with Tab', async () => {
    act.mockClear();
    await open();
    await page.press('Enter');
    expect([act.mock.calls.length, page.button('More').getAttribute('aria-expanded')]).toEqual([1, 'false']);
    await page.click(page.button('More'));
    await page.press('Tab');
    expect(page.button('More').getAttribute('aria-expanded')).toBe('false');
  });

  test('tells the current choice', async () => {
    await open();
    expect(page.get('menuitem', 'Third').getAttribute('aria-checked')).toBe('true');
    expect(page.get('menuitem', 'First').getAttribute('aria-checked')).toBeNull();
  });
});

describe('a table', () => {
  const columns = [{ key: 'name', title: 'Name', isSortable: true, cell: (row: string) => row }];

  test('keeps its rows beside an error of a later request', async () => {
    const error = { status: 503, code: 'overloaded', message: '', fields: [], facts: {} } as never;
    await page.show(<Table label="T" rows={['a']} keyOf={String} columns={columns} empty="none" error={error} />);
    expect([page.rows(), page.has('alert')]).toEqual([[['a']], true]);
  });

  test('selects the page, and keeps what was selected elsewhere', async () => {
    const onChosen = vi.fn();
    const selection = { chosen: new Set(['z', 'a']), onChosen };
    await page.show(
      <Table label="T" rows={['a', 'b']} keyOf={String} columns={columns} empty="" selection={selection} />,
    );
    const all = page.get('checkbox', messages().selectAll) as HTMLInputElement;
    expect(all.checked).toBe(false);
    await page.click(all);
    expect([...onChosen.mock.calls[0]![0]]).toEqual(['z', 'a', 'b']);
    page.root.querySelector<HTMLElement>('tbody input')!.click();
    expect([...onChosen.mock.calls[1]![0]]).toEqual(['z']);
  });

  test.each([
    [undefined, null, 'name'],
    ['name', 'ascending', '-name'],
    ['-name', 'descending', 'name'],
  ])('sorted by %s says so, and the next click sorts by %s %s', async (sort, order, next) => {
    const onSort = vi.fn();
    await page.show(
      <Table label="T" rows={['a']} keyOf={String} columns={columns} empty="" sort={sort} onSort={onSort} />,
    );
    expect(page.root.querySelector('th')!.getAttribute('aria-sort')).toBe(order);
    await page.click(page.button('Name'));
    expect(onSort.mock.calls).toEqual([[next]]);
  });
});

describe('the pager', () => {
  const show = (props: Partial<Parameters<typeof Pager>[0]>) =>
    page.show(<Pager page={1} size={25} total={60} onPage={vi.fn()} {...props} />);
  const state = () => [page.text(), page.button(messages().previous).disabled, page.button(messages().next).disabled];

  test.each([
    [{ page: 1 }, ['1–25 of 60', true, false]],
    [{ page: 3 }, ['51–60 of 60', false, true]],
    [{ page: 2, total: 50 }, ['26–50 of 50', false, true]],
    [{ page: 1, total: 1_000, isMore: true }, [messages().rowsOfMore(1, 25, 1_000), true, false]],
    [{ page: 50, total: 1_000, isMore: false }, [messages().rowsOfMore(1_226, 1_250, 1_000), false, true]],
  ])('shows for %j the pages %j', async (props, expected) => {
    await show(props);
    expect(state()).toEqual(expected);
  });

  test('is not shown for one page, except when the user is beyond it', async () => {
    await show({ total: 25 });
    expect(page.text()).toBe('');
    await show({ total: 25, page: 2 });
    expect(page.button(messages().previous).disabled).toBe(false);
  });

  test('speaks the language of the user', async () => {
    speak('id');
    await show({ page: 1 });
    expect(page.text()).toBe(messages().rows(1, 25, 60));
  });
});
