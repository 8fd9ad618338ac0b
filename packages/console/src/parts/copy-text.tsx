import { words } from '../words/words.ts';
import { Icon } from './icon.tsx';
import { toast } from './toast.tsx';

/** A text that people take elsewhere: an id, a code. */
export function CopyText({ text, label }: { readonly text: string; readonly label?: string }) {
  const w = words();
  const copy = () => navigator.clipboard.writeText(text).then(() => toast(w.copied));
  return (
    <span class="copy-text">
      <code>{label ?? text}</code>
      <button
        type="button"
        class="button quiet small"
        aria-label={`${w.copy}: ${label ?? text}`}
        onClick={() => void copy()}
      >
        <Icon name="copy" />
      </button>
    </span>
  );
}
