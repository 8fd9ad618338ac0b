import { type Draft, mergedOver } from '../data/draft.ts';
import { defineMessages } from '../messages/locale.ts';
import { Button } from './button.tsx';

const messages = defineMessages(
  {
    title: 'Changed since you started editing',
    text: 'Your input is kept and nothing was overwritten. Choose a version, review it, then save.',
    was: 'Before',
    theirs: 'Current',
    mine: 'Your version',
    field: 'Field',
    keep: 'Keep my version',
    take: 'Use current version',
    empty: 'empty',
  },
  {
    title: 'Berubah sejak Anda mulai mengubahnya',
    text: 'Isian Anda tersimpan dan tidak ada yang ditimpa. Pilih satu versi, periksa, lalu simpan.',
    was: 'Sebelumnya',
    theirs: 'Saat ini',
    mine: 'Versi Anda',
    field: 'Isian',
    keep: 'Pertahankan versi saya',
    take: 'Pakai versi saat ini',
    empty: 'kosong',
  },
);

interface ComparedField<T> {
  readonly label: string;
  /** The value as text. */
  readonly text: (value: T) => string;
}

/** Shows fields that someone else changed during editing, until the user chooses a version. */
export function EditConflict<T>({ draft, of }: { readonly draft: Draft<T>; readonly of: readonly ComparedField<T>[] }) {
  const t = messages();
  const { others, value } = draft;
  if (!others) return null;
  const { base, theirs } = others;
  const rows = of.filter(({ text }) => text(base) !== text(theirs));
  const shownText = (text: string) => (text === '' ? <span class="faint">{t.empty}</span> : text);
  return (
    <div class="note warn" role="alert" tabIndex={-1}>
      <div>
        <strong>{t.title}</strong>
        <p>{t.text}</p>
        {rows.map(({ label, text }) => (
          <dl key={label} class="facts" aria-label={label}>
            <div>
              <dt>{t.field}</dt>
              <dd>{label}</dd>
            </div>
            <div>
              <dt>{t.was}</dt>
              <dd>{shownText(text(base))}</dd>
            </div>
            <div>
              <dt>{t.theirs}</dt>
              <dd>{shownText(text(theirs))}</dd>
            </div>
            {text(value) !== text(base) && (
              <div>
                <dt>{t.mine}</dt>
                <dd>{shownText(text(value))}</dd>
              </div>
            )}
          </dl>
        ))}
        <div class="row">
          <Button small onClick={() => draft.rebase((mine) => mergedOver(base, theirs, mine))}>
            {t.keep}
          </Button>
          <Button small onClick={draft.clear}>
            {t.take}
          </Button>
        </div>
      </div>
    </div>
  );
}
