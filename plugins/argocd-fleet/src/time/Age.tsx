import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { DateTime } from 'luxon';
import { argocdFleetTranslationRef } from '../messages';
import { Clock } from './Clock';
import { ageOf } from './relativeTime';
import { useNow } from './useNow';

/** In milliseconds; from here on, an age needs no update each second. */
const OLD = 120_000;

/** A time as a duration until now ("2 min", "2 min ago"), updated regularly; the exact time on hover. */
export function Age(props: {
  /** RFC 3339, or epoch milliseconds. */
  readonly at: string | number;
  /** `for` renders "2 min", `ago` renders "2 min ago". */
  readonly as?: 'for' | 'ago';
}) {
  const { at, as = 'ago' } = props;
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const time =
    typeof at === 'number' ? DateTime.fromMillis(at) : DateTime.fromISO(at);
  const isOld = Date.now() - time.toMillis() > OLD;
  const now = useNow(isOld ? 10_000 : 1_000);
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

/** The same with the time itself: "2 min ago · 10:02". */
export function AgeAndClock(props: {
  /** RFC 3339. */
  readonly at: string;
}) {
  return (
    <>
      <Age at={props.at} /> · <Clock at={props.at} />
    </>
  );
}
