import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { RollingSync } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { Age } from '../time/Age';

/** The step that the rolling sync of an ApplicationSet is in, and since when. */
export function RollingSyncProgress(props: {
  readonly of: RollingSync;
  readonly className: string;
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { steps, reported, step, waiting = 0, since } = props.of;
  const { waitsFor = [] } = props.of;
  const names = waitsFor.join(', ');
  const more = waiting - waitsFor.length;
  if (!reported) {
    return (
      <span
        className={props.className}
        title={t('section.rollingSyncNotReportedTitle')}
      >
        {t('section.rollingSync')} {t('section.rollingSyncNotReported')}
      </span>
    );
  }
  return (
    <span className={props.className}>
      {t('section.rollingSync')}{' '}
      {step === undefined
        ? t('section.rollingSyncDone', { count: steps })
        : t('section.rollingSyncStep', {
            step: String(step),
            steps: String(steps),
            names:
              more > 0
                ? t('section.rollingSyncMore', { names, number: String(more) })
                : names,
          })}
      {since && (
        <>
          {' · '}
          <Age at={since} as={step === undefined ? 'ago' : 'for'} />
        </>
      )}
    </span>
  );
}
