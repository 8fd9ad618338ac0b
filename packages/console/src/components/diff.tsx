import { messages } from '../messages/common.ts';

export interface Change {
  readonly key: string;
  /** Shown once above both sides. */
  readonly title?: string;
  readonly before?: string;
  readonly after?: string;
}

/** The lengths of the common start and end of two texts. */
function middle(before: string, after: string): [number, number] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return [start, end];
}

function Side({
  text,
  other,
  kind,
}: {
  readonly text: string;
  readonly other: string | undefined;
  readonly kind: 'removed' | 'added';
}) {
  const t = messages();
  const [start, end] = other === undefined ? [0, 0] : middle(text, other);
  const stop = text.length - end;
  return (
    <div class={`diff-side ${kind}`}>
      <span class="unseen">{t.diff[kind]}: </span>
      <span class="sign" aria-hidden="true">
        {kind === 'removed' ? '−' : '+'}
      </span>
      <code>
        {text.slice(0, start)}
        {other === undefined ? text : <mark>{text.slice(start, stop)}</mark>}
        {other !== undefined && text.slice(stop)}
      </code>
    </div>
  );
}

/** Removed and added lines side by side, with the changed characters marked. */
export function Diff({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <ul class="diff">
      {changes.map(({ key, title, before, after }) => (
        <li key={key}>
          {title && <div class="diff-title">{title}</div>}
          {before !== undefined && <Side text={before} other={after} kind="removed" />}
          {after !== undefined && <Side text={after} other={before} kind="added" />}
        </li>
      ))}
    </ul>
  );
}
