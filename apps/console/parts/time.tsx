import { day, distance, inUtc, moment } from '../words.js';

/** A moment in the operator's time zone; in UTC on hover. */
export function Time(props: { readonly at: string; readonly form?: 'moment' | 'day' | 'distance' }) {
  const forms = { moment, day, distance };
  return (
    <time dateTime={props.at} title={inUtc(props.at)}>
      {forms[props.form ?? 'moment'](props.at)}
    </time>
  );
}
