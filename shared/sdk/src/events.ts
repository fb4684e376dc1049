/** How a stream is opened, and opened again. */
export interface EventSource {
  /** Opens the stream after an event; undefined for what is new from now on. */
  open(after: string | undefined): Promise<ReadableStream<Uint8Array> | undefined>;
  /** Waits before the stream is opened again; throws where the caller's signal ends all. */
  pause(milliseconds: number): Promise<void>;
  readonly signal: AbortSignal | undefined;
}

/** Milliseconds without a byte after which a stream counts as broken: three times its pulse. */
const silenceMs = 45_000;

/** The fields of one event. */
type Fields = Partial<Record<string, string>>;

const fieldsOf = (text: string): Fields =>
  Object.fromEntries(
    text.split('\n').map((line) => {
      const [name = '', ...rest] = line.split(': ');
      return [name, rest.join(': ')];
    }),
  );

/** The events of one connection, until it ends or breaks. */
async function* received(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Fields, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const leave = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener('abort', leave);
  if (signal?.aborted) leave();
  let text = '';
  try {
    for (;;) {
      const timer = setTimeout(leave, silenceMs);
      // A connection that breaks has ended: whether it can be opened again tells what is wrong.
      const { value } = await reader
        .read()
        .catch(() => ({ value: undefined }))
        .finally(() => clearTimeout(timer));
      if (!value) return;
      const parts = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = parts.pop() ?? '';
      yield* parts.map(fieldsOf);
    }
  } finally {
    signal?.removeEventListener('abort', leave);
    leave();
  }
}

/** The data of all events. Whenever the stream ends or breaks it is opened again after the last event that came. */
export async function* eventsOf<Event>({
  open,
  pause,
  signal,
}: EventSource): AsyncGenerator<Event, void, undefined> {
  let last: string | undefined;
  let retryMs = 1_000;
  for (;;) {
    const stream = await open(last);
    for await (const { id, event, data, retry } of stream ? received(stream, signal) : []) {
      if (retry) retryMs = Number(retry);
      // The registry says what the data is, and the server's tests hold it to that.
      if (data && !event) yield JSON.parse(data);
      if (id) last = id;
    }
    await pause(retryMs);
  }
}
