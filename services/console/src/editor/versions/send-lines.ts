/** Where a first message goes where no target is known. */
const anyChannel = 'C0DEPLOYS';

/** What a line of a program sends. */
export interface Sent {
  /** Origin of the API. */
  readonly origin: string;
  readonly key: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly channel?: string | undefined;
}

/** A text as a shell takes it whole. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The lines by which programs send a template. The API key is read from the variable KEY. */
export const sendLines = ({ origin, key, data, channel = anyChannel }: Sent) => {
  const body = JSON.stringify({ template_key: key, data, channel_id: channel });
  return {
    curl: `curl -s -X POST ${origin}/v1/templates/send -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d ${quoted(body)}`,
    sdk: `await stanza.send(${JSON.stringify(key)}, ${JSON.stringify({ channel_id: channel, data })});`,
    cli: `echo ${quoted(JSON.stringify(data))} > data.json && stanza send ${key} --channel ${channel} --data data.json`,
  } as const;
};
