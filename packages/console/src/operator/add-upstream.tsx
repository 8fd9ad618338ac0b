import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { call } from '../api/call.ts';
import { ApiError, asApiError } from '../api/error.ts';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Steps } from '../components/steps.tsx';
import { toast } from '../components/toast.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { invalidate, useResource } from '../data/resource.ts';
import { AccountStep } from './upstream-account.tsx';
import {
  type AccountDraft,
  accountBody,
  addBody,
  type Preview,
  type SaleDraft,
  type Service,
  type Tested,
} from './upstream-draft.ts';
import { messages } from './upstream-messages.ts';
import { PreviewStep } from './upstream-preview.tsx';
import { TldStep } from './upstream-tlds.tsx';
import './operator.css';

type Step = 'account' | 'tlds' | 'preview';
const order: readonly Step[] = ['account', 'tlds', 'preview'];

function Progress({ at }: { readonly at: Step }) {
  const t = messages();
  const now = order.indexOf(at);
  const steps = order.map((key, n) => ({
    key,
    label: t.steps[key],
    state: n < now ? ('done' as const) : n === now ? ('now' as const) : ('ahead' as const),
  }));
  return <Steps steps={steps} label={t.progress} />;
}

/** A service that could not be reached has no field: its message is shown in the language of the user. */
function readRefusal(title: string) {
  return (cause: unknown): ApiError => {
    const error = asApiError(cause);
    const { problem, upstream_message: said } = error.facts;
    if (error.code !== 'registry_unavailable' || typeof problem !== 'string') return error;
    const t = messages();
    const text = [t.problems[problem]?.(title) ?? '', ...(typeof said === 'string' ? [t.said(said)] : [])].join(' ');
    return new ApiError(400, { code: 'account_refused', message: text });
  };
}

interface Shown {
  readonly preview: Preview;
  /** Of the request that stores it, so that a repeated request is processed once. */
  readonly key: string;
  readonly isChanged: boolean;
  readonly isConfirmed: boolean;
}

/** The requests of the last two steps: the preview, and the setup itself. */
function useSetup(service: Service, bodyNow: () => ReturnType<typeof addBody>, onShown: () => void) {
  const { route } = useLocation();
  const [shown, setShown] = useState<Shown>();
  const sending = useSubmit(readRefusal(service.title));
  const review = ({ isChanged = false, isConfirmed = false } = {}) =>
    sending.perform(async () => {
      const wanted = { ...bodyNow(), confirm_tlds: isConfirmed, dry_run: true };
      const { body } = await call('post', '/operator/upstreams', { body: wanted });
      setShown({ preview: body, key: crypto.randomUUID(), isChanged, isConfirmed });
      onShown();
    });
  const store = async ({ preview, key, isConfirmed }: Shown) => {
    const body = { ...bodyNow(), confirm_tlds: isConfirmed, preview: preview.preview };
    const { body: added } = await call('post', '/operator/upstreams', { body }, { idempotencyKey: key });
    await invalidate('/operator', '/tlds', '/account', '/customers/prices', '/resellers/prices');
    const t = messages();
    toast(added.refused.length > 0 ? t.refused(added.refused.length) : t.added(added.registry_id));
    route('/app/operator/registries');
  };
  const add = async (wanted: Shown) => {
    const outdated = { isSo: false };
    await sending.perform(() =>
      store(wanted).catch((cause: unknown) => {
        outdated.isSo = asApiError(cause).code === 'precondition_failed';
        throw cause;
      }),
    );
    if (outdated.isSo) await review({ isChanged: true, isConfirmed: wanted.isConfirmed });
  };
  return { shown, sending, review, add };
}

/** Selected TLDs and the margin stay if another account is tested, as far as it has these TLDs. */
function saleAfter(before: SaleDraft | undefined, { service }: Service, { tlds }: Tested): SaleDraft {
  const offered = tlds?.map(({ tld }) => tld);
  const empty = { margin: '', target: 'customer', step: '', ending: '' } as const;
  const registryId = service.replace(/[^a-z0-9-]/g, '-');
  const chosen = (before?.tlds ?? []).filter((tld) => offered?.includes(tld) ?? true);
  return { ...empty, registryId, ...before, tlds: chosen };
}

function Setup({ services }: { readonly services: readonly Service[] }) {
  const [step, setStep] = useState<Step>('account');
  const [account, setAccount] = useState<AccountDraft>({
    service: services[0]!.service,
    fields: {},
    currency: '',
    isTestSystem: false,
  });
  const [sale, setSale] = useState<SaleDraft>();
  const [tested, setTested] = useState<Tested>();
  const service = services.find((each) => each.service === account.service) ?? services[0]!;
  const bodyNow = () => addBody(accountBody(account, service), sale!);
  const { shown, sending, review, add } = useSetup(service, bodyNow, () => setStep('preview'));
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (step !== 'account') top.current?.focus();
  }, [step]);
  return (
    <div class="stack" ref={top} tabIndex={-1}>
      <Progress at={step} />
      {step === 'account' && (
        <AccountStep
          services={services}
          draft={account}
          onDraft={(change) => setAccount((before) => ({ ...before, ...change }))}
          onTested={(result) => {
            setTested(result);
            setSale((before) => saleAfter(before, service, result));
            setStep('tlds');
          }}
        />
      )}
      {step === 'tlds' && tested && sale && (
        <TldStep
          service={service}
          tested={tested}
          draft={sale}
          onDraft={(change) => setSale((before) => before && { ...before, ...change })}
          sending={sending}
          onSubmit={() => void review()}
          onBack={() => setStep('account')}
        />
      )}
      {step === 'preview' && shown && (
        <PreviewStep
          preview={shown.preview}
          isChanged={shown.isChanged}
          isConfirmed={shown.isConfirmed}
          onConfirmed={(isConfirmed) => void review({ isConfirmed })}
          sending={sending}
          onSubmit={() => void add(shown)}
          onBack={() => setStep('tlds')}
        />
      )}
    </div>
  );
}

export default function AddUpstream() {
  const t = messages();
  const list = useResource('/operator/upstream_services', {});
  const services = list.data?.services;
  return (
    <>
      <PageHead title={t.add} lead={t.lead} />
      {list.error && <ErrorBanner error={list.error} onRetry={list.refetch} />}
      {!services && !list.error && <Skeleton />}
      {services && services.length > 0 && <Setup services={services} />}
    </>
  );
}
