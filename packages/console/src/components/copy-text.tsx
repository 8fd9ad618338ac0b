import { messages } from '../messages/common.ts';
import { Icon } from './icon.tsx';
import { toast } from './toast.tsx';

/** Text that users copy, such as an id or a code. */
export function CopyText({ text, label }: { readonly text: string; readonly label?: string | undefined }) {
  const t = messages();
  const copy = () => navigator.clipboard.writeText(text).then(() => toast(t.copied));
  return (
    <span class="copy-text">
      <code>{label ?? text}</code>
      <button
        type="button"
        class="button quiet small"
        aria-label={`${t.copy}: ${label ?? text}`}
        onClick={() => void copy()}
      >
        <Icon name="copy" />
      </button>
    </span>
  );
}
