import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { argocdFleetTranslationRef } from '../messages';
import { Notice, type NOTICE_KINDS } from './Notice';
import {
  requestProblemOf,
  serverMessageOf,
  type RequestProblem,
} from '../live/requestProblem';

const KINDS: Readonly<Record<RequestProblem, keyof typeof NOTICE_KINDS>> = {
  forbidden: 'warning',
  signedOut: 'warning',
  notFound: 'warning',
  notInstalled: 'problem',
  hubNotListed: 'waiting',
  failing: 'problem',
  unreachable: 'problem',
};

const INSTALLATION =
  "backend.add(import('backstage-plugin-argocd-fleet-backend'));";

/** Notice for a failed request. */
export function RequestNotice(props: { readonly error: Error }) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const problem = requestProblemOf(props.error);
  const message = serverMessageOf(props.error);
  const codes: Readonly<Record<RequestProblem, string | undefined>> = {
    forbidden: undefined,
    signedOut: undefined,
    notFound: message,
    notInstalled: INSTALLATION,
    hubNotListed: message,
    failing: message,
    unreachable: message,
  };
  return (
    <Notice
      kind={KINDS[problem]}
      title={t(`notices.${problem}.title`)}
      code={codes[problem]}
    >
      <p>
        {problem === 'forbidden'
          ? serverMessageOf(props.error)
          : t(`notices.${problem}.body`)}
      </p>
    </Notice>
  );
}
