const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** A moment as the feed shows it: the time today, the day before that. */
export function shortTime(date, now = new Date()) {
  return date.toDateString() === now.toDateString()
    ? clock.format(date)
    : `${day.format(date)}, ${clock.format(date)}`;
}

/** A moment in full, for whoever asks. */
export function fullTime(date) {
  return full.format(date);
}

const tokens = {
  date_num: { year: 'numeric', month: '2-digit', day: '2-digit' },
  date: { dateStyle: 'long' },
  date_short: { dateStyle: 'medium' },
  date_long: { dateStyle: 'full' },
  date_pretty: { dateStyle: 'long' },
  date_short_pretty: { dateStyle: 'medium' },
  date_long_pretty: { dateStyle: 'full' },
  time: { timeStyle: 'short' },
  time_secs: { timeStyle: 'medium' },
};

/**
 * Fills a date pattern such as `{date_short} at {time}` for the reader's own zone.
 *
 * @param {number} seconds since 1970
 * @param {string} pattern
 */
export function fillDatePattern(seconds, pattern) {
  const date = new Date(seconds * 1_000);
  return pattern.replaceAll(/\{(\w+)\}/g, (whole, token) => {
    if (token === 'ago') return relativeTime(date);
    const options = tokens[token];
    return options === undefined ? whole : new Intl.DateTimeFormat(undefined, options).format(date);
  });
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

function relativeTime(date) {
  const seconds = Math.round((date.getTime() - Date.now()) / 1_000);
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }).format(
    Math.round(seconds / length),
    unit,
  );
}
