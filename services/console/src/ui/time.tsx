import { inWords } from './moment-words.ts';
import { useClock } from './use-clock.ts';

const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const seconds = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const precise = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

/** A moment to the second, as text. */
export const momentText = (at: string): string => seconds.format(new Date(at));

const InWords = ({ moment }: { moment: Date }) => {
  useClock();
  return inWords(moment, new Date()) ?? absolute.format(moment);
};

/** A moment, in words or (`exact`) as date and time, to the second where that matters; the browser's time zone. */
export const Time = ({
  at,
  exact = false,
}: {
  at: string | null | undefined;
  exact?: boolean | 'seconds';
}) => {
  if (at === null || at === undefined) return <>–</>;
  const moment = new Date(at);
  return (
    <time dateTime={at} title={precise.format(moment)}>
      {exact === false ? <InWords moment={moment} /> : (exact === true ? absolute : seconds).format(moment)}
    </time>
  );
};
