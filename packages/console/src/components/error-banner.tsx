import type { ApiError } from '../api/error.ts';
import { messages } from '../messages/common.ts';
import { refusalMessage, translatedRefusal } from '../messages/refusal.ts';
import { Button } from './button.tsx';
import { CopyText } from './copy-text.tsx';
import { describeError } from './error-text.ts';
import { Icon } from './icon.tsx';

/** The text of the service, in English if there is no translation. */
function Detail({ message }: { readonly message: string }) {
  const text = translatedRefusal(message);
  return (
    <p class="faint" lang={text === undefined ? 'en' : undefined}>
      {text ?? message}
    </p>
  );
}

export function ErrorBanner({
  error,
  onRetry,
}: {
  readonly error: ApiError;
  readonly onRetry?: (() => void) | undefined;
}) {
  const t = messages();
  const { title, certain, advice, isComplete } = describeError(error);
  return (
    <div class="note bad" role="alert" tabIndex={-1}>
      <Icon name="warn" />
      <div>
        <strong>{title}</strong>
        {certain && <p>{certain}</p>}
        {refusalMessage(error.code) && error.message && !isComplete && <Detail message={error.message} />}
        {advice && <p>{advice}</p>}
        {error.requestId && (
          <p class="faint">
            {t.requestId} <CopyText text={error.requestId} />
          </p>
        )}
        {onRetry && error.status !== 404 && (
          <Button small onClick={onRetry}>
            {t.retry}
          </Button>
        )}
      </div>
    </div>
  );
}
