import { type Draft, mergedOver } from '../data/draft.ts';
import { inBoth } from '../words/speak.ts';
import { Button } from './button.tsx';

const words = inBoth(
  {
    title: 'Somebody changed it after you began',
    text: 'Nothing of yours is lost and nothing was overwritten. Choose, then look at it and save.',
    was: 'Was',
    theirs: 'Is now',
    mine: 'You typed',
    what: 'What',
    keep: 'Keep what I typed',
    take: 'Take it as it is now',
    empty: 'nothing',
  },
  {
    title: 'Seseorang mengubahnya setelah Anda mulai',
    text: 'Tidak ada milik Anda yang hilang dan tidak ada yang ditimpa. Pilih, periksa, lalu simpan.',
    was: 'Tadinya',
    theirs: 'Sekarang',
    mine: 'Anda ketik',
    what: 'Apa',
    keep: 'Pertahankan ketikan saya',
    take: 'Pakai yang sekarang',
    empty: 'kosong',
  },
);

export interface Compared<T> {
  readonly label: string;
  /** The field in words. */
  readonly text: (value: T) => string;
}

/** What others changed of something while it was edited here, beside what was typed. Shown until somebody chooses. */
export function Meanwhile<T>({ draft, of }: { readonly draft: Draft<T>; readonly of: readonly Compared<T>[] }) {
  const w = words();
  const { others, value } = draft;
  if (!others) return null;
  const { base, theirs } = others;
  const rows = of.filter(({ text }) => text(base) !== text(theirs));
  const shown = (text: string) => (text === '' ? <span class="faint">{w.empty}</span> : text);
  return (
    <div class="note warn" role="alert" tabIndex={-1}>
      <div>
        <strong>{w.title}</strong>
        <p>{w.text}</p>
        {rows.map(({ label, text }) => (
          <dl key={label} class="facts" aria-label={label}>
            <div>
              <dt>{w.what}</dt>
              <dd>{label}</dd>
            </div>
            <div>
              <dt>{w.was}</dt>
              <dd>{shown(text(base))}</dd>
            </div>
            <div>
              <dt>{w.theirs}</dt>
              <dd>{shown(text(theirs))}</dd>
            </div>
            {text(value) !== text(base) && (
              <div>
                <dt>{w.mine}</dt>
                <dd>{shown(text(value))}</dd>
              </div>
            )}
          </dl>
        ))}
        <div class="row">
          <Button small onClick={() => draft.rebase((mine) => mergedOver(base, theirs, mine))}>
            {w.keep}
          </Button>
          <Button small onClick={draft.clear}>
            {w.take}
          </Button>
        </div>
      </div>
    </div>
  );
}
