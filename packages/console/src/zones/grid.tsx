// biome-ignore-all lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are changed in place is a grid (ARIA 1.2).
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the keys of the cells are heard by the grid.
// biome-ignore-all lint/a11y/useFocusableInteractive: a cell that is typed into has its focus in the input.
// biome-ignore-all lint/a11y/noAriaHiddenOnFocusable: the room of rows that are not drawn holds nothing to focus.
import { type Name, parseDuration } from '@namehold/dns/editor';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Menu } from '../components/menu.tsx';
import { Badge } from '../components/status-icon.tsx';
import type { Problem } from './check.ts';
import { keyOf, ownerOf, type Row, shownOwner } from './draft.ts';
import { messages } from './messages.ts';
import { problemText } from './problem-text.ts';
import { readContent, readToken, shownContent, type Typed } from './read-input.ts';
import { doubtText, RepairNote, toastRepairs } from './repairs.tsx';
import { isDoubled, sentenceOf } from './sentence.ts';
import { TypeOptions } from './type-options.tsx';

type Column = 'name' | 'type' | 'ttl' | 'data';
const columns: readonly Column[] = ['name', 'type', 'ttl', 'data'];

export interface RowActions {
  readonly setText: (row: Row, text: string) => void;
  readonly setTtl: (row: Row, ttl: number) => void;
  readonly move: (row: Row, to: { name: Name; type: string }) => void;
  readonly remove: (row: Row) => void;
  readonly restore: (row: Row) => void;
  readonly duplicate: (row: Row) => void;
  readonly undo: () => void;
}

interface Props {
  readonly origin: Name;
  readonly rows: readonly Row[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly acts: RowActions;
  readonly chosen: ReadonlySet<string>;
  readonly onChosen: (chosen: ReadonlySet<string>) => void;
  readonly isWritable: boolean;
}

interface Place {
  readonly row: number;
  readonly column: Column;
}

/** From this number of rows, only visible rows are drawn. */
const windowedFrom = 500;
const rowPixels = 41;
/** Extra rows above and below the visible ones. Few, because all drawn rows render on every key press. */
const spare = 8;

const isFixed = (row: Row): boolean => row.set.managed_by !== undefined || row.set.type === 'SOA';

export function Grid(props: Props) {
  const t = messages();
  const { rows, acts, origin, chosen, onChosen, isWritable } = props;
  const [editing, setEditing] = useState<Place>();
  const frame = useRef<HTMLDivElement>(null);
  const visible = useWindow(rows.length, frame);
  const { problems, warnings } = useProblems(props);
  const { at, setAt, hasMoved } = useCurrentCell(rows, editing, frame);
  const go = (place: Place) => {
    hasMoved.current = true;
    setEditing(undefined);
    setAt(place);
  };
  const canEdit = (row: Row | undefined) => row !== undefined && isWritable && !isFixed(row) && row.state !== 'deleted';
  const edit = (place: Place) => {
    if (!canEdit(rows[place.row])) return;
    setAt(place);
    setEditing(place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at.row];
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key.toLowerCase() === 'z') acts.undo();
    else if (editing || (event.target as HTMLElement).closest('input, button, select, [popover]')) return;
    else if (step) {
      const column = columns[Math.min(3, Math.max(0, columns.indexOf(at.column) + step[1]!))]!;
      go({ row: Math.min(rows.length - 1, Math.max(0, at.row + step[0]!)), column });
    } else if (event.key === 'Enter' || event.key === 'F2') edit(at);
    else if (isCommand && event.key.toLowerCase() === 'd' && canEdit(row)) acts.duplicate(row!);
    else if (event.key === 'Delete' && canEdit(row)) acts.remove(row!);
    else return;
    event.preventDefault();
  };
  return (
    <div class="zone-frame" ref={frame} onScroll={visible.onScroll}>
      <table class="zone-grid" role="grid" aria-label={t.records} aria-rowcount={rows.length + 1} onKeyDown={onKeyDown}>
        <Head chosen={chosen.size} />
        <tbody>
          <Spacer rows={visible.from} />
          {rows.slice(visible.from, visible.to).map((row, place) => {
            const index = visible.from + place;
            return (
              <GridRow
                key={row.id}
                {...{ row, index, at, editing, origin, acts, go, edit }}
                leave={() => setEditing(undefined)}
                isFirst={index === 0 || keyOf(rows[index - 1]!.set) !== keyOf(row.set)}
                isNamed={index === 0 || rows[index - 1]!.set.name !== row.set.name}
                isEditable={canEdit(row)}
                isWritable={isWritable}
                problem={problems.get(row.id)}
                warning={warnings.get(row.id)}
                isChosen={chosen.has(row.id)}
                onChoose={() => onChosen(toggled(chosen, row.id))}
              />
            );
          })}
          <Spacer rows={rows.length - visible.to} />
        </tbody>
      </table>
    </div>
  );
}

/** The current cell, which has the tab stop, and the focus once the user moved in the grid. */
function useCurrentCell(
  rows: readonly Row[],
  editing: Place | undefined,
  frame: { readonly current: HTMLDivElement | null },
) {
  const [place, setAt] = useState<Place>({ row: 0, column: 'name' });
  // A filter can leave fewer rows.
  const at = useMemo(() => ({ ...place, row: Math.min(place.row, rows.length - 1) }), [place, rows.length]);
  const hasMoved = useRef(false);
  const focusCell = () => {
    if (!hasMoved.current || editing) return;
    frame.current?.querySelector<HTMLElement>(`[data-cell="${at.row} ${at.column}"]`)?.focus();
  };
  // Runs before the next key press, so that no letter is lost.
  useLayoutEffect(focusCell, [place, editing]);
  // A deleted record is another row, so that its cell lost the focus.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) focusCell();
  }, [rows]);
  return { at, setAt, hasMoved };
}

function toggled(chosen: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return next;
}

function Head({ chosen }: { readonly chosen: number }) {
  const t = messages();
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" class="pick">
          <span class="unseen">{t.selected(chosen)}</span>
        </th>
        {columns.map((column) => (
          <th key={column} scope="col" class={column}>
            {t.columns[column]}
          </th>
        ))}
        <th scope="col">
          <span class="unseen">{t.rowActions}</span>
        </th>
      </tr>
    </thead>
  );
}

function useProblems({ problems, warnings }: Pick<Props, 'problems' | 'warnings'>) {
  return {
    problems: useMemo(() => byRow(problems), [problems]),
    warnings: useMemo(() => byRow(warnings), [warnings]),
  };
}

/** The first problem of each row. Problems of an RRset are shown at its first record. */
function byRow(problems: readonly Problem[]): ReadonlyMap<string, Problem> {
  return new Map(problems.toReversed().map((problem) => [`${problem.key} ${problem.place ?? 0}`, problem]));
}

function useWindow(count: number, frame: { readonly current: HTMLDivElement | null }) {
  const [top, setTop] = useState(0);
  if (count <= windowedFrom) return { from: 0, to: count, onScroll: undefined };
  const from = Math.max(0, Math.min(count, Math.floor(top / rowPixels)) - spare);
  const high = Math.ceil((frame.current?.clientHeight ?? 800) / rowPixels);
  return {
    from,
    to: Math.min(count, from + high + 2 * spare),
    onScroll: (event: Event) => setTop((event.currentTarget as HTMLElement).scrollTop),
  };
}

function Spacer({ rows }: { readonly rows: number }) {
  const cell = useRef<HTMLTableCellElement>(null);
  useLayoutEffect(() => {
    if (cell.current) cell.current.style.blockSize = `${rows * rowPixels}px`;
  }, [rows]);
  if (rows <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td ref={cell} colSpan={6} class="spacer" />
    </tr>
  );
}

interface GridRowProps {
  readonly row: Row;
  readonly index: number;
  readonly at: Place;
  readonly editing: Place | undefined;
  readonly origin: Name;
  readonly acts: RowActions;
  readonly go: (place: Place) => void;
  readonly edit: (place: Place) => void;
  readonly leave: () => void;
  readonly isFirst: boolean;
  readonly isNamed: boolean;
  readonly isEditable: boolean;
  readonly isWritable: boolean;
  readonly problem: Problem | undefined;
  readonly warning: Problem | undefined;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function GridRow(props: GridRowProps) {
  const t = messages();
  const { row, index, at, editing, origin, problem, warning, isEditable, isChosen } = props;
  const isActive = at.row === index;
  const visible: Record<Column, string> = {
    name: shownOwner(row.set.name, origin),
    type: row.set.type,
    ttl: String(row.set.ttl),
    data: shownContent(row.set, row.text),
  };
  const note = problem ?? warning;
  return (
    <>
      <tr class={`${row.state}${isActive ? ' in-hand' : ''}${problem ? ' wrong' : ''}`} aria-rowindex={index + 2}>
        <td class="pick">
          {isEditable && (
            <input
              type="checkbox"
              checked={isChosen}
              aria-label={`${t.records} ${visible.name} ${row.set.type} ${row.text}`.slice(0, 120)}
              onChange={props.onChoose}
            />
          )}
        </td>
        {columns.map((column) => (
          <Cell
            key={column}
            {...props}
            column={column}
            text={visible[column]}
            isRepeated={(column === 'name' && !props.isNamed) || (column === 'ttl' && !props.isFirst)}
            isEditing={editing?.row === index && editing.column === column}
          />
        ))}
        <td class="acts">
          <RowMenu {...props} />
        </td>
      </tr>
      {(isActive || problem) && (
        <tr class="sentence">
          <td />
          <td colSpan={5}>
            {note ? (
              <span class={problem ? 'wrong-text' : 'warn-text'}>{problemText(note, row.set.type)}</span>
            ) : (
              rowSentence(row, t)
            )}
            {isDoubled(row.set.name, origin) && (
              <span class="warn-text"> {t.sentence.doubled(row.set.name.slice(0, -1))}</span>
            )}
          </td>
        </tr>
      )}
    </>
  );
}

/** What a record does. A record that is not published yet does it after publishing. */
function rowSentence({ set, text, state }: Row, t: ReturnType<typeof messages>): string {
  const sentence = sentenceOf(set, text, t.sentence);
  return state === 'added' || state === 'changed' ? t.afterPublishing(sentence) : sentence;
}

function RowMenu({ row, acts, isEditable, isWritable }: GridRowProps) {
  const t = messages();
  if (row.set.managed_by) return <Badge>{t.managed(t.managers[row.set.managed_by] ?? row.set.managed_by)}</Badge>;
  if (row.state === 'deleted')
    return (
      <button type="button" class="button quiet small" disabled={!isWritable} onClick={() => acts.restore(row)}>
        {t.restore}
      </button>
    );
  return (
    <>
      {row.state !== 'same' && <Badge tone={row.state === 'added' ? 'good' : 'warn'}>{t.states[row.state]}</Badge>}
      {isEditable && (
        <Menu
          label={`${t.rowActions}: ${row.set.name} ${row.set.type}`}
          className="button quiet small"
          items={[
            { key: 'duplicate', label: t.duplicate, act: () => acts.duplicate(row) },
            { key: 'remove', label: t.remove, act: () => acts.remove(row) },
          ]}
        >
          ⋯
        </Menu>
      )}
    </>
  );
}

interface CellProps extends GridRowProps {
  readonly column: Column;
  readonly text: string;
  readonly isRepeated: boolean;
  readonly isEditing: boolean;
}

function Cell(props: CellProps) {
  const { row, index, at, column, text, isRepeated, isEditing, isEditable, edit, go } = props;
  const isHere = at.row === index && at.column === column;
  if (isEditing)
    return (
      <td role="gridcell" class={`${column} editing`}>
        <CellInput {...props} />
      </td>
    );
  return (
    <td
      role="gridcell"
      class={`${column}${isRepeated ? ' repeated' : ''}`}
      tabIndex={isHere ? 0 : -1}
      data-cell={`${index} ${column}`}
      aria-readonly={!isEditable}
      title={column === 'name' ? row.set.name : undefined}
      onFocus={() => !isHere && go({ row: index, column })}
      onDblClick={() => edit({ row: index, column })}
      onClick={() => (isEditable ? edit({ row: index, column }) : go({ row: index, column }))}
    >
      {text}
    </td>
  );
}

/** Edits a cell in place. Invalid input is refused with a reason. */
function CellInput({ row, index, column, text, origin, acts, go, edit, leave }: CellProps) {
  const t = messages();
  const [typed, setTyped] = useState(text);
  const [reason, setReason] = useState<string>();
  const input = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const isDone = useRef(false);
  useLayoutEffect(() => {
    input.current?.focus();
    if (column !== 'type') input.current?.select?.();
  }, []);
  const read = column === 'data' ? readContent(row.set.type, typed) : readToken(typed);
  const take = (): boolean => {
    if (isDone.current || typed === text) return true;
    const refused = commitCell(column, read, { row, origin, acts });
    if (refused !== undefined) {
      setReason(refused);
      return false;
    }
    toastRepairs(read.repairs);
    isDone.current = true;
    return true;
  };
  const isWithin = (back: boolean) => column !== (back ? 'name' : 'data');
  const onKeyDown = (event: KeyboardEvent) => {
    const here = { row: index, column };
    if (event.key === 'Escape') {
      isDone.current = true;
      go(here);
    } else if (event.key === 'Enter') {
      if (take()) go(here);
    } else if (event.key === 'Tab' && isWithin(event.shiftKey)) {
      if (take()) edit({ row: index, column: columns[columns.indexOf(column) + (event.shiftKey ? -1 : 1)]! });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const shared = {
    ref: input,
    'aria-label': t.edit(t.columns[column]),
    'aria-invalid': reason !== undefined,
    onKeyDown,
  };
  const onBlur = () => void (take() && leave());
  if (column === 'type')
    return (
      <select {...shared} value={typed} onBlur={onBlur} onChange={(event) => setTyped(event.currentTarget.value)}>
        <TypeOptions now={row.set.type} />
      </select>
    );
  return (
    <>
      <input
        {...shared}
        value={typed}
        spellcheck={false}
        autoComplete="off"
        onBlur={onBlur}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      {reason ? <span class="wrong-text">{reason}</span> : <RepairNote repairs={typed === text ? [] : read.repairs} />}
    </>
  );
}

/** Applies the input to the draft, or returns the reason. The input is kept. */
function commitCell(
  column: Column,
  read: Typed,
  { row, origin, acts }: Pick<CellProps, 'row' | 'origin' | 'acts'>,
): string | undefined {
  const t = messages();
  if (read.doubt !== undefined) return `${t.columns[column]}: ${doubtText(read.doubt)}`;
  switch (column) {
    case 'name': {
      const owner = ownerOf(read.text, origin);
      if ('reason' in owner) return problemText({ field: 'name', reason: owner.reason });
      acts.move(row, { name: owner.name, type: row.set.type });
      return undefined;
    }
    case 'type':
      acts.move(row, { name: row.set.name, type: read.text });
      return undefined;
    case 'ttl': {
      const seconds = parseDuration(read.text);
      if (seconds === undefined) return t.ttlInvalid;
      acts.setTtl(row, seconds);
      return undefined;
    }
    case 'data':
      acts.setText(row, read.text);
      return undefined;
  }
}
