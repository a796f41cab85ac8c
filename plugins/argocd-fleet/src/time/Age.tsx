import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { DateTime } from 'luxon';
import { argocdFleetTranslationRef } from '../messages';
import { ageOf } from './relativeTime';
import { useNow } from './useNow';

/** A time as a duration until now ("2 min", "2 min ago"), updated regularly; the exact time on hover. */
export function Age(props: {
  /** RFC 3339, or epoch milliseconds. */
  readonly at: string | number;
  /** `for` renders "2 min", `ago` renders "2 min ago". */
  readonly as?: 'for' | 'ago';
  /** Milliseconds between updates. */
  readonly every?: number;
}) {
  const { at, as = 'ago', every = 10_000 } = props;
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const now = useNow(every);
  const time =
    typeof at === 'number' ? DateTime.fromMillis(at) : DateTime.fromISO(at);
  if (!time.isValid) {
    return <>{String(at)}</>;
  }
  const { unit, count } = ageOf(time, DateTime.fromMillis(now));
  return (
    <time
      dateTime={time.toUTC().toISO()}
      title={time.toLocaleString(DateTime.DATETIME_FULL_WITH_SECONDS)}
    >
      {t(`time.${as}.${unit}`, { number: String(count) })}
    </time>
  );
}
