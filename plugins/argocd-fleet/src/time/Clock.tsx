import { DateTime } from 'luxon';

/** A time as people name it: "10:02" on the same day, with the date on any other. */
export function Clock(props: {
  /** RFC 3339. */
  readonly at: string;
}) {
  const time = DateTime.fromISO(props.at);
  if (!time.isValid) {
    return <>{props.at}</>;
  }
  const isToday = time.hasSame(DateTime.now(), 'day');
  return (
    <time
      dateTime={time.toUTC().toISO()}
      title={time.toLocaleString(DateTime.DATETIME_FULL_WITH_SECONDS)}
    >
      {time.toLocaleString(
        isToday ? DateTime.TIME_24_SIMPLE : DateTime.DATETIME_SHORT,
      )}
    </time>
  );
}
